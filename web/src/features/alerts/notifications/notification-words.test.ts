import { expect, it, test } from 'vitest';
import { dayName } from '../../../lib/text/account-time.ts';
import { byDay, canResend, carsText, type Told, titleOf, whatHappened } from './notification-words.ts';

const now = new Date('2026-11-25T20:00:00Z');
const zone = 'America/Los_Angeles';
const told = (more: Partial<Told>): Told => ({
  kind: 'match',
  channel: 'email',
  status: 'waiting',
  listingCount: 1,
  createdAt: '2026-11-25T19:00:00Z',
  ...more,
});

test.each([
  ['2026-11-25T22:00:00Z', 'Waits until 14:00: quiet hours. It then leaves by mail.'],
  ['2026-11-26T15:00:00Z', 'Waits until tomorrow at 07:00: quiet hours. It then leaves by mail.'],
  ['2026-11-28T15:00:00Z', 'Waits until Saturday, November 28 at 07:00: quiet hours. It then leaves by mail.'],
])('what is due at %s waits in words of the account’s time zone', (dueAt, words) => {
  expect(whatHappened(told({ reason: 'quiet_hours', dueAt }), now, zone)).toBe(words);
});

test.each([
  [told({ reason: 'paused' }), /^Waits until you resume messages/],
  [told({ reason: null, dueAt: '2026-11-25T19:59:00Z' }), /^Is about to be sent by mail/],
  [told({ reason: 'busy', dueAt: '2026-11-25T20:05:00Z' }), /^Waits until 12:05: the last try/],
  [told({ status: 'sending', channel: 'sms' }), /^Is being sent by text message/],
  [told({ status: 'sent', sentAt: '2026-11-25T19:01:00Z' }), /^Sent by mail at 11:01\.$/],
  [
    told({ status: 'sent', sentAt: '2026-11-25T19:01:00Z', deliveredAt: '2026-11-25T19:02:00Z' }),
    /^Sent by mail at 11:01\. It arrived at 11:02\.$/,
  ],
  [
    told({
      status: 'sent',
      sentAt: '2026-11-25T15:00:00Z',
      heldBy: 'quiet_hours',
      deliveredAt: '2026-11-25T15:01:00Z',
    }),
    /^Sent by mail at 07:00, after quiet hours\. It arrived at 07:01\.$/,
  ],
  [told({ status: 'sent', heldBy: 'toString' }), /^Sent by mail at 11:00\.$/],
  [told({ status: 'sent', channel: 'push', sentAt: '2026-11-25T19:01:00Z' }), /^Sent by push notification at 11:01\.$/],
  [
    told({ status: 'sent', sentAt: '2026-11-25T07:01:00Z', deliveredAt: '2026-11-25T07:02:00Z' }),
    /^Sent by mail yesterday at 23:01\. It arrived at 23:02\.$/,
  ],
  [
    told({ status: 'sent', sentAt: '2026-11-21T20:01:00Z', deliveredAt: '2026-11-25T19:02:00Z' }),
    /^Sent by mail on Saturday, November 21 at 12:01\. It arrived at 11:02\.$/,
  ],
  [
    told({ status: 'sent', sentAt: '2026-11-25T07:59:00Z', deliveredAt: '2026-11-25T08:01:00Z' }),
    /^Sent by mail yesterday at 23:59\. It arrived at 00:01\.$/,
  ],
  [
    told({ status: 'sent', reason: '550 no such user' }),
    /^Sent by mail at 11:00\. The provider reports that it did not/,
  ],
  [told({ reason: 'suppressed' }), /^Waits until mails to your address are resumed/],
  [told({ reason: 'unconfirmed' }), /^Waits until you confirm your address\. It then leaves by mail\.$/],
  [told({ status: 'dropped' }), /^Not sent by mail: no car/],
  [
    told({ status: 'dropped', channel: 'sms', reason: 'service_limit' }),
    /^Not sent by text message: we had sent as many/,
  ],
  [told({ status: 'dropped', channel: 'sms', reason: 'country' }), /^Not sent by text message: we send no/],
  [
    told({ status: 'dropped', channel: 'push', reason: 'no_device' }),
    /^Not sent by push notification: no device of yours gets/,
  ],
  [told({ status: 'dropped', reason: 'toString' }), /^Not sent by mail: no car/],
  [told({ status: 'dropped', reason: 'dismissed', listingCount: 1 }), /^Not sent by mail: you hid this car\.$/],
  [told({ status: 'failed' }), /^Not sent: the mail was refused/],
  [told({ status: 'unknown', channel: 'sms' }), /^It is not known/],
])('%o is told in a sentence', (one, words) => {
  expect(whatHappened(one, now, zone)).toMatch(words);
});

it('names days by the account’s time zone', () => {
  expect(dayName('2026-11-25T07:59:00Z', now, zone)).toBe('Yesterday');
  expect(dayName('2026-11-25T08:01:00Z', now, zone)).toBe('Today');
  expect(dayName('2025-11-21T20:00:00Z', now, zone)).toBe('Friday, November 21, 2025');
});

it('puts what waits before the days', () => {
  const nodes = [told({ status: 'sent' }), told({}), told({ status: 'sent', createdAt: '2026-11-24T20:00:00Z' })];
  expect(byDay(nodes, now, zone).map(([name, { length }]) => [name, length])).toEqual([
    ['Waiting', 1],
    ['Today', 1],
    ['Yesterday', 1],
  ]);
});

it('counts cars and names the first three', () => {
  expect(titleOf(told({ kind: 'digest', listingCount: 24 }))).toBe('Digest of 24 cars');
  expect(titleOf(told({ kind: 'sold', listingCount: 2 }))).toBe('2 cars no longer for sale');
  expect(titleOf(told({}))).toBe('1 new match');
  expect(carsText(['A', 'B'], 2)).toBe('A and B');
  expect(carsText(['A', 'B', 'C', 'D'], 24)).toBe('A, B, C and 21 more');
});

it('offers to send again what was sent of an alert, but not the news that a car was sold', () => {
  const sent = { ...told({ status: 'sent' }), alert: { id: '7' } };
  expect(canResend(sent)).toBe(true);
  expect(canResend({ ...sent, kind: 'sold' })).toBe(false);
  expect(canResend({ ...sent, status: 'waiting' })).toBe(false);
});
