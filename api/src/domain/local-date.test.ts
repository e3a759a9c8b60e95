import { expect, it } from 'vitest';
import { localDate, localMoment } from './local-date.ts';

const moment = new Date('2027-01-02T04:05:00Z');

it.each([
  ['America/New_York', 'Jan 1, 2027', 'Jan 1, 2027, 11:05 PM EST'],
  ['UTC', 'Jan 2, 2027', 'Jan 2, 2027, 4:05 AM UTC'],
  ['no such zone', 'Jan 1, 2027', 'Jan 1, 2027, 11:05 PM EST'],
])('is what a clock shows in %s', (zone, day, time) => {
  expect([localDate(moment, zone), localMoment(moment, zone)]).toEqual([day, time]);
});
