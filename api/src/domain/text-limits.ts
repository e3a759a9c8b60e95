/** By the plan's id. */
const MONTHLY_TEXTS: Readonly<Record<number, number>> = { 2: 100, 3: 500, 4: 2_000 };

/** How many texts about matches a plan includes per calendar month (UTC). Texted codes don't count; Free has none. */
export function monthlyTexts(planId: number): number {
  return MONTHLY_TEXTS[planId] ?? 0;
}

/** What the segments of a day are counted by. `match`: all texts about cars. */
export type TextKind = 'match' | 'code';

/** Of how many of the day's segments codes get one. */
const CODE_SHARE = 5;

/**
 * How many segments of each kind may be sent on a day (UTC). Codes have a fifth of their own, so that those who request many
 * codes can't use up the texts about cars, and texts about cars leave room for codes.
 * @param segments of all texts together
 */
export function dailySegments(segments: number): Readonly<Record<TextKind, number>> {
  const code = Math.ceil(segments / CODE_SHARE);
  return { code, match: segments - code };
}

/** The codes that confirm a phone number: how many a user may request, and the attempts to enter one. */
export const phoneCodes = { digits: 6, inTenMinutes: 3, inADay: 10, guesses: 5 } as const;

/** A text that waited for so long while texts were not set up is not sent any more, as its cars may be gone. */
export const UNSENT_TEXT_MS = 3_600_000;

/** After so long without a break in which every try of an alert's texts failed, its older texts fail for good. */
export const TEXT_RETRY_MS = 6 * 3_600_000;

/** Shown in production when no provider is configured. */
export const TEXTS_MISSING = 'Text messages are not set up here yet.';
