const SECOND = 1000;

/** The first match of a quiet alert waits this long for others to join it: no message leaves sooner. */
export const GATHER_MS = 2 * SECOND;
/** After a mail, an alert's next one leaves no sooner. */
export const QUIET_MS = 300 * SECOND;
/** What a paid plan's priority is worth: where there is a queue, its alerts go before others that are due so long. */
export const PRIORITY_MS = 60 * SECOND;
/** A mail that is 'sending' for longer was left behind by a sender that died, unless its vendor says otherwise. */
export const STALE_MS = 25 * SECOND;
/** A mail that the vendor has not taken by then is given up. */
export const GIVE_UP_MS = 24 * 3600 * SECOND;

const FIRST_RETRY_MS = 5 * SECOND;
const LONGEST_RETRY_MS = 1800 * SECOND;

/**
 * When the waiting matches of an alert may leave: two seconds after the first of them, and five minutes after the
 * alert's last mail.
 */
export function mayLeaveAt(firstWaitingAt: Date, lastMailedAt: Date | null): Date {
  const gathered = firstWaitingAt.getTime() + GATHER_MS;
  const quiet = lastMailedAt === null ? 0 : lastMailedAt.getTime() + QUIET_MS;
  return new Date(Math.max(gathered, quiet));
}

/**
 * Milliseconds until a mail is tried again: doubling from five seconds to half an hour, with jitter.
 * @param attempts tries so far, at least 1
 * @param retryAfterMs what the vendor asked for; it is kept to
 * @param random 0 to 1
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, random: number): number {
  const doubled = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.max(Math.round(doubled * (0.75 + random / 2)), retryAfterMs ?? 0);
}
