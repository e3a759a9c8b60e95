import { describe, expect, it } from 'vitest';
import { earliestSendAt, isGivenUp, mailRetryDelayMs } from './throttle.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

describe('earliestSendAt', () => {
  it.each([
    ['the first match of all after two seconds', 0, null, 2],
    ['the first match after an hour without one after two seconds', 3600, 0, 3602],
    ['a match right after a mail five minutes after that mail', 1, 0, 300],
    ['a match at the end of these five minutes after two seconds', 299, 0, 301],
    ['a match five minutes after a mail after two seconds', 300, 0, 302],
  ])('sends %s', (_name, first, mailed, expected) => {
    expect(earliestSendAt(at(first), mailed === null ? null : at(mailed))).toEqual(at(expected));
  });
});

describe('mailRetryDelayMs', () => {
  it.each([
    [1, null, 0.5, 5_000],
    [2, null, 0.5, 10_000],
    [4, null, 0.5, 40_000],
    [30, null, 0.5, 1_800_000],
    [1, null, 0, 3_750],
    [1, null, 1, 6_250],
    [1, 60_000, 0.5, 60_000],
    [5, 1_000, 0.5, 80_000],
  ])('after %i attempts, with a Retry-After of %s ms and random %f: %i ms', (attempts, asked, random, expected) => {
    expect(mailRetryDelayMs(attempts, asked, random)).toBe(expected);
  });
});

describe('isGivenUp', () => {
  const HOUR = 3_600_000;
  it.each([
    [23 * HOUR, 50, false],
    [25 * HOUR, 50, true],
    [25 * HOUR, 12, true],
    // It was held for days, and has just been tried for the first times.
    [300 * HOUR, 1, false],
    [300 * HOUR, 11, false],
  ])('after %i ms and %i attempts: %s', (ageMs, attempts, expected) => {
    expect(isGivenUp({ ageMs, tries: attempts })).toBe(expected);
  });

  it('tries a message for more than an hour that a rule has held for days', () => {
    let passed = 0;
    for (let attempts = 1; !isGivenUp({ ageMs: 300 * HOUR, tries: attempts }); attempts++)
      passed += mailRetryDelayMs(attempts, null, 0);
    expect(passed).toBeGreaterThan(HOUR);
  });
});
