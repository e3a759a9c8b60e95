const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** All over about 24 hours. */
export const MAX_TRIES = 10;

const FIRST_RETRY_MS = 5 * SECOND;
const LONGEST_RETRY_MS = 8 * HOUR;
const LONGEST_REST_MS = 60 * SECOND;
/** A receiver may ask for this much time at most. */
const LONGEST_ASKED_MS = HOUR;
/** A webhook that fails this often in a row is left alone for a moment between tries. */
const FAILURES_BEFORE_REST = 5;

/**
 * Milliseconds until a message is tried again: four times longer each time, from five seconds to eight hours, with
 * jitter. Null when it was the last try.
 * @param tries so far, at least 1
 * @param random 0 to 1
 */
export function nextTryInMs(tries: number, random: number): number | null {
  if (tries >= MAX_TRIES) return null;
  const grown = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 4 ** (tries - 1));
  return Math.round(grown * (0.9 + random / 5));
}

/**
 * Milliseconds for which a whole endpoint is left alone after a failure: what it asks for, and more and more up to a
 * minute when it fails again and again.
 * @param failuresInRow this one included
 */
export function restMs(failuresInRow: number, retryAfterSeconds: number | null): number {
  const asked = Math.min((retryAfterSeconds ?? 0) * SECOND, LONGEST_ASKED_MS);
  const over = failuresInRow - FAILURES_BEFORE_REST;
  const own = over < 0 ? 0 : Math.min(LONGEST_REST_MS, SECOND * 2 ** Math.min(over, 10));
  return Math.max(asked, own);
}

/**
 * Whether a webhook is paused: a message was tried for the last time, and no other was taken either in all that time.
 * @param failingForMs since the first failure in a row
 */
export function isGivenUp(failuresInRow: number, failingForMs: number): boolean {
  return failuresInRow >= MAX_TRIES && failingForMs >= 20 * HOUR;
}
