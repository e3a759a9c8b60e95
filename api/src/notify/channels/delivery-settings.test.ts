import { describe, expect, it } from 'vitest';
import { kindOf, leavesAt } from '../../../test/delivery/plain-model.ts';
import { type DeliverySettings, departureOf, type HeldBy } from '../../domain/delivery/departure.ts';
import { type MatchChannelName, matchChannels } from '../../entities/delivery-channels.ts';
import { messageKind, settingsOf } from './delivery-settings.ts';

const zones: Record<string, string> = {
  NewYork: 'America/New_York',
  Kathmandu: 'Asia/Kathmandu',
  London: 'Europe/London',
  LordHowe: 'Australia/Lord_Howe',
  Apia: 'Pacific/Apia',
};

/*
 * Columns: zone | delivery and hour of the digest | quiet hours, and days where not each | snoozed until | paused |
 * messages that left today / limit | channel | cars | first match | last message | now, where not the first match | it leaves,
 * and the rule that decided it | as which kind of message. All times are UTC. 10 June 2026 is a Wednesday.
 */
const rows = `
# At once
NewYork | instant 8 | - | - | - | - | email | 1 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | match
NewYork | instant 8 | - | - | - | - | email | 1 | 2026-06-10T12:00 | 2026-06-10T11:58 | - | 2026-06-10T12:03 interval | match
NewYork | instant 8 | - | - | - | - | email | 1 | 2026-06-10T12:00 | 2026-06-10T11:00 | - | 2026-06-10T12:00:02 interval | match
NewYork | instant 8 | - | - | - | - | sms | 1 | 2026-06-10T12:00 | 2026-06-10T11:58 | - | 2026-06-10T12:03 interval | match
NewYork | instant 8 | - | - | - | - | email | 1 | 2026-06-10T12:00 | - | 2026-06-10T12:10 | 2026-06-10T12:10 interval | match
NewYork | instant 8 | - | - | - | - | push | 1 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | match
NewYork | instant 8 | - | - | - | - | push | 1 | 2026-06-10T12:00 | 2026-06-10T11:58 | - | 2026-06-10T12:03 interval | match
# Many cars at once
NewYork | instant 8 | - | - | - | - | email | 20 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | match
NewYork | instant 8 | - | - | - | - | email | 21 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | digest
NewYork | instant 8 | - | - | - | - | email | 21 | 2026-06-10T12:00 | 2026-06-10T11:58 | - | 2026-06-10T12:03 interval | digest
NewYork | instant 8 | - | - | - | - | sms | 20 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | match
NewYork | instant 8 | - | - | - | - | sms | 21 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | digest
NewYork | instant 8 | - | - | - | - | push | 20 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | match
NewYork | instant 8 | - | - | - | - | push | 21 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | digest
NewYork | daily 8 | - | - | - | - | email | 21 | 2026-06-10T11:59 | - | - | 2026-06-10T12:00 digest | digest
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 20 | 2026-06-11T03:00 | - | - | 2026-06-11T11:00 quiet_hours | summary
NewYork | instant 8 | 22:00-07:00 | - | - | - | push | 21 | 2026-06-11T03:00 | - | - | 2026-06-11T11:00 quiet_hours | summary
NewYork | instant 8 | - | 2026-06-12T15:00 | - | - | sms | 21 | 2026-06-10T12:00 | - | - | 2026-06-12T15:00 snoozed | summary
NewYork | instant 8 | - | - | - | 2/3 | email | 21 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-10T18:00:02 interval | digest
NewYork | instant 8 | - | - | - | 3/3 | email | 21 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T12:00 daily_limit | summary
# Daily
NewYork | daily 8 | - | - | - | - | email | 1 | 2026-06-10T11:59 | - | - | 2026-06-10T12:00 digest | digest
NewYork | daily 8 | - | - | - | - | email | 1 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00 digest | digest
NewYork | daily 8 | - | - | - | - | sms | 1 | 2026-06-10T12:00:01 | - | - | 2026-06-11T12:00 digest | digest
NewYork | daily 8 | - | - | - | - | email | 1 | 2026-06-10T11:59 | 2026-06-10T12:00 | - | 2026-06-11T12:00 digest | digest
NewYork | daily 8 | - | - | - | - | email | 1 | 2026-06-10T10:00 | - | 2026-06-10T15:00 | 2026-06-10T15:00 digest | digest
NewYork | daily 0 | - | - | - | - | email | 1 | 2026-06-10T12:00 | - | - | 2026-06-11T04:00 digest | digest
NewYork | daily 23 | - | - | - | - | email | 1 | 2026-06-10T12:00 | - | - | 2026-06-11T03:00 digest | digest
NewYork | daily 8 | - | - | - | - | push | 1 | 2026-06-10T12:00:01 | - | - | 2026-06-11T12:00 digest | digest
# Quiet hours
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 1 | 2026-06-11T01:59:57 | - | - | 2026-06-11T01:59:59 interval | match
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 1 | 2026-06-11T01:59:58 | - | - | 2026-06-11T11:00 quiet_hours | summary
NewYork | instant 8 | 22:00-07:00 | - | - | - | sms | 1 | 2026-06-11T06:00 | - | - | 2026-06-11T11:00 quiet_hours | summary
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 1 | 2026-06-11T10:59:58 | - | - | 2026-06-11T11:00 interval | match
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 1 | 2026-06-11T01:50 | - | 2026-06-11T02:10 | 2026-06-11T11:00 quiet_hours | summary
NewYork | instant 8 | 22:00-07:00 5 | - | - | - | email | 1 | 2026-06-12T06:00 | - | - | 2026-06-12T06:00:02 interval | match
NewYork | instant 8 | 22:00-07:00 5 | - | - | - | email | 1 | 2026-06-13T06:00 | - | - | 2026-06-13T11:00 quiet_hours | summary
NewYork | instant 8 | 00:00-00:00 06 | - | - | - | email | 1 | 2026-06-13T12:00 | - | - | 2026-06-15T04:00 quiet_hours | summary
NewYork | instant 8 | 12:00-13:00 | - | - | - | sms | 1 | 2026-06-10T16:02 | 2026-06-10T16:00 | - | 2026-06-10T17:00 quiet_hours | summary
NewYork | instant 8 | 12:00-12:00 3 | - | - | - | email | 1 | 2026-06-10T15:59 | - | - | 2026-06-10T15:59:02 interval | match
NewYork | instant 8 | 12:00-12:00 3 | - | - | - | email | 1 | 2026-06-10T16:00 | - | - | 2026-06-11T16:00 quiet_hours | summary
NewYork | daily 6 | 22:00-07:00 | - | - | - | email | 1 | 2026-06-10T12:00 | - | - | 2026-06-11T11:00 quiet_hours | summary
NewYork | daily 8 | 22:00-07:00 | - | - | - | email | 1 | 2026-06-11T06:00 | - | - | 2026-06-11T12:00 digest | digest
NewYork | daily 22 | 22:00-07:00 | - | - | - | sms | 1 | 2026-06-10T12:00 | - | - | 2026-06-11T11:00 quiet_hours | summary
# Snooze and pause
NewYork | instant 8 | - | 2026-06-12T15:00 | - | - | email | 1 | 2026-06-10T12:00 | - | - | 2026-06-12T15:00 snoozed | summary
NewYork | instant 8 | - | 2026-06-10T11:00 | - | - | email | 1 | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval | match
NewYork | instant 8 | 22:00-07:00 | 2026-06-12T05:00 | - | - | email | 1 | 2026-06-10T12:00 | - | - | 2026-06-12T11:00 quiet_hours | summary
NewYork | daily 8 | - | 2026-06-12T15:00 | - | - | email | 1 | 2026-06-10T13:00 | - | - | 2026-06-13T12:00 snoozed | summary
NewYork | daily 8 | - | 2026-06-11T11:00 | - | - | email | 1 | 2026-06-10T13:00 | - | - | 2026-06-11T12:00 digest | digest
NewYork | daily 8 | - | 2026-06-11T12:00 | - | - | sms | 1 | 2026-06-10T13:00 | - | - | 2026-06-11T12:00 digest | digest
NewYork | daily 6 | 22:00-07:00 | 2026-06-12T15:00 | - | - | email | 1 | 2026-06-10T13:00 | - | - | 2026-06-13T11:00 quiet_hours | summary
NewYork | instant 8 | - | - | paused | - | email | 1 | 2026-06-10T12:00 | - | - | never paused | none
NewYork | daily 8 | 22:00-07:00 | - | paused | - | sms | 1 | 2026-06-10T12:00 | - | - | never paused | none
NewYork | instant 8 | - | 2026-06-12T15:00 | paused | 3/3 | email | 1 | 2026-06-10T12:00 | - | - | never paused | none
NewYork | instant 8 | - | - | paused | - | push | 21 | 2026-06-10T12:00 | - | - | never paused | none
NewYork | daily 8 | - | 2026-06-12T15:00 | - | - | push | 1 | 2026-06-10T13:00 | - | - | 2026-06-13T12:00 snoozed | summary
# At most so many mails a day
NewYork | instant 8 | - | - | - | 2/3 | email | 1 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-10T18:00:02 interval | match
NewYork | instant 8 | - | - | - | 3/3 | email | 1 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T12:00 daily_limit | summary
NewYork | instant 8 | - | - | - | 3/3 | sms | 1 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-10T18:00:02 interval | match
NewYork | instant 8 | - | - | - | 3/3 | push | 1 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-10T18:00:02 interval | match
NewYork | instant 18 | - | - | - | 3/3 | email | 1 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-10T22:00 daily_limit | summary
NewYork | instant 18 | - | - | - | 4/3 | email | 1 | 2026-06-10T22:30 | 2026-06-10T22:00 | - | 2026-06-11T22:00 daily_limit | summary
NewYork | instant 6 | 22:00-07:00 | - | - | 3/3 | email | 1 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T11:00 quiet_hours | summary
NewYork | instant 8 | - | 2026-06-10T20:00 | - | 3/3 | email | 1 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T12:00 daily_limit | summary
NewYork | instant 8 | - | 2026-06-11T20:00 | - | 3/3 | email | 1 | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T20:00 snoozed | summary
NewYork | instant 8 | - | - | - | 1/1 | email | 1 | 2026-06-10T18:00 | 2026-06-11T04:30 | 2026-06-11T04:40 | 2026-06-11T12:00 daily_limit | summary
NewYork | daily 8 | - | - | - | 3/3 | email | 1 | 2026-06-10T13:00 | 2026-06-10T12:30 | - | 2026-06-11T12:00 digest | digest
# Summer time begins
NewYork | daily 8 | - | - | - | - | email | 1 | 2026-03-07T14:00 | - | - | 2026-03-08T12:00 digest | digest
NewYork | daily 2 | - | - | - | - | email | 1 | 2026-03-08T05:30 | - | - | 2026-03-08T07:00 digest | digest
NewYork | daily 3 | - | - | - | - | sms | 1 | 2026-03-08T05:30 | - | - | 2026-03-08T07:00 digest | digest
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 1 | 2026-03-08T04:00 | - | - | 2026-03-08T11:00 quiet_hours | summary
NewYork | instant 8 | 22:00-02:30 | - | - | - | email | 1 | 2026-03-08T05:00 | - | - | 2026-03-08T07:30 quiet_hours | summary
NewYork | instant 8 | 02:30-04:00 | - | - | - | email | 1 | 2026-03-08T07:10 | - | - | 2026-03-08T07:10:02 interval | match
NewYork | instant 8 | 02:30-04:00 | - | - | - | email | 1 | 2026-03-08T07:30 | - | - | 2026-03-08T08:00 quiet_hours | summary
NewYork | instant 8 | 02:15-03:10 | - | - | - | email | 1 | 2026-03-08T07:05 | - | - | 2026-03-08T07:05:02 interval | match
NewYork | instant 8 | - | - | - | - | sms | 1 | 2026-03-08T06:59 | 2026-03-08T06:58 | - | 2026-03-08T07:03 interval | match
NewYork | instant 2 | - | - | - | 1/1 | email | 1 | 2026-03-08T05:30 | 2026-03-08T05:10 | - | 2026-03-08T07:00 daily_limit | summary
London | daily 1 | - | - | - | - | email | 1 | 2026-03-28T22:00 | - | - | 2026-03-29T01:00 digest | digest
LordHowe | daily 2 | - | - | - | - | email | 1 | 2026-10-03T12:00 | - | - | 2026-10-03T15:30 digest | digest
LordHowe | instant 8 | 22:00-02:15 | - | - | - | email | 1 | 2026-10-03T13:00 | - | - | 2026-10-03T15:45 quiet_hours | summary
# Summer time ends
NewYork | daily 8 | - | - | - | - | email | 1 | 2026-10-31T14:00 | - | - | 2026-11-01T13:00 digest | digest
NewYork | daily 1 | - | - | - | - | email | 1 | 2026-11-01T04:30 | - | - | 2026-11-01T05:00 digest | digest
NewYork | daily 1 | - | - | - | - | email | 1 | 2026-11-01T05:30 | - | - | 2026-11-02T06:00 digest | digest
NewYork | instant 8 | 22:00-07:00 | - | - | - | sms | 1 | 2026-11-01T04:00 | - | - | 2026-11-01T12:00 quiet_hours | summary
NewYork | instant 8 | 22:00-01:30 | - | - | - | email | 1 | 2026-11-01T05:10 | - | - | 2026-11-01T05:30 quiet_hours | summary
NewYork | instant 8 | 22:00-01:30 | - | - | - | email | 1 | 2026-11-01T06:10 | - | - | 2026-11-01T06:10:02 interval | match
NewYork | instant 8 | 01:00-02:00 | - | - | - | email | 1 | 2026-11-01T05:30 | - | - | 2026-11-01T07:00 quiet_hours | summary
NewYork | instant 8 | 00:00-00:00 0 | - | - | - | email | 1 | 2026-11-01T04:00 | - | - | 2026-11-02T05:00 quiet_hours | summary
NewYork | instant 8 | - | 2026-11-01T06:30 | - | - | email | 1 | 2026-11-01T05:30 | - | - | 2026-11-01T06:30 snoozed | summary
London | daily 1 | - | - | - | - | email | 1 | 2026-10-24T22:00 | - | - | 2026-10-25T00:00 digest | digest
London | instant 8 | 22:00-07:00 | - | - | - | sms | 1 | 2026-10-24T22:00 | - | - | 2026-10-25T07:00 quiet_hours | summary
LordHowe | instant 8 | 22:00-01:45 | - | - | - | email | 1 | 2026-04-04T13:00 | - | - | 2026-04-04T14:45 quiet_hours | summary
LordHowe | instant 8 | 22:00-01:45 | - | - | - | email | 1 | 2026-04-04T15:10 | - | - | 2026-04-04T15:10:02 interval | match
LordHowe | daily 2 | - | - | - | - | email | 1 | 2026-04-04T12:00 | - | - | 2026-04-04T15:30 digest | digest
NewYork | instant 8 | 22:00-07:00 | - | - | - | push | 1 | 2026-11-01T04:00 | - | - | 2026-11-01T12:00 quiet_hours | summary
# Other time zones
Kathmandu | daily 8 | - | - | - | - | email | 1 | 2026-06-10T02:14 | - | - | 2026-06-10T02:15 digest | digest
Kathmandu | instant 8 | 22:00-07:00 | - | - | - | email | 1 | 2026-06-10T16:15 | - | - | 2026-06-11T01:15 quiet_hours | summary
Kathmandu | instant 8 | - | - | - | 2/2 | email | 1 | 2026-06-10T18:30 | 2026-06-10T18:20 | - | 2026-06-11T02:15 daily_limit | summary
Kathmandu | daily 8 | - | - | - | - | push | 20 | 2026-06-10T02:14 | - | - | 2026-06-10T02:15 digest | digest
Apia | daily 8 | - | - | - | - | email | 1 | 2026-06-10T18:59 | - | - | 2026-06-10T19:00 digest | digest
Apia | instant 8 | 00:00-06:00 1 | - | - | - | sms | 1 | 2026-06-14T12:00 | - | - | 2026-06-14T17:00 quiet_hours | summary
Apia | instant 8 | 00:00-06:00 1 | - | - | - | email | 1 | 2026-06-15T12:00 | - | - | 2026-06-15T12:00:02 interval | match
# The clock of the sender is wrong
NewYork | instant 8 | - | - | - | - | email | 1 | 2026-06-10T12:00 | - | 2026-06-10T11:00 | 2026-06-10T12:00:02 interval | match
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 1 | 2026-06-11T03:00 | - | 2026-06-11T01:00 | 2026-06-11T11:00 quiet_hours | summary
NewYork | daily 8 | - | - | - | - | email | 1 | 2026-06-10T13:00 | - | 2026-06-12T00:00 | 2026-06-12T00:00 digest | digest
`;

