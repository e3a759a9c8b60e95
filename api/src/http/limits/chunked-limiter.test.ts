import fc from 'fast-check';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { describe, expect, it } from 'vitest';
import { makeChunkedLimiter } from './chunked-limiter.ts';

/** Makes a counter that several processes share, with the clock of the test. */
function sharedCount(limit: number, clock: { ms: number }) {
  const counts = new Map<string, { points: number; endsAt: number }>();
  const seen = { asked: 0 };
  return {
    seen,
    consume(key: string, points = 1): Promise<RateLimiterRes> {
      seen.asked += 1;
      const known = counts.get(key);
      const count = known && known.endsAt > clock.ms ? known : { points: 0, endsAt: clock.ms + 60_000 };
      count.points += points;
      counts.set(key, count);
      const answer = new RateLimiterRes(Math.max(0, limit - count.points), count.endsAt - clock.ms, count.points);
      return count.points > limit ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

function processes(number: number, limit: number) {
  const clock = { ms: 0 };
  const shared = sharedCount(limit, clock);
  const each = Array.from({ length: number }, () => makeChunkedLimiter(shared, limit, () => clock.ms));
  const enter = async (process: number, key = 'somebody'): Promise<boolean> => {
    try {
      await each[process]?.consume(key);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(RateLimiterRes);
      expect((error as RateLimiterRes).msBeforeNext).toBeGreaterThan(0);
      return false;
    }
  };
  return { clock, shared, enter };
}

describe('a chunked limiter', () => {
  it.each([1, 2, 3, 19, 20, 60, 600])('admits exactly %i in a single process', async (limit) => {
    const { enter } = processes(1, limit);
    const entered = await Promise.all(Array.from({ length: limit + 5 }, () => enter(0)));
    expect(entered.filter(Boolean)).toHaveLength(limit);
    expect(entered.lastIndexOf(true)).toBe(limit - 1);
  });

  it('admits at most the limit over all processes, and loses at most a twentieth for each after the first', async () => {
    const order = fc.array(fc.nat({ max: 4 }), { minLength: 1500, maxLength: 1500 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 5 }),
        order,
        async (limit, n, calls) => {
          const { enter } = processes(n, limit);
          let entered = 0;
          for (const call of calls) entered += (await enter(call % n)) ? 1 : 0;
          expect(entered).toBeLessThanOrEqual(limit);
          expect(entered).toBeGreaterThanOrEqual(limit - (n - 1) * (limit < 40 ? 0 : Math.floor(limit / 20)));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('admits the same number of concurrent requests', async () => {
    const { enter } = processes(3, 600);
    const entered = await Promise.all(Array.from({ length: 2000 }, (_, index) => enter(index % 3)));
    expect(entered.filter(Boolean).length).toBeGreaterThanOrEqual(600 - 2 * 30);
    expect(entered.filter(Boolean).length).toBeLessThanOrEqual(600);
  });

  it('queries the shared counter rarely, and never for refused requests', async () => {
    const { enter, shared } = processes(1, 600);
    for (let call = 0; call < 300; call += 1) await enter(0);
    expect(shared.seen.asked).toBe(10);
    for (let call = 0; call < 300; call += 1) await enter(0);
    const { asked } = shared.seen;
    expect(asked).toBeLessThan(60);
    for (let call = 0; call < 300; call += 1) expect(await enter(0)).toBe(false);
    expect(shared.seen.asked).toBe(asked);
  });

  it('starts again with the next window, without reservations of the last one', async () => {
    const { clock, enter } = processes(2, 40);
    for (let call = 0; call < 60; call += 1) await enter(0);
    expect(await enter(0)).toBe(false);
    clock.ms = 59_999;
    expect(await enter(0)).toBe(false);
    clock.ms = 60_000;
    const entered = await Promise.all(Array.from({ length: 50 }, () => enter(0)));
    expect(entered.filter(Boolean)).toHaveLength(40);
  });

  it('counts each of many keys separately', async () => {
    const { enter, clock } = processes(1, 20);
    for (let key = 0; key < 5_000; key += 1) {
      clock.ms += 30;
      expect(await enter(0, String(key))).toBe(true);
    }
  });

  it('fails with the shared counter, and recovers with it', async () => {
    const memory = new RateLimiterMemory({ points: 5, duration: 60 });
    let away = true;
    const limiter = makeChunkedLimiter(
      { consume: (key, points) => (away ? Promise.reject(new Error('away')) : memory.consume(key, points)) },
      5,
    );
    await expect(limiter.consume('a')).rejects.toThrow('away');
    away = false;
    for (let call = 0; call < 5; call += 1) await limiter.consume('a');
    await expect(limiter.consume('a')).rejects.toBeInstanceOf(RateLimiterRes);
  });
});
