import { describe, expect, it } from 'vitest';
import { mayLeaveAt, retryDelayMs } from './throttle.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

describe('mayLeaveAt', () => {
  it.each([
    ['the first ever, after two seconds', 0, null, 2],
    ['the first after a quiet hour, after two seconds', 3600, 0, 3602],
    ['one that came right after a mail, five minutes after that mail', 1, 0, 300],
    ['one that came at the end of the quiet minutes, two seconds later', 299, 0, 301],
    ['one that came as they ended, two seconds later', 300, 0, 302],
  ])('lets %s', (_name, first, mailed, expected) => {
    expect(mayLeaveAt(at(first), mailed === null ? null : at(mailed))).toEqual(at(expected));
  });
});

describe('retryDelayMs', () => {
  it.each([
    [1, null, 0.5, 5_000],
    [2, null, 0.5, 10_000],
    [4, null, 0.5, 40_000],
    [30, null, 0.5, 1_800_000],
    [1, null, 0, 3_750],
    [1, null, 1, 6_250],
    [1, 60_000, 0.5, 60_000],
    [5, 1_000, 0.5, 80_000],
  ])('after %i tries, asked for %s, random %f: %i ms', (attempts, asked, random, expected) => {
    expect(retryDelayMs(attempts, asked, random)).toBe(expected);
  });
});
