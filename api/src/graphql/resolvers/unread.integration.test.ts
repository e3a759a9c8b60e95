import { beforeEach, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import { insertAlert, insertListing, insertMatch } from '../../../test/mail/mail-fixtures.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { failing, insertDueText, smsParts } from '../../../test/texts/text-fixtures.ts';
import { makeSmsEngine } from '../../notify/channels/sms/sms.ts';
import { TextNotAccepted, TextRefused } from '../../vendors/texts/text.ts';

const api = setUpApi();
let browser: Browser;
let userId: number;
let alertId: number;
let people = 0;

beforeEach(async () => {
  people += 1;
  ({ browser, id: userId } = await api.user(`unread-${people}`));
  await api.db.pool.query(
    'truncate alerts, listings, listings_to_match, matches, notifications, mails, texts restart identity cascade',
  );
  alertId = await insertAlert(api.db.pool, userId);
});

/** A message that was just settled. */
const sent = (channel: 'email' | 'sms', status = 'sent') =>
  channel === 'email'
    ? api.db.pool.query(
        `insert into mails (kind, user_id, alert_id, to_address, status, sent_at) values ('match', $1, $2, 'x', $3, clock_timestamp())`,
        [userId, alertId, status],
      )
    : api.db.pool.query(
        `insert into texts (id, kind, user_id, alert_id, to_phone, status, settled_at)
         values (gen_random_uuid(), 'match', $1, $2, 'x', $3, clock_timestamp())`,
        [userId, alertId, status],
      );
const change = (table: string, set: string) => api.db.pool.query(`update ${table} set ${set}`);

const log = async () => {
  const { data } = await browser.gql(
    '{ me { unreadNotifications } notificationLog { nodes { status settledAt unread } } }',
  );
  return data as {
    me: { unreadNotifications: number };
    notificationLog: { nodes: { status: string; settledAt: string | null; unread: boolean }[] };
  };
};
const unread = async () => {
  const { me, notificationLog } = await log();
  expect(notificationLog.nodes.filter((node) => node.unread)).toHaveLength(me.unreadNotifications);
  return me.unreadNotifications;
};
const mark = (upTo: unknown, caller = browser) =>
  caller.gql('mutation ($upTo: DateTime!) { markNotificationsRead(upTo: $upTo) { unreadNotifications } }', { upTo });

it('unread is what was sent, failed or is unknown since the log was read, and not what waits', async () => {
  expect(await unread()).toBe(0);
  await sent('email');
  await sent('sms', 'unknown');
  await insertMatch(api.db.pool, alertId, await insertListing(api.db.pool), { user_id: userId });
  expect(await unread()).toBe(2);
  const { notificationLog } = await log();
  const upTo = notificationLog.nodes
    .map(({ settledAt }) => settledAt ?? '')
    .sort()
    .at(-1);
  expect((await mark(upTo)).data?.markNotificationsRead).toEqual({ unreadNotifications: 0 });
  expect(await unread()).toBe(0);
  await sent('email');
  expect(await unread()).toBe(1);
  // Both were tried for a day, and fail only now.
  await change(
    'mails',
    `status = 'failed', sent_at = null, created_at = now() - interval '1 day', next_try_at = now()`,
  );
  expect(await unread()).toBe(2);
});

it('while the provider accepts no texts, their cars wait, and nothing is shown as failed', async () => {
  await api.db.pool.query(
    `update users set plan_id = 2, phone = '+15125550123', phone_confirmed_at = now() where id = $1`,
    [userId],
  );
  await change('alerts', 'text_notifications = true');
  await insertDueText(api.db.pool, alertId);
  const statuses = async () => (await log()).notificationLog.nodes.map(({ status }) => status);
  for (const error of [new TextNotAccepted('429'), new TextNotAccepted('429'), new TextRefused('no', 'number')]) {
    expect(await statuses()).toEqual(['waiting']);
    expect(await unread()).toBe(0);
    await makeSmsEngine(smsParts(api.db, failing(error))).drain();
    await change('notifications', 'due_at = now()');
  }
  expect(await api.db.rows('select status from texts')).toEqual(Array(3).fill({ status: 'failed' }));
  expect(await statuses()).toEqual(['failed']);
  expect(await unread()).toBe(1);
});

it('unread is never more for an earlier time, never less for a future one, and of one account', async () => {
  await sent('email');
  const { browser: other } = await api.user(`unread-${people}-other`);
  await mark(new Date(Date.now() + 60_000).toISOString(), other);
  await mark('2020-01-01T00:00:00.000Z');
  expect(await unread()).toBe(1);
  await mark(new Date(Date.now() + 86_400_000).toISOString());
  expect(await unread()).toBe(0);
  await mark('2020-01-01T00:00:00.000Z');
  expect(await unread()).toBe(0);
  const { readAt } = await api.db.row(
    'select notifications_read_at <= now() as "readAt" from user_activity where user_id = $1',
    [userId],
  );
  expect(readAt).toBe(true);
  expect((await mark('yesterday')).errors).toHaveLength(1);
});

it('unread counts no further than a hundred', async () => {
  await api.db.pool.query(
    `insert into mails (kind, user_id, alert_id, to_address, status, sent_at)
     select 'match', $1, $2, 'x@example.com', 'sent', now() + interval '1 second' from generate_series(1, 130)`,
    [userId, alertId],
  );
  expect((await log()).me.unreadNotifications).toBe(100);
});
