import { beforeEach, describe, expect, it, test } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { changeEverywhere } from '../../../test/everywhere.ts';
import { storeCars } from '../../../test/factories.ts';
import {
  emailParts,
  insertAlert,
  insertListing,
  insertMatch,
  recordingMailer,
  sendDueMails,
} from '../../../test/mail/mail-fixtures.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { failing, PHONE, recordingTexter, smsParts } from '../../../test/texts/text-fixtures.ts';
import { makeSmsEngine } from '../../notify/channels/sms/sms.ts';
import { makeStatusReader } from '../status-reader.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on', RATE_LIMITS: 'on' } });

let browser: Browser;
let userId: number;
let alertId: number;
let people = 0;

beforeEach(async () => {
  people += 1;
  ({ browser, id: userId } = await api.user(`resend-${people}`));
  await api.db.pool.query(
    'truncate alerts, listings, listings_to_match, matches, notifications, mails, texts restart identity cascade',
  );
  await api.db.pool.query(
    `update users set email_confirmed_at = now(), plan_id = 2, phone = $2, phone_confirmed_at = now() where id = $1`,
    [userId, PHONE],
  );
  alertId = await insertAlert(api.db.pool, userId, { text_notifications: true });
});

const resend = (id: unknown, evenIfTwice = false, caller = browser) =>
  caller.gql(
    'mutation ($id: ID!, $evenIfTwice: Boolean) { resendNotification(id: $id, evenIfTwice: $evenIfTwice) { message } }',
    { id, evenIfTwice },
  );
const refusalOf = async (answer: ReturnType<typeof resend>) => {
  const { errors } = await answer;
  return errors[0] && [errors[0].extensions?.code, errors[0].message];
};

async function mail() {
  await letTimePass();
  const mailer = recordingMailer();
  await sendDueMails(emailParts(api.db, mailer));
  return mailer.mails;
}
async function text(texter = recordingTexter([])) {
  await letTimePass();
  await makeSmsEngine(smsParts(api.db, texter)).drain();
}
/** Lets the five minutes between two messages pass, and the seconds in which matches are collected. */
async function letTimePass() {
  await api.db.pool.query('update alerts set last_mailed_at = null, last_texted_at = null');
  await changeEverywhere(
    api.db,
    `update notifications set created_at = created_at - interval '5 minutes', due_at = now() where status = 'waiting'`,
  );
}

/** A message of two cars, as the engines write it. @returns its id, and its listings */
async function sent(channel: 'email' | 'sms', texter = recordingTexter([]), insert = () => insertListing(api.db.pool)) {
  const listings = [await insert(), await insert()];
  for (const listing of listings) await insertMatch(api.db.pool, alertId, listing, { user_id: userId, channel });
  if (channel === 'email') await mail();
  else await text(texter);
  const { rows } = await api.db.pool.query(`select id from ${channel === 'email' ? 'mails' : 'texts'}`);
  expect(rows).toHaveLength(1);
  return { id: rows[0].id as string, listings };
}

/** Stores a car as intake does, with what decides whether it fits. @returns its id */
const storeCar = async () => (await storeCars(api.db.pool, [{}]))[0] ?? 0;

const change = (table: string, set: string) => api.db.pool.query(`update ${table} set ${set}`);

