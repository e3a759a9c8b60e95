import { describe, expect, it } from 'vitest';
import { alertAge, dayText, durationText, listingAge, plural, shortDuration, timeAgo } from './time.ts';

const now = new Date(2026, 10, 21, 0, 30);
const daysBefore = (days: number) => new Date(2026, 10, 21 - days, 23, 0);

describe('alertAge', () => {
  it.each([
    [new Date(2026, 10, 21, 0, 5), 'Today'],
    [daysBefore(1), 'Yesterday'],
    [daysBefore(2), '2 days ago'],
    [daysBefore(6), '6 days ago'],
    [daysBefore(7), '1 week ago'],
    [daysBefore(14), '2 weeks ago'],
    [daysBefore(29), '4 weeks ago'],
    [daysBefore(30), '1 month ago'],
    [daysBefore(65), '2 months ago'],
  ])('counts calendar days: %s is %s', (createdAt, text) => {
    expect(alertAge(createdAt, now)).toBe(text);
  });

  it('shows a time in the future as today', () => {
    expect(alertAge(new Date(2026, 10, 22), now)).toBe('Today');
  });
});

describe('listingAge', () => {
  const minutesBefore = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
  it.each([
    [59, 'Just now'],
    [60, '1hr ago'],
    [119, '1hr ago'],
    [120, '2hrs ago'],
    [23 * 60 + 59, '23hrs ago'],
    [24 * 60, 'Today'],
  ])('%i minutes is %s', (minutes, text) => {
    expect(listingAge(minutesBefore(minutes), now)).toBe(text);
  });
});

describe('timeAgo', () => {
  it.each([
    [4_000, '4 s ago'],
    [60_000, '1 min ago'],
    [7_200_000, '2 h ago'],
    [86_400_000, '1 day ago'],
    [-5_000, '0 s ago'],
  ])('%i ms is %s', (ageMs, text) => {
    expect(timeAgo(new Date(now.getTime() - ageMs), now)).toBe(text);
  });
});

describe('plural', () => {
  it('is singular for 1', () => {
    expect([plural(0, 'car'), plural(1, 'car'), plural(1200, 'car'), plural(2, 'match', 'matches')]).toEqual([
      '0 cars',
      '1 car',
      '1,200 cars',
      '2 matches',
    ]);
  });
});

it('writes a day, with the year only where it is another', () => {
  expect([dayText(new Date(2026, 10, 3), now), dayText(new Date(2025, 10, 3), now)]).toEqual(['Nov 3', 'Nov 3, 2025']);
});

describe('durationText', () => {
  it.each([
    [0, 'under 0.1 seconds'],
    [50, '0.1 seconds'],
    [849, '0.8 seconds'],
    [1_020, '1 second'],
    [9_949, '9.9 seconds'],
    [9_950, '10 seconds'],
    [59_499, '59 seconds'],
    [59_500, '1 minute'],
    [3_569_000, '59 minutes'],
    [3_570_000, '1 hour'],
    [9_000_000, '2.5 hours'],
    [86_399_000, '24 hours'],
    [86_400_000, '1 day'],
    [345_600_000, '4 days'],
  ])('%i ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

it.each([
  [0.04, '0 s'],
  [2.14, '2.1 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [149.9, '2.5 min'],
  [3_596, '59.9 min'],
  [3_600, '1 h'],
])('shows %s seconds as %s', (seconds, text) => {
  expect(shortDuration(seconds)).toBe(text);
});
