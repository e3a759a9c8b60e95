import { describe, expect, it } from 'vitest';
import {
  emailParts,
  insertDueMatch,
  insertListing,
  insertMatch,
  recordingMailer,
  sendDueMails,
} from '../../test/mail/mail-fixtures.ts';
import { setUpPushes } from '../../test/push/push-fixtures.ts';
import { insertTextedAlert, recordingTexter, smsParts } from '../../test/texts/text-fixtures.ts';
import { silentLog } from '../base/log.ts';
import { seedPlans } from '../billing/plans.ts';
import { lagPercentileMs } from '../domain/source-health.ts';
import type { Pusher } from '../vendors/push/push.ts';
import { makeSmsEngine } from './channels/sms/sms.ts';
import { countDelays } from './count-delays.ts';

const { db, all, pushed, run, used, pusher } = setUpPushes();

const GOOGLE = 'https://fcm.googleapis.com';
/** Reaches the push service of this machine as if it were a browser's. */
const ofBrowsers = (): Pusher => ({
  sendToNobody: null,
  send: (push, device, signal) =>
    pusher().send(push, { ...device, endpoint: device.endpoint.replace(GOOGLE, used.service.url) }, signal),
});
const moveDevices = () =>
  db.pool.query('update push_subscriptions set endpoint = replace(endpoint, $1, $2)', [used.service.url, GOOGLE]);

const counted = async () => {
  const rows = await all('select channel, bucket, matches from delivery_delays order by channel, bucket');
  return rows.map(({ channel, bucket, matches }) => ({
    channel,
    matches,
    ms: lagPercentileMs([{ bucket, listings: 1 }], 1),
  }));
};
const sendMails = () => sendDueMails(emailParts(db, recordingMailer()));
const minute = { min: 57_000, max: 120_000 };

describe('a match counts for the status', () => {
  it('on each channel once its message has left, by the time since its listing was seen', async () => {
    await db.pool.query('truncate delivery_delays');
    await seedPlans(db.pool);
    await insertTextedAlert(db.pool);
    await pushed();
    await moveDevices();
    await db.pool.query("update listings set seen_at = now() - interval '1 minute'");
    await makeSmsEngine(smsParts(db, recordingTexter([]))).drain();
    await run({ pusher: ofBrowsers() });
    const { alertId } = await insertDueMatch(db.pool);
    await insertMatch(db.pool, alertId, await insertListing(db.pool));
    await db.pool.query("update listings set seen_at = now() - interval '1 minute'");
    await sendMails();
    await sendMails();
    const rows = await counted();
    expect(rows.map(({ channel, matches }) => [channel, matches])).toEqual([
      ['email', 2],
      ['push', 1],
      ['sms', 1],
    ]);
    for (const { ms } of rows) expect(ms).toSatisfy((given: number) => given > minute.min && given < minute.max);
  });

  it('not where a rule held it, nor as a price drop, nor when it is sent again, nor where it failed', async () => {
    await db.pool.query('truncate delivery_delays');
    for (const change of [{ held_by: 'quiet_hours' }, { kind: 'price_drop' }, { resent: true }]) {
      const { notificationId } = await insertDueMatch(db.pool);
      for (const [column, value] of Object.entries(change))
        await db.pool.query(`update notifications set ${column} = $2 where id = $1`, [notificationId, value]);
    }
    await sendMails();
    expect(await all("select from mails where status = 'sent'")).toHaveLength(3);
    await insertDueMatch(db.pool);
    await sendDueMails(
      emailParts(
        db,
        recordingMailer(() => Promise.reject(new Error('busy'))),
      ),
    );
    expect(await counted()).toEqual([]);
  });

  it('not where only an address of the user’s own got it, which answers when its owner likes', async () => {
    await db.pool.query('truncate delivery_delays');
    await pushed();
    await run();
    expect(await all("select from pushes where status = 'sent'")).toHaveLength(1);
    expect(await counted()).toEqual([]);
  });

  it('of two processes at once', async () => {
    await db.pool.query('truncate delivery_delays');
    for (let n = 1; n <= 40; n += 1) {
      const { listingId } = await insertDueMatch(db.pool);
      const seenAt = new Date(Date.now() - n * 1_000);
      await db.pool.query('update listings set seen_at = $2 where id = $1', [listingId, seenAt]);
    }
    await sendMails();
    await db.pool.query('truncate delivery_delays');
    const mails = await db.rows('select id, user_id as "userId" from mails order by id');
    await Promise.all([mails, mails.toReversed(), mails].map((some) => countDelays(db.pool, 'email', some)));
    expect(await all('select sum(matches)::int4 as sum from delivery_delays')).toEqual([{ sum: 120 }]);
  });
});

it('says once of many messages that they could not be counted', async () => {
  await db.pool.query('truncate delivery_delays, mails, notifications cascade');
  for (let n = 0; n < 40; n += 1) await insertDueMatch(db.pool);
  const warned: unknown[] = [];
  const log = { ...silentLog, warn: (message: string, fields?: object) => void warned.push({ message, ...fields }) };
  const other = await db.pool.connect();
  await other.query('begin; lock table delivery_delays');
  const sending = sendDueMails(emailParts(db, recordingMailer(), { log }));
  // The first count waits meanwhile, and all others for it.
  await expect.poll(() => all("select from mails where status = 'sent'"), { timeout: 20_000 }).toHaveLength(40);
  await other.query('alter table delivery_delays rename to counted_before; commit');
  other.release();
  await sending;
  await db.pool.query('alter table counted_before rename to delivery_delays');
  const counts = warned.map((one) => (one as { messages: number }).messages);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
  expect(counts.length).toBeLessThanOrEqual(2);
  expect(warned[0]).toMatchObject({ message: 'delays of messages were not counted', channel: 'email' });
});
