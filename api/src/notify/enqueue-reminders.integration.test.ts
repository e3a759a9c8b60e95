import { beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import {
  alertsOf,
  emailParts,
  insertAlert,
  insertPlan,
  insertUser,
  recordingMailer,
  sendDueMails,
} from '../../test/mail/mail-fixtures.ts';
import { enqueueExpiryMails, enqueueReminders } from './enqueue-reminders.ts';

const db = setUpDatabase(() => insertPlan(db.pool));
beforeEach(() => db.pool.query('truncate users, alerts, mails restart identity cascade'));

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const alertIn = async (days: number, alert: Record<string, unknown> = {}, user: Record<string, unknown> = {}) =>
  insertAlert(db.pool, await insertUser(db.pool, user), { expires_at: inDays(days), ...alert });

describe('enqueueReminders', () => {
  it("reminds once, three days before the end, in the buyer's own date", async () => {
    await alertIn(2.9, { expires_at: inDays(2.9) });
    await alertIn(3.1);
    expect(await enqueueReminders(db.pool, true)).toBe(1);
    expect(await enqueueReminders(db.pool, true)).toBe(0);
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails.map(({ kind, alertId }) => [kind, alertId])).toEqual([['reminder', 1]]);
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'America/Los_Angeles' });
    expect(mailer.mails[0]?.subject).toBe(`Your Toyota Camry alert ends on ${day.format(inDays(2.9))}`);
  });

  it('reminds again after a renewal', async () => {
    const alertId = await alertIn(2);
    await enqueueReminders(db.pool, true);
    await db.pool.query('update alerts set expires_at = $2, reminded_at = $3 where id = $1', [
      alertId,
      inDays(2.5),
      inDays(-39),
    ]);
    expect(await enqueueReminders(db.pool, true)).toBe(1);
  });

  it.each([
    ['a paused alert', { is_active: false }, {}],
    ['one without mails', { email_notifications: false }, {}],
    ['one that has ended', { expires_at: inDays(-0.1) }, {}],
    ['an unconfirmed address', {}, { email_confirmed_at: null }],
    ['nobody', {}, { email: null, email_confirmed_at: null }],
  ])('does not remind %s', async (_name, alert, user) => {
    await alertIn(2, alert, user);
    expect(await enqueueReminders(db.pool, true)).toBe(0);
  });

  it.each(['is_active = false', "expires_at = now() + interval '42 days'"])('is dropped after %s', async (change) => {
    await alertIn(2);
    await enqueueReminders(db.pool, true);
    await db.pool.query(`update alerts set ${change}`);
    const mailer = recordingMailer();
    expect(await sendDueMails(emailParts(db, mailer))).toMatchObject({ sent: 0, dropped: 1 });
  });

  it('queues each mail once when it runs twice at the same time', async () => {
    for (let n = 0; n < 20; n += 1) await alertIn(1);
    await Promise.all([1, 2, 3, 4].map(() => enqueueReminders(db.pool, true)));
    expect((await db.pool.query('select 1 from mails')).rowCount).toBe(20);
  });
});

describe('enqueueExpiryMails', () => {
  it('mails once about each alert that has ended', async () => {
    const ended = await alertsOf(db.pool, await alertIn(-0.01));
    await alertIn(-0.01);
    expect(await enqueueExpiryMails(db.pool, ended, true)).toBe(1);
    expect(await enqueueExpiryMails(db.pool, ended, true)).toBe(0);
    await db.pool.query('update alerts set is_active = false where expires_at <= now()');
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails.map(({ subject }) => subject)).toEqual(['Your Toyota Camry alert has ended']);
  });

  it('mails no owner whose alert sends no mails, or whose address is not confirmed', async () => {
    const ids = [
      await alertIn(-0.01, { email_notifications: false }),
      await alertIn(-0.01, {}, { email_confirmed_at: null }),
      await alertIn(-0.01, {}, { email: null, email_confirmed_at: null }),
    ];
    const ended = await alertsOf(db.pool, ...ids);
    expect(await enqueueExpiryMails(db.pool, ended, true)).toBe(0);
    expect(await enqueueExpiryMails(db.pool, ended, false)).toBe(1);
  });

  it('are dropped when the alert is renewed before they are sent', async () => {
    await enqueueExpiryMails(db.pool, await alertsOf(db.pool, await alertIn(-0.01)), true);
    await db.pool.query("update alerts set expires_at = now() + interval '42 days'");
    expect(await sendDueMails(emailParts(db, recordingMailer()))).toMatchObject({ sent: 0, dropped: 1 });
  });
});