describe('a mail', () => {
  it('is sent again as a new one with the cars that are still for sale', async () => {
    const { id, listings } = await sent('email');
    await api.db.pool.query(`update listings set status = 'sold' where id = $1`, [listings[0]]);
    expect((await resend(id)).data?.resendNotification.message).toBe('1 car waits to be sent again.');
    const [again, ...others] = await mail();
    expect(others).toEqual([]);
    expect(again?.id).not.toBe(id);
    expect(again?.matchIds).toEqual([`${listings[1]}:${alertId}`]);
  });

  it('is sent again with cars whose matches newer ones have replaced, where they still fit', async () => {
    const { id, listings } = await sent('email', undefined, storeCar);
    const [first, second] = listings;
    await api.db.pool.query('delete from matches');
    await api.db.pool.query('update listings set price = 900000 where id = $1', [second]);
    expect((await refusalOf(resend(id)))?.[1]).toMatch(/^No car/);
    await change('alerts', 'is_capped = true');
    expect((await resend(id)).data?.resendNotification.message).toBe('1 car waits to be sent again.');
    expect((await mail()).map(({ matchIds }) => matchIds)).toEqual([[`${first}:${alertId}`]]);
  });

  it('that failed is sent again to the new address', async () => {
    const { id } = await sent('email');
    await change('mails', `status = 'failed', sent_at = null, error = 'refused'`);
    await change('notifications', `status = 'failed'`);
    await api.db.pool.query(`update users set email = 'new@example.com' where id = $1`, [userId]);
    await resend(id);
    expect((await mail()).map(({ to }) => to)).toEqual(['new@example.com']);
  });

  it('keeps its place and receipt, and the second one changes no public figure', async () => {
    const { id, listings } = await sent('email');
    await change('mails', `sent_at = now() - interval '1 hour'`);
    const receipts = `{ matches(alertId: ${alertId}) { nodes { receipt { handedOverAt } } } }`;
    // A match is shown once every older transaction of the server has ended, and other tests run some.
    const shown = async () => (await browser.gql(receipts)).data.matches.nodes.length;
    await expect.poll(shown, { timeout: 20_000 }).toBe(listings.length);
    const before = (await browser.gql(receipts)).data;
    const counted = async () => (await makeStatusReader(api.db.pool)()).channels[0]?.last30Days.matches ?? 0;
    const countedBefore = await counted();
    expect(countedBefore).toBeGreaterThanOrEqual(listings.length);
    await resend(id);
    await mail();
    expect((await browser.gql(receipts)).data).toEqual(before);
    expect(await counted()).toBe(countedBefore);
    const { notificationLog } = (await browser.gql('{ notificationLog { nodes { id status listingCount } } }')).data;
    expect(notificationLog.nodes).toEqual([
      { id: expect.any(String), status: 'sent', listingCount: 2 },
      { id, status: 'sent', listingCount: 2 },
    ]);
  });

  it("leaves by the alert's rules of delivery, once however often it is asked for", async () => {
    const { id } = await sent('email');
    await change('alerts', `snoozed_until = now() + interval '1 day'`);
    const answers = await Promise.all([resend(id), resend(id), resend(id)]);
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    expect(answers.flatMap(({ errors }) => errors[0]?.message ?? [])).toEqual(
      Array(2).fill('These cars wait to be sent already.'),
    );
    expect(await mail()).toEqual([]);
    await change('alerts', 'snoozed_until = null');
    expect((await mail()).map(({ notificationIds }) => notificationIds.length)).toEqual([2]);
  });

  test.each([
    ['alerts', 'is_active = false', 'CONFLICT', 'This alert is off. Switch it on to send its messages again.'],
    ['alerts', `expires_at = now()`, 'CONFLICT', 'This alert is off. Switch it on to send its messages again.'],
    [
      'alerts',
      'email_notifications = false',
      'CONFLICT',
      'Mails of this alert are off. Edit the alert to switch them on.',
    ],
    ['users', 'email = null', 'VALIDATION', 'There is no email address in your settings.'],
    ['users', 'email_confirmed_at = null', 'VALIDATION', 'Please confirm your email address first.'],
    ['listings', `status = 'gone'`, 'CONFLICT', 'No car of this message is still for sale and fits the alert.'],
    ['alerts', 'version = version + 1', 'CONFLICT', 'No car of this message is still for sale and fits the alert.'],
    ['mails', `status = 'sending'`, 'CONFLICT', 'This message has not left yet.'],
  ])('is refused after %s: %s', async (table, set, code, message) => {
    const { id } = await sent('email');
    await change(table, set);
    expect(await refusalOf(resend(id))).toEqual([code, message]);
    expect(await api.db.rows(`select from notifications where status = 'waiting'`)).toEqual([]);
  });

  it("is refused when its alert was deleted, for another's, and for what is no message", async () => {
    const { id } = await sent('email');
    const { browser: other } = await api.user(`resend-${people}-other`);
    const missing = ['NOT_FOUND', 'Notification not found'];
    expect(await refusalOf(resend(id, false, other))).toEqual(missing);
    for (const wrong of ['1', `waiting-${alertId}-email`, `${id}'`, '00000000-0000-4000-8000-000000000000']) {
      expect(await refusalOf(resend(wrong))).toEqual(missing);
    }
    expect((await refusalOf(resend(id, false, makeBrowser(api.url))))?.[0]).toBe('UNAUTHENTICATED');
    await browser.gql('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: String(alertId) });
    expect(await refusalOf(resend(id))).toEqual(['CONFLICT', 'The alert of this message was deleted.']);
  });

  it('is sent again at most ten times a day', async () => {
    const { id } = await sent('email');
    for (let count = 0; count < 10; count += 1) {
      await change('notifications', `status = 'sent' where status = 'waiting'`);
      expect((await resend(id)).errors).toEqual([]);
    }
    const { errors } = await resend(id);
    expect(errors?.[0]?.extensions?.code).toBe('RATE_LIMITED');
  });
});

describe('a text', () => {
  const texts = async () =>
    (await api.db.rows('select status from texts order by created_at')).map(({ status }) => status);

  it('is sent again as a new one, and counts towards the cap', async () => {
    const { id } = await sent('sms');
    await change('texts', `kind = 'summary'`);
    await resend(id);
    await text();
    expect(await texts()).toEqual(['sent', 'sent']);
    await api.db.pool.query(
      `insert into texts (id, kind, user_id, to_phone, status) select gen_random_uuid(), 'digest', $1, $2, 'sent'
         from generate_series(1, 98)`,
      [userId, PHONE],
    );
    expect(await refusalOf(resend(id))).toEqual(['PLAN_LIMIT', 'All text messages of this month are used up.']);
  });

  it('that may have arrived is sent again only by someone who accepts that it comes twice', async () => {
    const { id } = await sent('sms', failing(new Error('timeout')));
    expect(await texts()).toEqual(['unknown']);
    expect(await refusalOf(resend(id))).toEqual([
      'CONFLICT',
      'This text message may have arrived. Say that it may come twice to send it again.',
    ]);
    await text();
    expect(await texts()).toEqual(['unknown']);
    expect((await resend(id, true)).errors).toEqual([]);
    await text();
    expect(await texts()).toEqual(['unknown', 'sent']);
  });

  test.each([
    ['users', 'plan_id = 1', 'PLAN_REQUIRED', /only available with paid/],
    ['alerts', 'text_notifications = false', 'CONFLICT', /^Text messages of this alert are off/],
    ['users', 'phone_confirmed_at = null', 'CONFLICT', /confirmed phone/],
  ])('is refused after %s: %s', async (table, set, code, message) => {
    const { id } = await sent('sms');
    await change(table, set);
    expect(await refusalOf(resend(id))).toEqual([code, expect.stringMatching(message)]);
  });

  it('is refused to a number that replied STOP', async () => {
    const { id } = await sent('sms');
    await api.db.pool.query('insert into text_stops (phone) values ($1)', [PHONE]);
    try {
      expect(await refusalOf(resend(id))).toEqual(['CONFLICT', expect.stringMatching(/STOP/)]);
    } finally {
      await api.db.pool.query('delete from text_stops');
    }
  });
});

describe('a push message', () => {
  async function pushed() {
    await change('alerts', 'push_notifications = true');
    await api.db.pool.query(
      `insert into push_subscriptions (user_id, endpoint, p256dh, auth) values ($1::int8, 'https://push.example/' || $1::int8, 'x', 'x')`,
      [userId],
    );
    const { id } = await api.db.row(
      `insert into pushes (id, user_id, alert_id, kind, devices, status, next_try_at, sent_at)
       values (gen_random_uuid(), $1, $2, 'match', '{}', 'sent', now(), now()) returning id`,
      [userId, alertId],
    );
    const listing = await insertListing(api.db.pool);
    await insertMatch(api.db.pool, alertId, listing, { user_id: userId, channel: 'push', status: 'sent', push_id: id });
    return id;
  }

  it('is unread, and waits again on its channel', async () => {
    const id = await pushed();
    const { me } = (await browser.gql('{ me { unreadNotifications } }')).data;
    expect(me.unreadNotifications).toBe(1);
    expect((await resend(id)).errors).toEqual([]);
    expect(await api.db.rows(`select channel, resent from notifications where status = 'waiting'`)).toEqual([
      { channel: 'push', resent: true },
    ]);
  });

  test.each([
    ['alerts', 'push_notifications = false', /^Push messages of this alert are off/],
    ['push_subscriptions', null, /^No device of yours/],
  ])('is refused after %s: %s', async (table, set, message) => {
    const id = await pushed();
    await (set === null ? api.db.pool.query(`delete from ${table}`) : change(table, set));
    expect(await refusalOf(resend(id))).toEqual(['CONFLICT', expect.stringMatching(message)]);
  });
});

it.each(['email', 'sms'] as const)(
  'waits in the log until the interval after the first message is over: %s',
  async (channel) => {
    const { id } = await sent(channel);
    expect((await resend(id)).errors).toEqual([]);
    const { rows } = await api.db.pool.query(
      `select ${channel === 'email' ? 'last_mailed_at' : 'last_texted_at'} + interval '5 minutes' as until from alerts`,
    );
    const { notificationLog } = (await browser.gql('{ notificationLog { nodes { status reason dueAt } } }')).data;
    expect(notificationLog.nodes).toContainEqual({
      status: 'waiting',
      reason: 'interval',
      dueAt: rows[0].until.toISOString(),
    });
  },
);
