import { Temporal } from 'temporal-polyfill';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import {
  emailParts,
  insertAlert,
  insertListing,
  insertMatch,
  recordingMailer,
  sendDueMails,
} from '../../../test/mail/mail-fixtures.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { signToken } from '../../domain/action-links.ts';

const api = setUpApi();
const HOUR = 3_600_000;
const ZONE = 'America/Los_Angeles';

let browser: Browser;
let userId: number;
let people = 0;

beforeEach(async () => {
  people += 1;
  ({ browser, id: userId } = await api.user(`delivery-${people}`));
  await api.db.pool.query('update users set time_zone = $2, email_confirmed_at = now() where id = $1', [userId, ZONE]);
});

const hourIn = (hours: number): number => Temporal.Now.zonedDateTimeISO(ZONE).add({ hours }).hour;

/** An alert for which two matches were found 90 minutes ago. */
async function twoMatches(overrides: Record<string, unknown> = {}, row: Record<string, unknown> = {}): Promise<number> {
  const alertId = await insertAlert(api.db.pool, userId, overrides);
  for (let count = 0; count < 2; count += 1) {
    const created_at = new Date(Date.now() - 1.5 * HOUR);
    await insertMatch(api.db.pool, alertId, await insertListing(api.db.pool), { created_at, ...row });
  }
  return alertId;
}

async function send() {
  const mailer = recordingMailer();
  await sendDueMails(emailParts(api.db, mailer));
  return mailer.mails.map(({ kind, notificationIds }) => `${kind} of ${notificationIds.length}`);
}

/** What waits of an alert, such as 'waiting snoozed', and whether it is due. */
const rowsOf = (alertId: number) =>
  api.db.rows(
    `select status, held_by as "heldBy", due_at <= now() as "isDue" from notifications where alert_id = $1 order by id`,
    [alertId],
  );
const twice = (row: object) => [row, row].map((one) => expect.objectContaining(one));

const snooze = (id: number, days: number) =>
  browser.gql('mutation ($id: ID!, $days: Int!) { snoozeAlert(id: $id, days: $days) { id snoozedUntil } }', {
    id,
    days,
  });
/** A time some days from now. */
const timeIn = (days: number): string => new Date(Date.now() + days * 24 * HOUR).toISOString();
const pause = (paused: boolean) =>
  browser.gql('mutation ($paused: Boolean!) { pauseAll(paused: $paused) { messagesPaused } }', { paused });
const update = (id: number, input: object) =>
  browser.gql('mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { id } }', { id, input });
const move = (timeZone: string) =>
  browser.gql('mutation ($timeZone: String!) { updateProfile(input: { timeZone: $timeZone }) { id } }', { timeZone });
const hourText = (hours: number) => `${String(hourIn(hours)).padStart(2, '0')}:00`;
const quietNow = () => ({ from: hourText(-2), to: hourText(3), days: [0, 1, 2, 3, 4, 5, 6] });

describe('a rule that changes applies to what waits already', () => {
  it.each([
    ['snooze', 'snoozed', (id: number) => snooze(id, 3), (id: number) => snooze(id, 0)],
    [
      'a time until which the alert is snoozed',
      'snoozed',
      (id: number) => update(id, { snoozedUntil: timeIn(3) }),
      (id: number) => update(id, { snoozedUntil: null }),
    ],
    ['pause', 'paused', () => pause(true), () => pause(false)],
    [
      'quiet hours',
      'quiet_hours',
      (id: number) => update(id, { quietHours: quietNow() }),
      (id: number) => update(id, { quietHours: null }),
    ],
  ])('%s hold it, and their end sends one summary', async (_rule, heldBy, begin, end) => {
    const alertId = await twoMatches();
    expect((await begin(alertId)).errors).toEqual([]);
    expect(await send()).toEqual([]);
    expect(await rowsOf(alertId)).toEqual(twice({ status: 'waiting', heldBy, isDue: false }));
    expect((await end(alertId)).errors).toEqual([]);
    expect(await rowsOf(alertId)).toEqual(twice({ status: 'waiting', heldBy, isDue: true }));
    expect(await send()).toEqual(['summary of 2']);
    expect(await rowsOf(alertId)).toEqual(twice({ status: 'sent' }));
    const { data } = await browser.gql('{ notificationLog { nodes { kind status heldBy } } }');
    expect(data?.notificationLog.nodes).toEqual([{ kind: 'summary', status: 'sent', heldBy }]);
  });

  it.each([
    ['another hour of the digest', 'digest of 2', (id: number) => update(id, { digestHour: hourIn(0) })],
    ['another time zone', 'digest of 2', () => move('America/Chicago')],
    ['at once instead of daily', 'match of 2', (id: number) => update(id, { delivery: 'instant' })],
  ])('%s sends the digest that is due by it', async (_rule, mail, act) => {
    const alertId = await twoMatches({ delivery: 'daily', digest_hour: hourIn(2) });
    expect(await send()).toEqual([]);
    expect(await rowsOf(alertId)).toEqual(twice({ status: 'waiting', heldBy: 'digest', isDue: false }));
    expect((await act(alertId)).errors).toEqual([]);
    expect(await send()).toEqual([mail]);
  });

  it('daily instead of at once keeps it for the digest', async () => {
    const alertId = await twoMatches();
    await update(alertId, { delivery: 'daily', digestHour: hourIn(2) });
    expect(await send()).toEqual([]);
    expect(await rowsOf(alertId)).toEqual(twice({ heldBy: 'digest', isDue: false }));
  });

  it.each([
    [
      'the link to unsubscribe',
      (alertId: number) => {
        const claims = { action: 'unsubscribe', alertId, userId, expiresAt: null } as const;
        return fetch(`${api.url}/m/${signToken(api.linkSecret, claims)}`, { method: 'POST' });
      },
    ],
    ['the form', (id: number) => update(id, { emailNotifications: false })],
  ])('mails that are switched off by %s are dropped though they were held', async (_how, act) => {
    const alertId = await twoMatches({ delivery: 'daily', digest_hour: hourIn(2) });
    expect(await send()).toEqual([]);
    await act(alertId);
    expect(await send()).toEqual([]);
    expect(await rowsOf(alertId)).toEqual(twice({ status: 'dropped' }));
  });

  it('price drops that are switched off are dropped, and matches are not', async () => {
    const alertId = await twoMatches({}, { kind: 'price_drop' });
    await insertMatch(api.db.pool, alertId, await insertListing(api.db.pool));
    await snooze(alertId, 1);
    expect(await send()).toEqual([]);
    await update(alertId, { priceDrops: false });
    expect(await send()).toEqual([]);
    await snooze(alertId, 0);
    expect(await send()).toEqual(['summary of 1']);
    expect((await rowsOf(alertId)).map(({ status }) => status)).toEqual(['dropped', 'dropped', 'sent']);
  });
});

