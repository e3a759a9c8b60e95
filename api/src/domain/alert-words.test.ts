import { describe, expect, it } from 'vitest';
import { alertName, reasonWords } from './alert-words.ts';
import { localDate, localMoment } from './local-date.ts';

describe('reasonWords', () => {
  it.each([
    [{ yearMin: 2015, yearMax: 2020 }, 'Toyota Camry, 2015–2020, within 50 mi'],
    [{ yearMin: 2018, yearMax: 2018 }, 'Toyota Camry, 2018, within 50 mi'],
    [{ yearMin: 2015 }, 'Toyota Camry, 2015 or newer, within 50 mi'],
    [{ yearMax: 2020, yearMin: null }, 'Toyota Camry, 2020 or older, within 50 mi'],
    [{ model: null }, 'Toyota, within 50 mi'],
  ])('%j: %s', (asked, words) => {
    expect(reasonWords({ make: 'toyota', model: 'camry', radius: 50, ...asked })).toBe(words);
  });
  it('names a make with its own spelling', () => expect(alertName({ make: 'bmw' })).toBe('BMW'));
});

describe('localDate', () => {
  const moment = new Date('2027-01-02T03:00:00Z');
  it.each([
    ['America/Los_Angeles', 'Jan 1, 2027'],
    ['Europe/Berlin', 'Jan 2, 2027'],
    ['no/where', 'Jan 1, 2027'],
  ])('in %s is %s', (zone, shown) => expect(localDate(moment, zone)).toBe(shown));
});

it('says a moment with the time and the zone', () => {
  const moment = new Date('2027-01-02T20:04:00Z');
  expect(localMoment(moment, 'America/New_York')).toBe('Jan 2, 2027, 3:04 PM EST');
  expect(localMoment(moment, 'no/where')).toBe('Jan 2, 2027, 3:04 PM EST');
});
