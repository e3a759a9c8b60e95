import { beforeEach, describe, expect, it } from 'vitest';
import { makeVendorThrottle, type Throttle } from './vendor-throttle.ts';

let now: number;
let throttle: Throttle;
beforeEach(() => {
  now = 1_000_000;
  throttle = makeVendorThrottle(
    () => now,
    () => 0.5,
  );
});
const failures = (count: number) => {
  for (let n = 0; n < count; n += 1) throttle.failed(now, null);
};

describe('makeVendorThrottle', () => {
  it('does not delay messages while the vendor accepts them', () => {
    failures(2);
    throttle.accepted();
    failures(3);
    expect(throttle.pausedMs()).toBe(0);
    expect(throttle.room(31)).toBe(Number.POSITIVE_INFINITY);
  });

  it('delivers nothing for the requested delay, and then one message before all others', () => {
    throttle.failed(now, 17_000);
    expect(throttle.pausedMs()).toBe(17_000);
    expect(throttle.room(0)).toBe(0);
    now += 17_000;
    expect([throttle.room(0), throttle.room(1)]).toEqual([1, 0]);
    throttle.accepted();
    expect(throttle.room(1)).toBe(Number.POSITIVE_INFINITY);
  });

  it('does not shorten a requested delay after another failure or an accepted mail', () => {
    throttle.failed(now, 60_000);
    failures(5);
    throttle.accepted();
    expect(throttle.pausedMs()).toBe(60_000);
  });

  it('pauses after several failures in a row, and longer each time that the single message fails', () => {
    failures(4);
    const pauses = [throttle.pausedMs()];
    for (let n = 0; n < 8; n += 1) {
      now += throttle.pausedMs();
      throttle.failed(now, null);
      pauses.push(throttle.pausedMs());
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('counts failures of concurrent calls as one', () => {
    const startedAt = now;
    now += 500;
    for (let n = 0; n < 32; n += 1) throttle.failed(startedAt, null);
    expect(throttle.pausedMs()).toBe(1_000);
  });
});
