const SECOND = 1000;

/** The first match of an alert waits this long, so that later ones are delivered in the same message. */
export const BATCH_DELAY_MS = 2 * SECOND;
/** The minimum interval between two mails of an alert, and between two texts. */
export const MIN_INTERVAL_MS = 300 * SECOND;
/** An alert that sent more mails in a day offers to send fewer. */
export const MANY_MAILS = 20;
/** The priority of paid plans: in a queue, their alerts count as having been due for this much longer. */
export const PRIORITY_MS = 60 * SECOND;
/**
 * The lease of a mail whose vendor sets no other. A mail that is 'sending' for longer belongs to a process that ended.
 */
export const MAIL_LEASE_MS = 25 * SECOND;
/** A message that was not accepted after this time fails for good, if it was tried often enough. */
export const GIVE_UP_MS = 24 * 3600 * SECOND;
/** A message that a rule has held for days is tried so often all the same, which takes more than an hour. */
const MIN_TRIES = 12;

/** How often and for how long a message was tried, since it was made or, if that was later, since no rule holds it any more. */
export interface Tries {
  ageMs: number;
  /** At least 1. */
  tries: number;
}

/** Whether a message fails for good that was not accepted. */
export const isGivenUp = ({ ageMs, tries }: Tries): boolean => ageMs > GIVE_UP_MS && tries >= MIN_TRIES;

/**
 * The earliest time at which the waiting matches of an alert may be sent: two seconds after the first of them, and five
 * minutes after the alert's last message on the same channel. `entities/notification-rules.ts` states the rule in SQL.
 */
export function earliestSendAt(firstWaitingAt: Date, lastSentAt: Date | null): Date {
  const batched = firstWaitingAt.getTime() + BATCH_DELAY_MS;
  const allowed = lastSentAt === null ? 0 : lastSentAt.getTime() + MIN_INTERVAL_MS;
  return new Date(Math.max(batched, allowed));
}

interface Backoff {
  firstMs: number;
  maxMs: number;
  /** The ratio of each delay to the one before. */
  factor: number;
  /** 0.25 varies each delay by up to a quarter, so that tasks that failed together are not retried together. */
  jitter: number;
}

/**
 * The delay before the next attempt, in milliseconds: exponential up to a maximum, with jitter.
 * @param attempts so far, at least 1
 * @param random from 0 to 1
 */
export function backoffMs({ firstMs, maxMs, factor, jitter }: Backoff, attempts: number, random: number): number {
  const grown = Math.min(maxMs, firstMs * factor ** Math.min(attempts - 1, 20));
  return Math.round(grown * (1 - jitter + 2 * jitter * random));
}

const mailBackoff = { firstMs: 5 * SECOND, maxMs: 1800 * SECOND, factor: 2, jitter: 0.25 };

/**
 * The delay before a mail is sent again, in milliseconds: it doubles from five seconds to half an hour, with jitter.
 * @param attempts so far, at least 1
 * @param retryAfterMs the shortest delay that the vendor asked for
 * @param random from 0 to 1
 */
export function mailRetryDelayMs(attempts: number, retryAfterMs: number | null, random: number): number {
  return Math.max(backoffMs(mailBackoff, attempts, random), retryAfterMs ?? 0);
}
