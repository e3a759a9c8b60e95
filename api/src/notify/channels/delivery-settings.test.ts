import { describe, expect, it } from 'vitest';
import { leavesAt } from '../../../test/delivery/plain-model.ts';
import { departureOf } from '../../domain/delivery/departure.ts';
import { settingsOf } from './delivery-settings.ts';

const zones: Record<string, string> = {
  NewYork: 'America/New_York',
  Kathmandu: 'Asia/Kathmandu',
  London: 'Europe/London',
  LordHowe: 'Australia/Lord_Howe',
  Apia: 'Pacific/Apia',
};

/*
 * Columns: zone | delivery and hour of the digest | quiet hours, and days where not each | snoozed until | paused |
 * messages that left today / limit | channel | first match | last message | now, where not the first match | it leaves.
 * All times are UTC. 10 June 2026 is a Wednesday.
 */
const rows = `
# At once
NewYork | instant 8 | - | - | - | - | email | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval
NewYork | instant 8 | - | - | - | - | email | 2026-06-10T12:00 | 2026-06-10T11:58 | - | 2026-06-10T12:03 interval
NewYork | instant 8 | - | - | - | - | email | 2026-06-10T12:00 | 2026-06-10T11:00 | - | 2026-06-10T12:00:02 interval
NewYork | instant 8 | - | - | - | - | sms | 2026-06-10T12:00 | 2026-06-10T11:58 | - | 2026-06-10T12:03 interval
NewYork | instant 8 | - | - | - | - | email | 2026-06-10T12:00 | - | 2026-06-10T12:10 | 2026-06-10T12:10 interval
# Daily
NewYork | daily 8 | - | - | - | - | email | 2026-06-10T11:59 | - | - | 2026-06-10T12:00 digest
NewYork | daily 8 | - | - | - | - | email | 2026-06-10T12:00 | - | - | 2026-06-10T12:00 digest
NewYork | daily 8 | - | - | - | - | sms | 2026-06-10T12:00:01 | - | - | 2026-06-11T12:00 digest
NewYork | daily 8 | - | - | - | - | email | 2026-06-10T11:59 | 2026-06-10T12:00 | - | 2026-06-11T12:00 digest
NewYork | daily 8 | - | - | - | - | email | 2026-06-10T10:00 | - | 2026-06-10T15:00 | 2026-06-10T15:00 digest
NewYork | daily 0 | - | - | - | - | email | 2026-06-10T12:00 | - | - | 2026-06-11T04:00 digest
NewYork | daily 23 | - | - | - | - | email | 2026-06-10T12:00 | - | - | 2026-06-11T03:00 digest
# Quiet hours
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 2026-06-11T01:59:57 | - | - | 2026-06-11T01:59:59 interval
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 2026-06-11T01:59:58 | - | - | 2026-06-11T11:00 quiet_hours
NewYork | instant 8 | 22:00-07:00 | - | - | - | sms | 2026-06-11T06:00 | - | - | 2026-06-11T11:00 quiet_hours
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 2026-06-11T10:59:58 | - | - | 2026-06-11T11:00 interval
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 2026-06-11T01:50 | - | 2026-06-11T02:10 | 2026-06-11T11:00 quiet_hours
NewYork | instant 8 | 22:00-07:00 5 | - | - | - | email | 2026-06-12T06:00 | - | - | 2026-06-12T06:00:02 interval
NewYork | instant 8 | 22:00-07:00 5 | - | - | - | email | 2026-06-13T06:00 | - | - | 2026-06-13T11:00 quiet_hours
NewYork | instant 8 | 00:00-00:00 06 | - | - | - | email | 2026-06-13T12:00 | - | - | 2026-06-15T04:00 quiet_hours
NewYork | instant 8 | 12:00-13:00 | - | - | - | sms | 2026-06-10T16:02 | 2026-06-10T16:00 | - | 2026-06-10T17:00 quiet_hours
NewYork | instant 8 | 12:00-12:00 3 | - | - | - | email | 2026-06-10T15:59 | - | - | 2026-06-10T15:59:02 interval
NewYork | instant 8 | 12:00-12:00 3 | - | - | - | email | 2026-06-10T16:00 | - | - | 2026-06-11T16:00 quiet_hours
NewYork | daily 6 | 22:00-07:00 | - | - | - | email | 2026-06-10T12:00 | - | - | 2026-06-11T11:00 quiet_hours
NewYork | daily 8 | 22:00-07:00 | - | - | - | email | 2026-06-11T06:00 | - | - | 2026-06-11T12:00 digest
NewYork | daily 22 | 22:00-07:00 | - | - | - | sms | 2026-06-10T12:00 | - | - | 2026-06-11T11:00 quiet_hours
# Snooze and pause
NewYork | instant 8 | - | 2026-06-12T15:00 | - | - | email | 2026-06-10T12:00 | - | - | 2026-06-12T15:00 snoozed
NewYork | instant 8 | - | 2026-06-10T11:00 | - | - | email | 2026-06-10T12:00 | - | - | 2026-06-10T12:00:02 interval
NewYork | instant 8 | 22:00-07:00 | 2026-06-12T05:00 | - | - | email | 2026-06-10T12:00 | - | - | 2026-06-12T11:00 quiet_hours
NewYork | daily 8 | - | 2026-06-12T15:00 | - | - | email | 2026-06-10T13:00 | - | - | 2026-06-13T12:00 snoozed
NewYork | daily 8 | - | 2026-06-11T11:00 | - | - | email | 2026-06-10T13:00 | - | - | 2026-06-11T12:00 digest
NewYork | daily 8 | - | 2026-06-11T12:00 | - | - | sms | 2026-06-10T13:00 | - | - | 2026-06-11T12:00 digest
NewYork | daily 6 | 22:00-07:00 | 2026-06-12T15:00 | - | - | email | 2026-06-10T13:00 | - | - | 2026-06-13T11:00 quiet_hours
NewYork | instant 8 | - | - | paused | - | email | 2026-06-10T12:00 | - | - | never paused
NewYork | daily 8 | 22:00-07:00 | - | paused | - | sms | 2026-06-10T12:00 | - | - | never paused
NewYork | instant 8 | - | 2026-06-12T15:00 | paused | 3/3 | email | 2026-06-10T12:00 | - | - | never paused
# At most so many mails a day
NewYork | instant 8 | - | - | - | 2/3 | email | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-10T18:00:02 interval
NewYork | instant 8 | - | - | - | 3/3 | email | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T12:00 daily_limit
NewYork | instant 8 | - | - | - | 3/3 | sms | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-10T18:00:02 interval
NewYork | instant 18 | - | - | - | 3/3 | email | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-10T22:00 daily_limit
NewYork | instant 18 | - | - | - | 4/3 | email | 2026-06-10T22:30 | 2026-06-10T22:00 | - | 2026-06-11T22:00 daily_limit
NewYork | instant 6 | 22:00-07:00 | - | - | 3/3 | email | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T11:00 quiet_hours
NewYork | instant 8 | - | 2026-06-10T20:00 | - | 3/3 | email | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T12:00 daily_limit
NewYork | instant 8 | - | 2026-06-11T20:00 | - | 3/3 | email | 2026-06-10T18:00 | 2026-06-10T17:00 | - | 2026-06-11T20:00 snoozed
NewYork | instant 8 | - | - | - | 1/1 | email | 2026-06-10T18:00 | 2026-06-11T04:30 | 2026-06-11T04:40 | 2026-06-11T12:00 daily_limit
NewYork | daily 8 | - | - | - | 3/3 | email | 2026-06-10T13:00 | 2026-06-10T12:30 | - | 2026-06-11T12:00 digest
# Summer time begins
NewYork | daily 8 | - | - | - | - | email | 2026-03-07T14:00 | - | - | 2026-03-08T12:00 digest
NewYork | daily 2 | - | - | - | - | email | 2026-03-08T05:30 | - | - | 2026-03-08T07:00 digest
NewYork | daily 3 | - | - | - | - | sms | 2026-03-08T05:30 | - | - | 2026-03-08T07:00 digest
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 2026-03-08T04:00 | - | - | 2026-03-08T11:00 quiet_hours
NewYork | instant 8 | 22:00-02:30 | - | - | - | email | 2026-03-08T05:00 | - | - | 2026-03-08T07:30 quiet_hours
NewYork | instant 8 | 02:30-04:00 | - | - | - | email | 2026-03-08T07:10 | - | - | 2026-03-08T07:10:02 interval
NewYork | instant 8 | 02:30-04:00 | - | - | - | email | 2026-03-08T07:30 | - | - | 2026-03-08T08:00 quiet_hours
NewYork | instant 8 | 02:15-03:10 | - | - | - | email | 2026-03-08T07:05 | - | - | 2026-03-08T07:05:02 interval
NewYork | instant 8 | - | - | - | - | sms | 2026-03-08T06:59 | 2026-03-08T06:58 | - | 2026-03-08T07:03 interval
NewYork | instant 2 | - | - | - | 1/1 | email | 2026-03-08T05:30 | 2026-03-08T05:10 | - | 2026-03-08T07:00 daily_limit
London | daily 1 | - | - | - | - | email | 2026-03-28T22:00 | - | - | 2026-03-29T01:00 digest
LordHowe | daily 2 | - | - | - | - | email | 2026-10-03T12:00 | - | - | 2026-10-03T15:30 digest
LordHowe | instant 8 | 22:00-02:15 | - | - | - | email | 2026-10-03T13:00 | - | - | 2026-10-03T15:45 quiet_hours
# Summer time ends
NewYork | daily 8 | - | - | - | - | email | 2026-10-31T14:00 | - | - | 2026-11-01T13:00 digest
NewYork | daily 1 | - | - | - | - | email | 2026-11-01T04:30 | - | - | 2026-11-01T05:00 digest
NewYork | daily 1 | - | - | - | - | email | 2026-11-01T05:30 | - | - | 2026-11-02T06:00 digest
NewYork | instant 8 | 22:00-07:00 | - | - | - | sms | 2026-11-01T04:00 | - | - | 2026-11-01T12:00 quiet_hours
NewYork | instant 8 | 22:00-01:30 | - | - | - | email | 2026-11-01T05:10 | - | - | 2026-11-01T05:30 quiet_hours
NewYork | instant 8 | 22:00-01:30 | - | - | - | email | 2026-11-01T06:10 | - | - | 2026-11-01T06:10:02 interval
NewYork | instant 8 | 01:00-02:00 | - | - | - | email | 2026-11-01T05:30 | - | - | 2026-11-01T07:00 quiet_hours
NewYork | instant 8 | 00:00-00:00 0 | - | - | - | email | 2026-11-01T04:00 | - | - | 2026-11-02T05:00 quiet_hours
NewYork | instant 8 | - | 2026-11-01T06:30 | - | - | email | 2026-11-01T05:30 | - | - | 2026-11-01T06:30 snoozed
London | daily 1 | - | - | - | - | email | 2026-10-24T22:00 | - | - | 2026-10-25T00:00 digest
London | instant 8 | 22:00-07:00 | - | - | - | sms | 2026-10-24T22:00 | - | - | 2026-10-25T07:00 quiet_hours
LordHowe | instant 8 | 22:00-01:45 | - | - | - | email | 2026-04-04T13:00 | - | - | 2026-04-04T14:45 quiet_hours
LordHowe | instant 8 | 22:00-01:45 | - | - | - | email | 2026-04-04T15:10 | - | - | 2026-04-04T15:10:02 interval
LordHowe | daily 2 | - | - | - | - | email | 2026-04-04T12:00 | - | - | 2026-04-04T15:30 digest
# Other time zones
Kathmandu | daily 8 | - | - | - | - | email | 2026-06-10T02:14 | - | - | 2026-06-10T02:15 digest
Kathmandu | instant 8 | 22:00-07:00 | - | - | - | email | 2026-06-10T16:15 | - | - | 2026-06-11T01:15 quiet_hours
Kathmandu | instant 8 | - | - | - | 2/2 | email | 2026-06-10T18:30 | 2026-06-10T18:20 | - | 2026-06-11T02:15 daily_limit
Apia | daily 8 | - | - | - | - | email | 2026-06-10T18:59 | - | - | 2026-06-10T19:00 digest
Apia | instant 8 | 00:00-06:00 1 | - | - | - | sms | 2026-06-14T12:00 | - | - | 2026-06-14T17:00 quiet_hours
Apia | instant 8 | 00:00-06:00 1 | - | - | - | email | 2026-06-15T12:00 | - | - | 2026-06-15T12:00:02 interval
# The clock of the sender is wrong
NewYork | instant 8 | - | - | - | - | email | 2026-06-10T12:00 | - | 2026-06-10T11:00 | 2026-06-10T12:00:02 interval
NewYork | instant 8 | 22:00-07:00 | - | - | - | email | 2026-06-11T03:00 | - | 2026-06-11T01:00 | 2026-06-11T11:00 quiet_hours
NewYork | daily 8 | - | - | - | - | email | 2026-06-10T13:00 | - | 2026-06-12T00:00 | 2026-06-12T00:00 digest
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

function readRow(line: string) {
  const cells = line.split('|').map((cell) => cell.trim());
  const [zone = '', way = '', quiet = '', snooze = '', paused, limit = '', channel, first = '', last = '', now = ''] =
    cells;
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
    settings: settingsOf(row, channel === 'sms' ? 'sms' : 'email'),
    waiting: { firstWaitingAt, lastSentAt: timeOf(last), sentToday: Number(sentToday) },
    now: timeOf(now) ?? firstWaitingAt,
    leaves: cells.at(-1),
  };
}

describe('what waits leaves when the rules say so', () => {
  const lines = rows.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  it.each(lines)('%s', (line) => {
    const { settings, waiting, now, leaves } = readRow(line);
    const { at, heldBy } = departureOf(settings, waiting, now);
    const leaving = at && Math.max(at.getTime(), now.getTime());
    expect(`${shortTime(leaving)} ${heldBy}`).toBe(leaves);
    expect(shortTime(leavesAt(settings, waiting, now.getTime()))).toBe(shortTime(leaving));
  });

  it('covers enough of them', () => {
    expect(lines.length).toBeGreaterThanOrEqual(60);
  });
});
