import { describe, expect, it } from 'vitest';
import type { QuietHours } from '../forms/delivery.ts';
import { type DeliverySettings, departureOf, hasHeld, heldMessage, startOfDay, type Waiting } from './departure.ts';

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const night: QuietHours = { from: '22:00', to: '07:00', days: everyDay };

const settings = (some: Partial<DeliverySettings> = {}): DeliverySettings => ({
  delivery: 'instant',
  digestHour: 8,
  quietHours: null,
  snoozedUntil: null,
  isPaused: false,
  maxPerDay: null,
  timeZone: 'America/New_York',
  ...some,
});

const waiting = (first: string, last: string | null = null, sentToday = 0): Waiting => ({
  firstWaitingAt: new Date(first),
  lastSentAt: last === null ? null : new Date(last),
  sentToday,
});

function departure(some: Partial<DeliverySettings>, what: Waiting, now: Date = what.firstWaitingAt) {
  const { at, heldBy } = departureOf(settings(some), what, now);
  return `${at?.toISOString().replace('.000Z', 'Z')} ${heldBy}`;
}

describe('instant delivery', () => {
  it('waits two seconds for other matches, and five minutes after the last message', () => {
    expect(departure({}, waiting('2026-06-10T12:00:00Z'))).toBe('2026-06-10T12:00:02Z interval');
    expect(departure({}, waiting('2026-06-10T12:00:00Z', '2026-06-10T11:58:00Z'))).toBe(
      '2026-06-10T12:03:00Z interval',
    );
  });

  it('waits for the hour of the digest once the day had as many messages as it may', () => {
    const limited = { maxPerDay: 3 };
    expect(departure(limited, waiting('2026-06-10T18:00:00Z', '2026-06-10T17:00:00Z', 2))).toMatch(/interval/);
    expect(departure(limited, waiting('2026-06-10T18:00:00Z', '2026-06-10T17:00:00Z', 3))).toBe(
      '2026-06-11T12:00:00Z daily_limit',
    );
  });
});

describe('a daily digest', () => {
  it.each([
    ['leaves today when the match comes before its hour', '2026-06-10T11:59:59Z', null, '2026-06-10T12:00:00Z'],
    ['leaves tomorrow when the match comes after it', '2026-06-10T12:00:01Z', null, '2026-06-11T12:00:00Z'],
    [
      'leaves once a day, whatever was found while it was being sent',
      '2026-06-10T11:59:59.900Z',
      '2026-06-10T12:00:01Z',
      '2026-06-11T12:00:00Z',
    ],
    ['keeps its hour when summer time begins', '2026-03-07T14:00:00Z', null, '2026-03-08T12:00:00Z'],
    ['keeps its hour when summer time ends', '2026-10-31T14:00:00Z', null, '2026-11-01T13:00:00Z'],
  ])('%s', (_what, first, last, expected) => {
    expect(departure({ delivery: 'daily' }, waiting(first, last))).toBe(`${expected} digest`);
  });

  it.each([
    ['is skipped by the clock and becomes the next one', 2, '2026-03-08T05:30:00Z', '2026-03-08T07:00:00Z'],
    ['occurs twice and counts the first time', 1, '2026-11-01T04:30:00Z', '2026-11-01T05:00:00Z'],
    ['has occurred once already', 1, '2026-11-01T05:30:00Z', '2026-11-02T06:00:00Z'],
  ])('at an hour that %s', (_what, digestHour, first, expected) => {
    expect(departure({ delivery: 'daily', digestHour }, waiting(first))).toBe(`${expected} digest`);
  });

  it('follows a time zone with a quarter of an hour', () => {
    const kathmandu = { delivery: 'daily', timeZone: 'Asia/Kathmandu' } as const;
    expect(departure(kathmandu, waiting('2026-06-10T02:14:00Z'))).toBe('2026-06-10T02:15:00Z digest');
  });
});

describe('what is worth no message of its own', () => {
  const minor = { ...waiting('2026-06-10T12:00:01Z'), isMinor: true };

  it('waits for the hour of the digest, although the alert notifies at once', () => {
    expect(departure({}, minor)).toBe('2026-06-11T12:00:00Z digest');
  });
  it('waits in quiet hours and snoozes too', () => {
    expect(departure({ digestHour: 6, quietHours: night }, minor)).toBe('2026-06-11T11:00:00Z quiet_hours');
    expect(departure({ snoozedUntil: new Date('2026-06-12T15:00:00Z') }, minor)).toBe('2026-06-13T12:00:00Z snoozed');
  });
});

describe('quiet hours', () => {
  it.each([
    ['begin', '2026-06-11T01:59:57Z', '2026-06-11T01:59:59Z interval'],
    ['have begun', '2026-06-11T01:59:58Z', '2026-06-11T11:00:00Z quiet_hours'],
    ['go on after midnight', '2026-06-11T06:00:00Z', '2026-06-11T11:00:00Z quiet_hours'],
    ['end', '2026-06-11T10:59:58Z', '2026-06-11T11:00:00Z interval'],
  ])('decide about a match when they %s', (_what, first, expected) => {
    expect(departure({ quietHours: night }, waiting(first))).toBe(expected);
  });

  it('hold what was due before they began and is late', () => {
    const late = new Date('2026-06-11T02:10:00Z');
    expect(departure({ quietHours: night }, waiting('2026-06-11T01:50:00Z'), late)).toBe(
      '2026-06-11T11:00:00Z quiet_hours',
    );
  });

  it('belong to the day on which they begin', () => {
    const friday = { quietHours: { ...night, days: [5] } };
    // 12 June 2026 is a Friday.
    expect(departure(friday, waiting('2026-06-12T06:00:00Z'))).toMatch(/interval/);
    expect(departure(friday, waiting('2026-06-13T06:00:00Z'))).toBe('2026-06-13T11:00:00Z quiet_hours');
  });

  it('last for whole days where both times are the same', () => {
    const weekend = { quietHours: { from: '00:00', to: '00:00', days: [0, 6] } };
    expect(departure(weekend, waiting('2026-06-13T12:00:00Z'))).toBe('2026-06-15T04:00:00Z quiet_hours');
  });

  it('hold a digest whose hour is quiet', () => {
    expect(departure({ delivery: 'daily', digestHour: 6, quietHours: night }, waiting('2026-06-10T12:00:00Z'))).toBe(
      '2026-06-11T11:00:00Z quiet_hours',
    );
  });
});

