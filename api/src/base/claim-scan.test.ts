import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClaimScan } from './claim-scan.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** So many claims from the beginning of the index, each of which took that long. */
function scanned(times: readonly number[], place: number | null = 7) {
  const scan = new ClaimScan<number>();
  for (const ms of times) scan.done(null, ms, place);
  return scan;
}
const tenTimes = (ms: number): number[] => Array(10).fill(ms);

it('reads the whole index each time while that is quick, or was slow by chance', () => {
  const scan = new ClaimScan<number>();
  for (const ms of [...Array(9).fill(900), 4, 2, ...Array(9).fill(300), 1]) {
    expect(scan.next()).toBeNull();
    scan.done(null, ms, 7);
  }
  expect(scan.restMs).toBeNull();
});

it('reads the whole index each time while that takes as long as usual, up to some milliseconds', () => {
  expect(scanned([...tenTimes(2.5), ...tenTimes(3.7)]).next()).toBeNull();
  expect(scanned([...tenTimes(0.2), ...tenTimes(0.75)]).next()).toBeNull();
});

it('begins where the last claim found something once the whole index takes twice as long as usual', () => {
  expect(scanned([...tenTimes(2.5), ...Array(9).fill(5)]).next()).toBeNull();
  const scan = scanned([...tenTimes(2.5), ...tenTimes(5)]);
  expect(scan.next()).toBe(7);
  expect(scan.restMs).toBe(1_000);
  expect(scanned([...tenTimes(0.3), ...tenTimes(1.1)]).next()).toBe(7);
});

it('begins where the last claim found something while the whole index is slow, and reads all of it from time to time', () => {
  const scan = scanned(tenTimes(80), 10);
  expect(scan.next()).toBe(10);
  expect(scan.restMs).toBe(1_600);
  scan.done(10, 1, 12);
  scan.done(12, 1, null);
  expect(scan.next()).toBe(12);
  vi.advanceTimersByTime(1_601);
  expect(scan.next()).toBeNull();
  scan.done(null, 1, 12);
  expect(scan.next()).toBeNull();
});

it('reads the whole index at least every two seconds, and knows no place before the first one', () => {
  const scan = scanned(tenTimes(5_000), null);
  expect(scan.next()).toBeNull();
  expect(scan.restMs).toBe(2_000);
});

it('begins where the last claim found something as soon as the server has cancelled one of the whole index', () => {
  const canceled = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  const scan = scanned([1]);
  expect(() => scan.failed(7, 119_000, canceled)).toThrow(canceled);
  expect(() => scan.failed(null, 119_000, new Error('lost'))).toThrow('lost');
  expect(scan.next()).toBeNull();
  expect(() => scan.failed(null, 119_000, canceled)).toThrow(canceled);
  expect(scan.next()).toBe(7);
  expect(scan.restMs).toBe(2_000);
  vi.advanceTimersByTime(2_001);
  expect(scan.next()).toBeNull();
  expect(() => scan.failed(null, 119_000, canceled)).toThrow(canceled);
  expect(scan.restMs).toBe(120_000);
  vi.advanceTimersByTime(120_001);
  scan.done(null, 1, 7);
  expect(() => scan.failed(null, 119_000, canceled)).toThrow(canceled);
  expect(scan.restMs).toBe(2_000);
});
