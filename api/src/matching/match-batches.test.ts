import { expect, test } from 'vitest';
import { nextLimit } from './match-listings.ts';

test.each([
  ['a full and short batch is followed by one of twice the size', 64, 64, 12, 128],
  ['one of which some listings were of the same car counts as full', 128, 90, 20, 256],
  ['no batch is larger than 256', 256, 256, 40, 256],
  ['a long batch is followed by a smaller one', 256, 256, 120, 128],
  ['no limit is smaller than 64', 64, 64, 300, 64],
  ['when few wait, the next batch begins small', 256, 30, 5, 64],
])('%s', (_what, limit, handled, ms, next) => {
  expect(nextLimit(limit, handled, ms)).toBe(next);
});
