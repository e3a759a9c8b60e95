import { BATCH_DELAY_MS, MIN_INTERVAL_MS } from '../../domain/throttle.ts';

/**
 * SQL of `mayLeaveAt`: when a match that is found now may leave. It is an expression because the search decides it for
 * all the pairs of a batch in the statement that writes their notifications.
 * @param lastSentAt the column with the time of the alert's last message on this channel, which may be null
 */
export const earliestSend = (lastSentAt: string): string =>
  `greatest(now() + interval '${BATCH_DELAY_MS} ms', ${lastSentAt} + interval '${MIN_INTERVAL_MS} ms')`;
