/** Texts of matches a calendar month (UTC), by the plan's id; codes don't count. Free has none. */
const MONTHLY_TEXTS: Readonly<Record<number, number>> = { 2: 100, 3: 500, 4: 2_000 };

export function monthlyTexts(planId: number): number {
  return MONTHLY_TEXTS[planId] ?? 0;
}

/** A phone's codes: how many may be asked for, and how often one may be guessed. */
export const phoneCodes = { digits: 6, inTenMinutes: 3, inADay: 10, guesses: 5 } as const;

/** A text that waited for so long tells of cars that are gone: it is given up. */
export const TEXT_GIVE_UP_MS = 3_600_000;

/** In production without a provider. */
export const TEXTS_MISSING = 'Text messages are not set up here yet.';
