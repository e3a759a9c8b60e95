export interface Backoff {
  firstMs: number;
  maxMs: number;
  /** How much longer each wait is than the one before. */
  factor: number;
  /** 0.25: each wait is up to a quarter shorter or longer, so that what failed together is not tried together. */
  jitter: number;
}

/**
 * Milliseconds until the next try: growing exponentially up to the longest, with jitter.
 * @param tries so far, at least 1
 * @param random 0 to 1
 */
export function backoffMs({ firstMs, maxMs, factor, jitter }: Backoff, tries: number, random: number): number {
  const grown = Math.min(maxMs, firstMs * factor ** Math.min(tries - 1, 20));
  return Math.round(grown * (1 - jitter + 2 * jitter * random));
}
