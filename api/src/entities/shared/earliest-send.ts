import { BATCH_DELAY_MS, MIN_INTERVAL_MS } from '../../domain/throttle.ts';

const interval = `interval '${MIN_INTERVAL_MS} ms'`;

/*
 * The throttle of an alert's messages in SQL, each with the column that has the time of the alert's last message on a
 * channel, which may be null.
 */

/** SQL: until when an alert's next message is deferred. */
export const throttledUntil = (lastSentAt: string): string => `${lastSentAt} + ${interval}`;

/** SQL: whether an alert's next message is deferred now. */
export const isThrottled = (lastSentAt: string): string => `${lastSentAt} > now() - ${interval}`;

/**
 * SQL of `mayLeaveAt`: when a match that is found now may leave. It is an expression because the search decides it for
 * all the pairs of a batch in the statement that writes their notifications.
 */
export const earliestSend = (lastSentAt: string): string =>
  `greatest(now() + interval '${BATCH_DELAY_MS} ms', ${throttledUntil(lastSentAt)})`;
