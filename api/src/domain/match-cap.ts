import { grouped } from './plain-words.ts';

/** How many matches an alert keeps, the newest ones. */
export const MATCHES_KEPT = 1_000;

/** Where counts of an alert's matches stop. It stands for this many and more. */
export const COUNTED_MATCHES = MATCHES_KEPT + 1;

/** Formats a count of matches: 1000 as `1,000`, and what is above it as `1,000+`. */
export const matchCountText = (count: number): string =>
  count > MATCHES_KEPT ? `${grouped(MATCHES_KEPT)}+` : grouped(count);
