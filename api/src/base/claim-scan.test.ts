import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClaimScan } from './claim-scan.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('reads the whole index each time while that is quick, or was slow by chance', () => {
  const scan = new ClaimScan<number>();
  for (const ms of [...Array(9).fill(900), 14, 2, ...Array(9).fill(300), 1]) {
    expect(scan.next()).toBeNull();
    scan.done(null, ms, 7);
  }
  expect(scan.restMs).toBeNull();
});

it('begins where the last claim found something while the whole index is slow, and reads all of it from time to time', () => {
  const scan = new ClaimScan<number>();
  for (let at = 0; at < 10; at += 1) scan.done(null, 40, 10);
  expect(scan.next()).toBe(10);
  expect(scan.restMs).toBe(800);
  scan.done(10, 1, 12);
  scan.done(12, 1, null);
  expect(scan.next()).toBe(12);
  vi.advanceTimersByTime(801);
  expect(scan.next()).toBeNull();
  scan.done(null, 1, 12);
  expect(scan.next()).toBeNull();
});

it('reads the whole index at least every two seconds, and knows no place before the first one', () => {
  const scan = new ClaimScan<number>();
  for (let at = 0; at < 10; at += 1) scan.done(null, 5_000, null);
  expect(scan.next()).toBeNull();
  expect(scan.restMs).toBe(2_000);
});
