import { RateLimiterRes } from 'rate-limiter-flexible';

export interface Limiter {
  /** Counts one or more requests. @throws RateLimiterRes when they exceed the limit */
  consume(key: string, points?: number): Promise<RateLimiterRes>;
}

/** A process reserves at most this part of the limit at a time, and less when less is left. */
const PART_OF_LIMIT = 1 / 20;
const PART_OF_REST = 1 / 10;
const MAX_CHUNK = 100;
const FIRST_SWEEP = 1_000;

/** Requests that a process has reserved and may admit by itself until the window ends. */
interface Chunk {
  left: number;
  /** What the shared counter had left at the last reservation. */
  rest: number;
  /** Milliseconds of the process's clock. */
  endsAt: number;
}

/**
 * Limits requests by a counter that all processes share, without a query for each: a process reserves several at a time.
 * All processes together never admit more than the limit. Reserved requests that are not used are lost until the window
 * ends, so that a client of several processes may be refused early, by at most a twentieth of the limit for each process
 * after the first.
 */
export function makeChunkedLimiter(shared: Limiter, limit: number, now: () => number = () => performance.now()) {
  const most = Math.min(MAX_CHUNK, Math.max(1, Math.floor(limit * PART_OF_LIMIT)));
  const chunks = new Map<string, Chunk>();
  const asking = new Map<string, Promise<void>>();
  let sweepAt = FIRST_SWEEP;

  function current(key: string): Chunk | undefined {
    const chunk = chunks.get(key);
    return chunk && chunk.endsAt > now() ? chunk : undefined;
  }

  function keep(key: string, chunk: Chunk): void {
    chunks.set(key, chunk);
    if (chunks.size < sweepAt) return;
    for (const [known, { endsAt }] of chunks) if (endsAt <= now()) chunks.delete(known);
    sweepAt = Math.max(FIRST_SWEEP, 2 * chunks.size);
  }

  async function ask(key: string): Promise<void> {
    const rest = current(key)?.rest;
    const size = rest === undefined ? most : Math.min(most, Math.max(1, Math.floor(rest * PART_OF_REST)));
    const askedAt = now();
    const { consumedPoints, msBeforeNext } = await shared.consume(key, size).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    });
    const before = consumedPoints - size;
    keep(key, {
      left: Math.max(0, Math.min(size, limit - before)),
      rest: Math.max(0, limit - consumedPoints),
      endsAt: askedAt + msBeforeNext,
    });
  }

  function askOnce(key: string): Promise<void> {
    const asked = asking.get(key) ?? ask(key).finally(() => asking.delete(key));
    asking.set(key, asked);
    return asked;
  }

  return {
    /** @throws RateLimiterRes when the limit of this window is reached */
    async consume(key: string): Promise<void> {
      for (;;) {
        const chunk = current(key);
        if (chunk && chunk.left > 0) {
          chunk.left -= 1;
          return;
        }
        if (chunk?.rest === 0) throw new RateLimiterRes(0, chunk.endsAt - now());
        await askOnce(key);
      }
    },
  };
}
