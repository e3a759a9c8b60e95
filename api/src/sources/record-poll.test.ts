import { expect, it } from 'vitest';
import { backoffSeconds } from './record-poll.ts';

const every = (everySeconds: number, failures: number, retryAfterSeconds: number | null = null, random = 0) =>
  backoffSeconds({ everySeconds, failures, retryAfterSeconds }, random);

it.each([
  [60, 1, null, 60],
  [60, 2, null, 120],
  [60, 4, null, 480],
  [60, 5, null, 900],
  [60, 99, null, 900],
  [60, 1, 300, 300],
  [60, 4, 10, 480],
  [60, 1, 86_400, 1125],
  [3600, 1, null, 900],
  [3600, 2, null, 1800],
  [3600, 9, null, 3600],
  [43_200, 1, null, 900],
  [43_200, 6, null, 28_800],
  [43_200, 7, null, 43_200],
  [43_200, 1, 7200, 7200],
  [2, 1, null, 2],
  [2, 9, null, 10],
])('every %d s, %d faults, Retry-After %s: %d s', (everySeconds, failures, retryAfter, seconds) => {
  expect(every(everySeconds, failures, retryAfter)).toBe(seconds);
});

it('adds a random delay of up to a quarter, so that sources are not polled at the same time', () => {
  expect(every(60, 3, null, 0.5)).toBe(270);
  expect(every(60, 1, 100, 0.999)).toBeCloseTo(125, 0);
});

it('never waits longer than the interval of a source that is read less often than every 15 minutes', () => {
  expect(every(43_200, 1, null, 0.999)).toBeCloseTo(1125, 0);
  expect(every(43_200, 99, null, 0.999)).toBe(43_200);
});
