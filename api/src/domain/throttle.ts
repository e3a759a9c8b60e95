import { backoffMs } from './backoff.ts';

const SECOND = 1000;

/** The first match of an alert waits this long, so that others join it in one message. */
export const BATCH_DELAY_MS = 2 * SECOND;
/** The minimum interval between two mails of an alert, and between two texts. */
export const MIN_INTERVAL_MS = 300 * SECOND;
/** The priority of paid plans: in a queue, their alerts count as having been due for this much longer. */
export const PRIORITY_MS = 60 * SECOND;
/** How long a process may hold a mail, unless its vendor sets another time: what is 'sending' for longer was left behind. */
export const MAIL_LEASE_MS = 25 * SECOND;
/** A mail that the vendor has not accepted after this time fails for good. */
export const GIVE_UP_MS = 24 * 3600 * SECOND;

const retryBackoff = { firstMs: 5 * SECOND, maxMs: 1800 * SECOND, factor: 2, jitter: 0.25 };

/**
 * When the waiting matches of an alert may leave: two seconds after the first of them, and five minutes after the
 * alert's last message on the same channel. `entities/notification-rules.ts` states the same rule in SQL.
 */
export function mayLeaveAt(firstWaitingAt: Date, lastSentAt: Date | null): Date {
  const batched = firstWaitingAt.getTime() + BATCH_DELAY_MS;
  const allowed = lastSentAt === null ? 0 : lastSentAt.getTime() + MIN_INTERVAL_MS;
  return new Date(Math.max(batched, allowed));
}

/**
 * Milliseconds until a mail is tried again: doubling from five seconds to half an hour, with jitter.
 * @param attempts tries so far, at least 1
 * @param retryAfterMs what the vendor asked for; it is kept to
 * @param random 0 to 1
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, random: number): number {
  return Math.max(backoffMs(retryBackoff, attempts, random), retryAfterMs ?? 0);
}
