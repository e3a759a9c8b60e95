const INT4_MAX = 2 ** 31 - 1;

/** Median milliseconds from listed to seen; null when no time is known. @param seenAt UTC */
export function medianLagMs(listedAt: readonly Date[], seenAt: Date): number | null {
  const lags = listedAt.map((at) => Math.max(0, seenAt.getTime() - at.getTime())).sort((a, b) => a - b);
  const middle = lags[Math.floor(lags.length / 2)];
  return middle === undefined ? null : Math.min(middle, INT4_MAX);
}
