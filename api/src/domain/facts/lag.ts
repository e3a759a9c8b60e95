const INT4_MAX = 2 ** 31 - 1;

/** Milliseconds from listed to seen; a clock that runs ahead counts as none. */
export const lagMs = (listedAt: Date, seenAt: Date): number => Math.max(0, seenAt.getTime() - listedAt.getTime());

/** The middle one, within int4; null when there is none. */
export function medianMs(lags: readonly number[]): number | null {
  const middle = lags.toSorted((a, b) => a - b)[Math.floor(lags.length / 2)];
  return middle === undefined ? null : Math.min(middle, INT4_MAX);
}
