import { backoffMs } from '../backoff.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** All over about 24 hours. */
export const MAX_TRIES = 10;

const retryBackoff = { firstMs: 5 * SECOND, maxMs: 8 * HOUR, factor: 4, jitter: 0.1 };
const MAX_BACKOFF_MS = 60 * SECOND;
/** A receiver may ask for this much time at most. */
const MAX_RETRY_AFTER_MS = HOUR;
/** A webhook that fails this often in a row gets nothing for a while between tries. */
const FAILURES_BEFORE_BACKOFF = 5;

/**
 * Milliseconds until a message is tried again: four times longer each time, from five seconds to eight hours, with
 * jitter. Null when it was the last try.
 * @param tries so far, at least 1
 * @param random 0 to 1
 */
export function nextTryInMs(tries: number, random: number): number | null {
  return tries >= MAX_TRIES ? null : backoffMs(retryBackoff, tries, random);
}

/**
 * Milliseconds for which a webhook gets nothing after a failure: what it asks for, and more and more up to a minute when
 * it fails again and again.
 * @param failuresInRow this one included
 */
export function webhookBackoffMs(failuresInRow: number, retryAfterSeconds: number | null): number {
  const asked = Math.min((retryAfterSeconds ?? 0) * SECOND, MAX_RETRY_AFTER_MS);
  const over = failuresInRow - FAILURES_BEFORE_BACKOFF;
  const own = over < 0 ? 0 : Math.min(MAX_BACKOFF_MS, SECOND * 2 ** Math.min(over, 10));
  return Math.max(asked, own);
}

/**
 * Whether a webhook is paused: a message was tried for the last time, and no other was accepted in all that time.
 * @param failingForMs since the first failure in a row
 */
export function isGivenUp(failuresInRow: number, failingForMs: number): boolean {
  return failuresInRow >= MAX_TRIES && failingForMs >= 20 * HOUR;
}
