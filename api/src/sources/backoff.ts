const LONGEST_SECONDS = 15 * 60;
/** Who is asked every 2 s stands beside us: it is back in seconds, so it is never left alone for minutes. */
const LONGEST_FOR_NEIGHBOURS_SECONDS = 10;

/**
 * Seconds until a source is asked again after `failures` faults in a row: doubling, with jitter of a quarter, never
 * sooner than its interval or its Retry-After, 15 minutes at most.
 * @param random from 0 up to 1
 */
export function backoffSeconds(
  source: { everySeconds: number; failures: number; retryAfterSeconds: number | null },
  random: number,
): number {
  const { everySeconds, failures, retryAfterSeconds } = source;
  const longest = everySeconds < 5 ? LONGEST_FOR_NEIGHBOURS_SECONDS : Math.max(LONGEST_SECONDS, everySeconds);
  const doubled = everySeconds * 2 ** Math.min(failures - 1, 20);
  const asked = Math.max(Math.min(doubled, longest), retryAfterSeconds ?? 0);
  return Math.min(Math.max(asked * (1 + random / 4), everySeconds), longest * 1.25);
}
