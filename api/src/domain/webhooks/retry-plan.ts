import { backoffMs } from '../throttle.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Spread over about 24 hours. */
export const MAX_TRIES = 10;

const retryBackoff = { firstMs: 5 * SECOND, maxMs: 8 * HOUR, factor: 4, jitter: 0.1 };
const MAX_BACKOFF_MS = 60 * SECOND;
/** A longer Retry-After is not followed. */
const MAX_RETRY_AFTER_MS = HOUR;
/** From this many failures in a row a webhook gets no messages for a while after each failure. */
const FAILURES_BEFORE_BACKOFF = 5;

/**
 * The delay before a message is sent again, in milliseconds: it grows fourfold from five seconds to eight hours, with
 * jitter. null after the last attempt.
 * @param tries attempts so far, at least 1
 * @param random from 0 to 1
 */
export function webhookRetryDelayMs(tries: number, random: number): number | null {
  return tries >= MAX_TRIES ? null : backoffMs(retryBackoff, tries, random);
}

/**
 * For how many milliseconds a webhook gets no messages after a failure: its Retry-After, and after repeated failures an
 * exponential backoff of at most a minute.
 * @param failuresInRow including this one
 */
export function webhookBackoffMs(failuresInRow: number, retryAfterSeconds: number | null): number {
  const asked = Math.min((retryAfterSeconds ?? 0) * SECOND, MAX_RETRY_AFTER_MS);
  const over = failuresInRow - FAILURES_BEFORE_BACKOFF;
  const own = over < 0 ? 0 : Math.min(MAX_BACKOFF_MS, SECOND * 2 ** Math.min(over, 10));
  return Math.max(asked, own);
}

/**
 * Whether a webhook is to be paused: the last attempt of a message failed, and no message was accepted during all its
 * attempts.
 * @param failingForMs milliseconds since the first failure in a row
 */
export function shouldPauseWebhook(failuresInRow: number, failingForMs: number): boolean {
  return failuresInRow >= MAX_TRIES && failingForMs >= 20 * HOUR;
}
