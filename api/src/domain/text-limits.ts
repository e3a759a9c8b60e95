/** By the plan's id. */
const MONTHLY_TEXTS: Readonly<Record<number, number>> = { 2: 100, 3: 500, 4: 2_000 };

/** How many texts about matches a plan includes per calendar month (UTC). Texted codes don't count; Free has none. */
export function monthlyTexts(planId: number): number {
  return MONTHLY_TEXTS[planId] ?? 0;
}

/** The codes that confirm a phone number: how many a user may request, and the attempts to enter one. */
export const phoneCodes = { digits: 6, inTenMinutes: 3, inADay: 10, guesses: 5 } as const;

/** A text that has waited for so long is not sent any more, as its cars may be gone. */
export const TEXT_GIVE_UP_MS = 3_600_000;

/** Shown in production when no provider is configured. */
export const TEXTS_MISSING = 'Text messages are not set up here yet.';
