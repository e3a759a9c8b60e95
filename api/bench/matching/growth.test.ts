import { expect, it } from 'vitest';
import { fitGrowth } from './growth.ts';

const batchOf = (matches: number, ms: number) => ({ listings: 10, matches: matches * 10, ms: ms * 10 });

it('finds the line through batches that lie on one', () => {
  const batches = [0, 5, 172, 2_516].map((matches) => batchOf(matches, 0.1 + matches * 0.0007));
  expect(fitGrowth(batches)).toEqual({ fixedMicros: 100, microsPerMatch: 0.7, rSquared: 1 });
});

it('reports that a square is not linear', () => {
  const batches = [1, 10, 100, 1_000].map((matches) => batchOf(matches, matches ** 2));
  expect(fitGrowth([...batches, batchOf(500, 250_000)]).rSquared).toBeLessThan(0.95);
});
