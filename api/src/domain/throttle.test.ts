import { describe, expect, it } from 'vitest';
import { earliestSendAt, mailRetryDelayMs } from './throttle.ts';

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
