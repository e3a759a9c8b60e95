import { expect, test } from 'vitest';
import { readArguments } from './options.ts';
import { perSecond, slowest } from './reading.ts';

test('reads the name and options of a benchmark', () => {
  expect(readArguments(['match', '--alerts', '1000', '--seed', '7'])).toEqual({
    name: 'match',
    options: { alerts: 1000, listings: undefined, subscribers: undefined, seconds: undefined, seed: 7 },
  });
  expect(readArguments(['titles']).options.seed).toBe(1);
});

test.each([
  [['match', '--alerts', 'many'], '--alerts is a whole number from 1, not many'],
  [['match', '--alerts', '0'], '--alerts is a whole number from 1, not 0'],
  [['match', '--seconds', '1.5'], '--seconds is a whole number from 1, not 1.5'],
  [['match', 'single'], 'one benchmark at a time, not match, single'],
  [['match', '--cars', '5'], "Unknown option '--cars'"],
])('%j is refused', (args, fault) => {
  expect(() => readArguments(args)).toThrow(fault);
});

test('measures the rate of answers, and names the slowest input', () => {
  const wait = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  expect(perSecond([1, 1, 1], wait)).toBeLessThanOrEqual(1000);
  const { input, ms } = slowest([0, 4, 1], wait);
  expect(input).toBe(4);
  expect(ms).toBeGreaterThanOrEqual(4);
});
