import { describe, expect, it, test } from 'vitest';
import { countLags, lagBucket, lagPercentileMs, type SourceActivity, sourceState } from './source-health.ts';

const upTo = (count: number, ms = 1) => Array.from({ length: count }, (_, n) => (n + 1) * ms);

describe('a percentile of lags', () => {
  test.each([
    ['none', [], 0.5, null],
    ['one', [1500], 0.5, 1500],
    ['one', [1500], 0.95, 1500],
    ['no lag', [0, 0, 0], 0.95, 0],
    ['a clock that is ahead', [-5, 0, 1], 0.5, 0],
    ['the lower of two', [100, 9000], 0.5, 100],
    ['the higher of two', [100, 9000], 0.95, 9000],
    ['1 to 100 s', upTo(100, 1000), 0.5, 50_000],
    ['1 to 100 s', upTo(100, 1000), 0.95, 95_000],
    ['one slow in twenty', [...upTo(19).map(() => 200), 60_000], 0.95, 200],
    ['two slow in twenty', [...upTo(18).map(() => 200), 60_000, 60_000], 0.95, 60_000],
    ['a year, above the maximum of int4', [365 * 86_400_000], 0.5, 2 ** 31 - 1],
  ])('%s: %j at %d is about %d', (_name, lagsMs, share, expected) => {
    const found = lagPercentileMs(countLags(lagsMs), share);
    if (expected === null || expected === 0) expect(found).toBe(expected);
    else expect(Math.abs((found ?? Number.NaN) / expected - 1)).toBeLessThan(0.045);
  });

  it('adds up histograms in any order', () => {
    const hours = [...countLags([8000, 8000, 8000]), ...countLags([500]), ...countLags([8000])];
    expect(lagPercentileMs(hours, 0.2)).toBe(lagPercentileMs(countLags([500]), 1));
    expect(lagPercentileMs(hours, 0.21)).toBe(lagPercentileMs(countLags([8000]), 1));
  });

  it('uses fewer than 250 buckets, which rise with the lag', () => {
    const buckets = [0, 1, 2, 10, 1000, 60_000, 86_400_000, 2 ** 31].map(lagBucket);
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toBeLessThan(250);
  });
});

describe('the state of a source', () => {
  const now = new Date('2026-06-01T12:00:00Z');
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const polled: SourceActivity = {
    kind: 'marketplace-items',
    everySeconds: 60,
    nextPollAt: now,
    createdAt: ago(1000),
    lastSuccessAt: ago(1),
    lastError: null,
  };
  test.each<[string, Partial<SourceActivity>]>([
    ['healthy', {}],
    ['healthy', { lastSuccessAt: ago(9.9) }],
    ['failing', { lastSuccessAt: ago(10.1) }],
    ['healthy', { lastSuccessAt: ago(59), everySeconds: 360 }],
    ['failing', { lastSuccessAt: ago(61), everySeconds: 360 }],
    ['healthy', { lastSuccessAt: ago(9), everySeconds: 5 }],
    ['degraded', { lastError: 'It answered 500.' }],
    ['failing', { lastError: 'It answered 500.', lastSuccessAt: ago(11) }],
    ['waiting', { lastSuccessAt: null, createdAt: ago(1) }],
    ['degraded', { lastSuccessAt: null, createdAt: ago(1), lastError: 'It answered 500.' }],
    ['failing', { lastSuccessAt: null }],
    ['stopped', { nextPollAt: null, lastSuccessAt: ago(500) }],
    ['healthy', { kind: 'push', nextPollAt: null, lastSuccessAt: ago(50_000) }],
    ['waiting', { kind: 'push', nextPollAt: null, lastSuccessAt: null }],
  ])('%s: %j', (state, signs) => {
    expect(sourceState({ ...polled, ...signs }, now)).toBe(state);
  });
});