describe('snoozeAlert', () => {
  it('counts days from now, and again from now when it is repeated', async () => {
    const alertId = await insertAlert(api.db.pool, userId);
    for (const days of [7, 1, 42]) {
      const { data, errors } = await snooze(alertId, days);
      expect(errors).toEqual([]);
      const until = new Date(String(data?.snoozeAlert.snoozedUntil)).getTime();
      expect(Math.abs(until - Date.now() - days * 24 * HOUR)).toBeLessThan(60_000);
    }
    expect((await snooze(alertId, 0)).data?.snoozeAlert).toEqual({ id: String(alertId), snoozedUntil: null });
  });

  it.each([-1, 43, 1_000_000])('refuses %i days', async (days) => {
    const alertId = await insertAlert(api.db.pool, userId);
    const { errors } = await snooze(alertId, days);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      fields: { days: 'Please enter a number of days from 0 to 42' },
    });
  });

  it('does not find the alert of another user', async () => {
    const other = await api.user(`delivery-other-${people}`);
    const alertId = await insertAlert(api.db.pool, other.id);
    expect((await snooze(alertId, 1)).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect(await api.db.rows('select snoozed_until from alerts where id = $1', [alertId])).toEqual([
      { snoozed_until: null },
    ]);
  });
});

describe('snoozedUntil', () => {
  const snoozedUntil = async (id: number) =>
    (await browser.gql('query ($id: ID!) { alert(id: $id) { snoozedUntil } }', { id })).data?.alert.snoozedUntil;

  it('is set at creation, stays where an edit does not name it, and is none once it is over', async () => {
    const input = { make: 'toyota', location: 'Austin, TX', radius: 50, snoozedUntil: timeIn(41.99) };
    const { data } = await browser.gql(
      'mutation ($input: AlertInput!) { createAlert(input: $input) { id snoozedUntil } }',
      { input },
    );
    expect(data?.createAlert.snoozedUntil).toBe(input.snoozedUntil);
    const id = Number(data?.createAlert.id);
    await update(id, { radius: 25, digestHour: 9 });
    expect(await snoozedUntil(id)).toBe(input.snoozedUntil);
    await update(id, { snoozedUntil: timeIn(-1) });
    expect(await snoozedUntil(id)).toBeNull();
  });

  it.each([
    ['a later time', () => timeIn(42.01), 'Please choose a time in the next 42 days'],
    ['a text', () => 'secret', 'DateTime cannot represent an invalid date-time-string.'],
    ['a number', () => 7, 'DateTime cannot represent non string or Date type.'],
  ])('refuses %s', async (_what, until, message) => {
    const alertId = await insertAlert(api.db.pool, userId);
    const { errors } = await update(alertId, { snoozedUntil: until() });
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { snoozedUntil: message } });
    expect(await snoozedUntil(alertId)).toBeNull();
  });
});

it('pauseAll holds the messages of all own alerts and of nobody else', async () => {
  const [first, second] = [await twoMatches(), await twoMatches()];
  expect((await pause(true)).data?.pauseAll).toEqual({ messagesPaused: true });
  expect((await pause(true)).data?.pauseAll).toEqual({ messagesPaused: true });
  const own = { browser, userId };
  ({ browser, id: userId } = await api.user(`delivery-neighbour-${people}`));
  await api.db.pool.query('update users set email_confirmed_at = now() where id = $1', [userId]);
  await twoMatches();
  expect(await send()).toEqual(['match of 2']);
  ({ browser, userId } = own);
  for (const id of [first, second]) expect(await rowsOf(id)).toEqual(twice({ heldBy: 'paused', isDue: false }));
  expect((await pause(false)).data?.pauseAll).toEqual({ messagesPaused: false });
  expect(await send()).toEqual(['summary of 2', 'summary of 2']);
});
