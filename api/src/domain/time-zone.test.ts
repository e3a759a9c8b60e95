import { expect, it } from 'vitest';
import { localDate, localDateTime } from './time-zone.ts';

it.each([
  ['America/Los_Angeles', 'Jan 1, 2027'],
  ['Europe/Berlin', 'Jan 2, 2027'],
  ['no/where', 'Jan 1, 2027'],
])('gives the date in %s as %s', (zone, shown) => {
  expect(localDate(new Date('2027-01-02T03:00:00Z'), zone)).toBe(shown);
});

it('gives the time with the zone', () => {
  const time = new Date('2027-01-02T20:04:00Z');
  expect(localDateTime(time, 'America/New_York')).toBe('Jan 2, 2027, 3:04 PM EST');
  expect(localDateTime(time, 'no/where')).toBe('Jan 2, 2027, 3:04 PM EST');
});
