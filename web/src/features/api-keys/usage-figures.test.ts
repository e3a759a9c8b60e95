import { describe, expect, it } from 'vitest';
import { daysOf, namedDays, scaleOf, totalOf, type UsageHour } from './usage-figures.ts';

const hour = (at: number, ok: number, refused = 0): UsageHour => ({
  hour: new Date(Date.UTC(2026, 2, 2, at)).toISOString(),
  ok,
  refused,
});

describe('usage', () => {
  it.each([
    [0, 4],
    [4, 4],
    [5, 6],
    [9, 10],
    [11, 20],
    [21, 30],
    [31, 40],
    [520, 600],
    [3000, 3000],
    [3001, 4000],
    [5000, 6000],
  ])('of %i requests in the busiest hour is drawn up to %i', (most, top) => {
    expect(scaleOf([hour(0, 0), hour(1, most)])).toBe(top);
    expect(scaleOf([hour(0, most - Math.floor(most / 2), Math.floor(most / 2))])).toBe(top);
  });

  it('is summed by the viewer’s days, each hour in one', () => {
    const hours = Array.from({ length: 168 }, (_, at) => hour(at, 2, 1));
    const days = daysOf(hours);
    expect(days.length).toBeGreaterThanOrEqual(7);
    expect(days.length).toBeLessThanOrEqual(8);
    expect(days[0]?.start).toBe(0);
    expect(days.reduce((sum, { ok }) => sum + ok, 0)).toBe(336);
    expect(totalOf(hours)).toEqual({ ok: 336, refused: 168 });
  });

  it('omits the name of a day that begins too near the right end, at any hour', () => {
    for (let now = 0; now < 24; now += 1) {
      const hours = Array.from({ length: 168 }, (_, at) => hour(now + at, 1));
      const starts = namedDays(daysOf(hours), hours.length).map(({ start }) => start);
      expect(starts.length).toBeGreaterThanOrEqual(6);
      expect(Math.min(...starts)).toBeGreaterThan(0);
      expect(Math.max(...starts)).toBeLessThanOrEqual(156);
    }
  });
});
