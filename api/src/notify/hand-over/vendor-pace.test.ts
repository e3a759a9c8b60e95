import { beforeEach, describe, expect, it } from 'vitest';
import { makeVendorPace, type VendorPace } from './vendor-pace.ts';

let now: number;
let pace: VendorPace;
beforeEach(() => {
  now = 1_000_000;
  pace = makeVendorPace(
    () => now,
    () => 0.5,
  );
});
const failures = (count: number) => {
  for (let n = 0; n < count; n += 1) pace.failed(now, null);
};

describe('makeVendorPace', () => {
  it('holds nothing back while mails are taken', () => {
    failures(2);
    pace.taken();
    failures(3);
    expect(pace.heldMs()).toBe(0);
    expect(pace.room(31)).toBe(Number.POSITIVE_INFINITY);
  });

  it('keeps all to what the vendor asked for, and then lets one go ahead', () => {
    pace.failed(now, 17_000);
    expect(pace.heldMs()).toBe(17_000);
    expect(pace.room(0)).toBe(0);
    now += 17_000;
    expect([pace.room(0), pace.room(1)]).toEqual([1, 0]);
    pace.taken();
    expect(pace.room(1)).toBe(Number.POSITIVE_INFINITY);
  });

  it('does not shorten what was asked for by a failure, nor by a mail that was taken meanwhile', () => {
    pace.failed(now, 60_000);
    failures(5);
    pace.taken();
    expect(pace.heldMs()).toBe(60_000);
  });

  it('pauses after several failures in a row, and longer each time that the one ahead fails', () => {
    failures(4);
    const pauses = [pace.heldMs()];
    for (let n = 0; n < 8; n += 1) {
      now += pace.heldMs();
      pace.failed(now, null);
      pauses.push(pace.heldMs());
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('takes failures of one moment for one', () => {
    const startedAt = now;
    now += 500;
    for (let n = 0; n < 32; n += 1) pace.failed(startedAt, null);
    expect(pace.heldMs()).toBe(1_000);
  });
});
