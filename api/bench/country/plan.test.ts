import { expect, test } from 'vitest';
import { LISTINGS_A_PAGE, planArrivals, planBursts, STEADY_PER_SECOND } from './plan.ts';

test('a run of half an hour has a burst of 20 s every five minutes, at ten times the rate', () => {
  const totalMs = 30 * 60_000;
  expect(planBursts(totalMs)).toHaveLength(6);
  const arrivals = planArrivals(totalMs);
  const inBurst = arrivals.filter(({ burst }) => burst === 1);
  expect((inBurst.length * LISTINGS_A_PAGE) / 20).toBeCloseTo(10 * STEADY_PER_SECOND, -1);
  expect(inBurst.every(({ atMs }) => atMs >= 360_000 && atMs < 380_000)).toBe(true);
  const steady = arrivals.filter(({ burst }) => burst === null);
  expect((steady.length * LISTINGS_A_PAGE) / (totalMs / 1_000 - 120)).toBeCloseTo(STEADY_PER_SECOND, 0);
});

test('a run of a minute has one burst, which is shorter', () => {
  expect(planBursts(60_000)).toEqual([{ fromMs: 20_000, toMs: 30_000 }]);
});