const timeOf = (text: string): Date | null => (text === '-' ? null : new Date(`${text}Z`));

function quietOf(text: string) {
  if (text === '-') return null;
  const [hours = '', days = '0123456'] = text.split(' ');
  const [from = '', to = ''] = hours.split('-');
  return { from, to, days: [...days].map(Number) };
}

/** '2026-06-10T12:00' or, where it is not a whole minute, '2026-06-10T12:00:02' */
const shortTime = (at: number | null): string =>
  at === null ? 'never' : new Date(at).toISOString().replace(/(:00)?\.000Z$/, '');

/** @throws Error for a channel without messages about matches */
function channelOf(name: string | undefined): MatchChannelName {
  const channel = matchChannels.find((one) => one.name === name);
  if (!channel) throw new Error(`There is no channel ${name}.`);
  return channel.name;
}

/** The kind of the message, from what its claim reads: each notification, with the rule that held it if one did. */
function leavingKind(settings: DeliverySettings, cars: number, heldBy: HeldBy | null): string {
  return messageKind(
    settings,
    Array.from({ length: cars }, () => ({ kind: 'match', heldBy })),
  );
}

function readRow(line: string) {
  const cells = line.split('|').map((cell) => cell.trim());
  const [zone = '', way = '', quiet = '', snooze = '', paused, limit = '', channel, cars, ...rest] = cells;
  const [first = '', last = '', now = '', leaves, kind] = rest;
  const [delivery = '', digestHour] = way.split(' ');
  const [sentToday = '0', maxPerDay] = limit === '-' ? [] : limit.split('/');
  const row = {
    delivery,
    digestHour: Number(digestHour),
    quietHours: quietOf(quiet),
    snoozedUntil: timeOf(snooze),
    isPaused: paused === 'paused',
    maxMailsPerDay: maxPerDay === undefined ? null : Number(maxPerDay),
    timeZone: zones[zone] ?? '',
  };
  const firstWaitingAt = timeOf(first) ?? new Date(0);
  return {
    settings: settingsOf(row, channelOf(channel)),
    cars: Number(cars),
    waiting: { firstWaitingAt, lastSentAt: timeOf(last), sentToday: Number(sentToday) },
    now: timeOf(now) ?? firstWaitingAt,
    leaves,
    kind,
  };
}

describe('what waits leaves when the rules say so', () => {
  const lines = rows.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  it.each(lines)('%s', (line) => {
    const { settings, cars, waiting, now, leaves, kind } = readRow(line);
    const { at, heldBy } = departureOf(settings, waiting, now);
    const leaving = at && Math.max(at.getTime(), now.getTime());
    expect(`${shortTime(leaving)} ${heldBy}`).toBe(leaves);
    expect(shortTime(leavesAt(settings, waiting, now.getTime()))).toBe(shortTime(leaving));
    const wasHeld = at !== null && at > now;
    expect(at === null ? 'none' : leavingKind(settings, cars, wasHeld ? heldBy : null)).toBe(kind);
    expect(kindOf(settings, waiting, cars, now.getTime()) ?? 'none').toBe(kind);
  });

  it('covers enough of them, on every channel and with few, many and too many cars', () => {
    expect(lines.length).toBeGreaterThanOrEqual(60);
    const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
    for (const { name } of matchChannels) {
      const cars = cells.filter(([, , , , , , channel]) => channel === name).map((row) => row[7]);
      expect(new Set(cars)).toEqual(new Set(['1', '20', '21']));
    }
  });
});
