import { expect, it } from 'vitest';
import { mannWhitneyP } from './timing.ts';

const upTo = (n: number, more = 0) => Array.from({ length: n }, (_, value) => value + more);

// By scipy.stats.mannwhitneyu with method='asymptotic' of SciPy 1.
it.each([
  ['none in common', [1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 0.012185780355344813],
  ['few', [19, 22, 16, 29, 24], [20, 11, 17, 12], 0.11134688653314041],
  ['with ties', [1, 1, 2, 2, 3, 3], [2, 2, 3, 3, 4, 4, 4], 0.06425763970681275],
  ['in turns', [1, 3, 5], [2, 4, 6], 0.6625205835400574],
  ['all the same', [2, 2], [2, 2], 1],
  ['a thousand, a little apart', upTo(1000), upTo(1000, 40), 0.002400396953971824],
  ['a thousand, far apart', upTo(1000), upTo(1000, 250), 2.2799401822575298e-64],
])('finds the p of samples: %s', (_name, one, other, p) => {
  expect(mannWhitneyP(one, other) / p).toBeCloseTo(1, 5);
  expect(mannWhitneyP(other, one)).toBeCloseTo(mannWhitneyP(one, other), 10);
});