describe('a snoozed alert', () => {
  const snoozedUntil = new Date('2026-06-12T15:00:00Z');

  it('waits until the end of its snooze', () => {
    expect(departure({ snoozedUntil }, waiting('2026-06-10T12:00:00Z'))).toBe('2026-06-12T15:00:00Z snoozed');
    expect(departure({ snoozedUntil }, waiting('2026-06-12T15:00:00Z'))).toBe('2026-06-12T15:00:02Z interval');
  });

  it('sends its next digest after it', () => {
    expect(departure({ snoozedUntil, delivery: 'daily' }, waiting('2026-06-10T13:00:00Z'))).toBe(
      '2026-06-13T12:00:00Z snoozed',
    );
  });
});

describe('a message that is tried again', () => {
  const held = (some: Partial<DeliverySettings>, first: string, now: string) => {
    const departure = heldMessage(settings(some), waiting(first), new Date(now));
    return departure && `${departure.at?.toISOString().replace('.000Z', 'Z')} ${departure.heldBy}`;
  };
  const daily = { delivery: 'daily' } as const;

  it.each([
    [
      'its alert has become daily',
      daily,
      '2026-06-10T20:00:00Z',
      '2026-06-10T20:10:00Z',
      '2026-06-11T12:00:00Z digest',
    ],
    [
      'the digest has a later hour',
      { ...daily, digestHour: 18 },
      '2026-06-10T22:30:00Z',
      '2026-06-11T12:00:00Z',
      '2026-06-11T22:00:00Z digest',
    ],
    [
      'its hour is quiet',
      { ...daily, digestHour: 6, quietHours: night },
      '2026-06-10T20:00:00Z',
      '2026-06-11T10:10:00Z',
      '2026-06-11T11:00:00Z quiet_hours',
    ],
    [
      'messages are paused',
      { ...daily, isPaused: true },
      '2026-06-10T11:00:00Z',
      '2026-06-10T12:10:00Z',
      'undefined paused',
    ],
  ])('waits when %s', (_what, some, first, now, expected) => {
    expect(held(some, first, now)).toBe(expected);
  });

  it('is not held by the digest that it is, nor by the interval', () => {
    expect(held(daily, '2026-06-10T11:00:00Z', '2026-06-10T12:00:05Z')).toBeNull();
    expect(held({}, '2026-06-10T12:00:00Z', '2026-06-10T12:00:01Z')).toBeNull();
    expect(held({ ...daily, quietHours: night }, '2026-06-10T20:00:00Z', '2026-06-11T13:00:00Z')).toBeNull();
  });
});

it.each([
  ['the night has passed', { quietHours: night }, '2026-06-11T01:59:00Z', '2026-06-11T11:10:00Z', true],
  ['the night has begun', { quietHours: night }, '2026-06-11T01:59:00Z', '2026-06-11T02:10:00Z', true],
  ['it is the day after', { quietHours: night }, '2026-06-11T11:00:00Z', '2026-06-12T01:59:00Z', false],
  [
    'it was another night',
    { quietHours: { ...night, days: [5] } },
    '2026-06-11T01:59:00Z',
    '2026-06-11T11:10:00Z',
    false,
  ],
  [
    'that night has come',
    { quietHours: { ...night, days: [5] } },
    '2026-06-11T01:59:00Z',
    '2026-06-13T11:10:00Z',
    true,
  ],
  ['a week has passed', { quietHours: { ...night, days: [3] } }, '2026-06-11T11:00:00Z', '2026-06-18T02:10:00Z', true],
  [
    'a snooze has ended',
    { snoozedUntil: new Date('2026-06-11T12:00:00Z') },
    '2026-06-11T01:59:00Z',
    '2026-06-11T12:00:00Z',
    true,
  ],
  [
    'a snooze had ended before',
    { snoozedUntil: new Date('2026-06-11T01:00:00Z') },
    '2026-06-11T01:59:00Z',
    '2026-06-11T12:00:00Z',
    false,
  ],
  ['there are no rules', {}, '2026-06-11T01:59:00Z', '2026-06-20T12:00:00Z', false],
] as const)('knows whether a rule has held messages meanwhile: %s', (_what, some, since, now, expected) => {
  const rules = {
    ...some,
    ...('quietHours' in some && { quietHours: { ...some.quietHours, days: [...some.quietHours.days] } }),
  };
  expect(hasHeld(settings(rules), new Date(since), new Date(now))).toBe(expected);
});

it('nothing leaves while messages are paused', () => {
  expect(departure({ isPaused: true }, waiting('2026-06-10T12:00:00Z'))).toBe('undefined paused');
});

it('a day begins at midnight of the time zone', () => {
  expect(startOfDay(new Date('2026-06-11T03:00:00Z'), 'America/New_York').toISOString()).toBe(
    '2026-06-10T04:00:00.000Z',
  );
});
