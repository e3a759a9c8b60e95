import fc from 'fast-check';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { describe, expect, it } from 'vitest';
import { inChunks } from './in-chunks.ts';

/** A count that several processes share, by the clock of a test. */
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
  const each = Array.from({ length: number }, () => inChunks(shared, limit, () => clock.ms));
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

describe('a count in chunks', () => {
  it.each([1, 2, 3, 19, 20, 60, 600])('lets exactly %i in where one process counts', async (limit) => {
    const { enter } = processes(1, limit);
    const entered = await Promise.all(Array.from({ length: limit + 5 }, () => enter(0)));
    expect(entered.filter(Boolean)).toHaveLength(limit);
    expect(entered.lastIndexOf(true)).toBe(limit - 1);
  });

  it('lets no more in than the limit over all processes, and loses at most a twentieth for each but one', async () => {
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

  it('is the same when they all come at once', async () => {
    const { enter } = processes(3, 600);
    const entered = await Promise.all(Array.from({ length: 2000 }, (_, index) => enter(index % 3)));
    expect(entered.filter(Boolean).length).toBeGreaterThanOrEqual(600 - 2 * 30);
    expect(entered.filter(Boolean).length).toBeLessThanOrEqual(600);
  });

  it('asks the shared count seldom, and not at all for whoever is refused', async () => {
    const { enter, shared } = processes(1, 600);
    for (let call = 0; call < 300; call += 1) await enter(0);
    expect(shared.seen.asked).toBe(10);
    for (let call = 0; call < 300; call += 1) await enter(0);
    const { asked } = shared.seen;
    expect(asked).toBeLessThan(60);
    for (let call = 0; call < 300; call += 1) expect(await enter(0)).toBe(false);
    expect(shared.seen.asked).toBe(asked);
  });

  it('begins anew with the next window, and gives nothing of the last one away in it', async () => {
    const { clock, enter } = processes(2, 40);
    for (let call = 0; call < 60; call += 1) await enter(0);
    expect(await enter(0)).toBe(false);
    clock.ms = 59_999;
    expect(await enter(0)).toBe(false);
    clock.ms = 60_000;
    const entered = await Promise.all(Array.from({ length: 50 }, () => enter(0)));
    expect(entered.filter(Boolean)).toHaveLength(40);
  });

  it('counts each key by itself, however many there are', async () => {
    const { enter, clock } = processes(1, 20);
    for (let key = 0; key < 5_000; key += 1) {
      clock.ms += 30;
      expect(await enter(0, String(key))).toBe(true);
    }
  });

  it('fails as the shared count fails, and counts again once that is back', async () => {
    const memory = new RateLimiterMemory({ points: 5, duration: 60 });
    let away = true;
    const limiter = inChunks(
      { consume: (key, points) => (away ? Promise.reject(new Error('away')) : memory.consume(key, points)) },
      5,
    );
    await expect(limiter.consume('a')).rejects.toThrow('away');
    away = false;
    for (let call = 0; call < 5; call += 1) await limiter.consume('a');
    await expect(limiter.consume('a')).rejects.toBeInstanceOf(RateLimiterRes);
  });
});
