import { beforeEach, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import {
  emailParts,
  insertAlert,
  insertListing,
  insertMatch,
  recordingMailer,
  sendDueMails,
} from '../../../test/mail/mail-fixtures.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';

const api = setUpApi();
const HOUR = 3_600_000;
const everyDay = [0, 1, 2, 3, 4, 5, 6];

let browser: Browser;
let userId: number;
let people = 0;

beforeEach(async () => {
  people += 1;
  ({ browser, id: userId } = await api.user(`waiting-${people}`));
  await api.db.pool.query(`update users set time_zone = 'UTC', email_confirmed_at = now() where id = $1`, [userId]);
});

/** An alert with a match that was found an hour ago, and that no claim has seen. */
async function alertWith(overrides: Record<string, unknown> = {}, row: Record<string, unknown> = {}): Promise<number> {
  const alertId = await insertAlert(api.db.pool, userId, overrides);
  await insertMatch(api.db.pool, alertId, await insertListing(api.db.pool), {
    user_id: userId,
    created_at: new Date(Date.now() - HOUR),
    due_at: new Date(Date.now() - HOUR),
    ...row,
  });
  return alertId;
}

interface Waiting {
  channel: string;
  listingCount: number;
  reason: string | null;
  dueAt: string | null;
}
const fields = 'waiting { channel listingCount reason dueAt }';
const waitingOf = async (id: number): Promise<Waiting[]> =>
  (await browser.gql(`{ alert(id: ${id}) { ${fields} } }`)).data.alert.waiting;
const logged = async (): Promise<Waiting[]> =>
  (await browser.gql('{ notificationLog { nodes { channel listingCount reason dueAt } } }')).data.notificationLog.nodes;

// One time for all tests, so that no rule moves while they run.
const start = Math.floor(Date.now() / HOUR) * HOUR;
const hourOf = (hours: number) => new Date(start + hours * HOUR).getUTCHours();
const hourAt = (hours: number) => `${String(hourOf(hours)).padStart(2, '0')}:00`;
/** When the clock shows this full hour next. */
const nextAt = (hours: number) => new Date(start + hours * HOUR).toISOString();
const quiet = () => ({ quiet_hours: JSON.stringify({ from: hourAt(-2), to: hourAt(3), days: everyDay }) });
const soon = () => new Date(Date.now() + 3 * 24 * HOUR);

it.each([
  ['quiet hours', quiet, 'quiet_hours', () => nextAt(3)],
  ['the digest', () => ({ delivery: 'daily', digest_hour: hourOf(2) }), 'digest', () => nextAt(2)],
  ['a snooze', () => ({ snoozed_until: soon() }), 'snoozed', () => expect.any(String)],
  ['the interval', () => ({ last_mailed_at: new Date() }), 'interval', () => expect.any(String)],
] as const)('what %s holds waits until then, before any claim has seen it', async (_what, rules, reason, dueAt) => {
  const id = await alertWith(rules());
  const expected = { channel: 'email', listingCount: 1, reason, dueAt: dueAt() };
  expect(await waitingOf(id)).toEqual([expected]);
  expect(await logged()).toEqual([expected]);
});

it('says that nothing holds what leaves at once', async () => {
  const id = await alertWith();
  expect(await waitingOf(id)).toEqual([expect.objectContaining({ channel: 'email', reason: null })]);
  expect(await waitingOf(await insertAlert(api.db.pool, userId))).toEqual([]);
});

it('tells the limit a day of mails from other channels', async () => {
  // A mail that just left: the limit holds until the next digest hour after it, whatever the clock shows now.
  const id = await alertWith({ max_mails_per_day: 1, text_notifications: true, last_mailed_at: new Date() });
  await api.db.pool.query(
    `insert into mails (id, kind, user_id, alert_id, to_address, status) values (gen_random_uuid(), 'match', $1, $2, 'x@example.com', 'sent')`,
    [userId, id],
  );
  await insertMatch(api.db.pool, id, await insertListing(api.db.pool), {
    user_id: userId,
    channel: 'sms',
    created_at: new Date(Date.now() - HOUR),
  });
  expect((await waitingOf(id)).map(({ channel, reason }) => [channel, reason])).toEqual([
    ['email', 'daily_limit'],
    ['sms', null],
  ]);
});

it('answers a snooze that ends with the rule that still holds', async () => {
  const id = await alertWith({ snoozed_until: soon(), ...quiet() });
  const end = `mutation { snoozeAlert(id: ${id}, days: 0) { snoozedUntil waiting { reason dueAt } } }`;
  expect((await browser.gql(end)).data.snoozeAlert).toEqual({
    snoozedUntil: null,
    waiting: [{ reason: 'quiet_hours', dueAt: nextAt(3) }],
  });
  await browser.gql('mutation { pauseAll(paused: true) { id } }');
  expect((await browser.gql(end)).data.snoozeAlert.waiting).toEqual([{ reason: 'paused', dueAt: null }]);
  expect(await logged()).toMatchObject([{ reason: 'paused', dueAt: null }]);
  await browser.gql('mutation { pauseAll(paused: false) { id } }');
  expect(await logged()).toMatchObject([{ reason: 'quiet_hours', dueAt: nextAt(3) }]);
});

it('answers a message that is sent again with the rule that holds it', async () => {
  const id = await alertWith(quiet(), { status: 'sent' });
  const { rows } = await api.db.pool.query<{ id: string }>(
    `with mail as (insert into mails (id, kind, user_id, alert_id, to_address, status, sent_at)
       values (gen_random_uuid(), 'match', $1, $2, 'x@example.com', 'sent', now()) returning id),
     taken as (update notifications set mail_id = (select id from mail) where alert_id = $2 and user_id = $1)
     select id from mail`,
    [userId, id],
  );
  const answer = await browser.gql(
    'mutation ($id: ID!) { resendNotification(id: $id) { message waiting { reason dueAt } } }',
    { id: rows[0]?.id },
  );
  expect(answer.data.resendNotification).toEqual({
    message: '1 car waits to be sent again.',
    waiting: { reason: 'quiet_hours', dueAt: nextAt(3) },
  });
});

it('waits for a suppressed address until it is resumed', async () => {
  const id = await alertWith();
  await api.db.pool.query(
    `insert into suppressed_addresses (address, reason, since) select lower(email), 'bounced', now() from users where id = $1`,
    [userId],
  );
  expect(await waitingOf(id)).toEqual([{ channel: 'email', listingCount: 1, reason: 'suppressed', dueAt: null }]);
});

it('waits for an unconfirmed address until it is confirmed, also once a claim has seen it', async () => {
  const at = await makeTestApi({ db: api.db, env: { CONFIRM_EMAIL: 'on' } });
  const me = await at.user(`waiting-unconfirmed-${people}`);
  ({ browser, id: userId } = me);
  await api.db.pool.query('update users set email = $2, email_confirmed_at = null where id = $1', [
    userId,
    `unconfirmed-${people}@example.com`,
  ]);
  const id = await alertWith();
  const held = { channel: 'email', listingCount: 1, reason: 'unconfirmed', dueAt: null };
  expect(await waitingOf(id)).toEqual([held]);
  await sendDueMails(emailParts(api.db, recordingMailer()));
  expect(await waitingOf(id)).toEqual([held]);
  expect(await logged()).toEqual([held]);
  await at.close();
});

it('tells that nothing holds mails to an address that no longer has to be confirmed, before a claim has seen it', async () => {
  await api.db.pool.query('update users set email_confirmed_at = null where id = $1', [userId]);
  const tomorrow = new Date(Date.now() + 23 * HOUR);
  const id = await alertWith({}, { held_by: 'unconfirmed', due_at: tomorrow });
  const [told] = await waitingOf(id);
  expect(told).toEqual({ channel: 'email', listingCount: 1, reason: null, dueAt: expect.any(String) });
  expect(Date.parse(told?.dueAt ?? '')).toBeLessThan(tomorrow.getTime() - HOUR);
  const quietId = await alertWith(quiet(), { held_by: 'unconfirmed', due_at: tomorrow });
  expect(await waitingOf(quietId)).toMatchObject([{ reason: 'quiet_hours', dueAt: nextAt(3) }]);
});

it.each([
  [
    'that needs no confirmation and that another has confirmed',
    'off',
    { reason: null, dueAt: expect.stringMatching(/^2/) },
  ],
  ['that needs one', 'on', { reason: 'unconfirmed', dueAt: null }],
] as const)('tells nobody that an address is suppressed which they only typed, %s', async (_what, confirms, told) => {
  const at = await makeTestApi({ db: api.db, env: { CONFIRM_EMAIL: confirms } });
  const email = `owner-${people}-${confirms}@example.com`;
  await api.db.pool.query('update users set email = $2 where id = $1', [userId, email]);
  const other = await at.user(`waiting-typed-${people}`);
  await api.db.pool.query('update users set email = $2, email_confirmed_at = null where id = $1', [other.id, email]);
  await api.db.pool.query(
    "insert into suppressed_addresses (address, reason, since) values ($1, 'complained', now())",
    [email],
  );
  const id = await alertWith();
  const own = userId;
  userId = other.id;
  const seen = await alertWith();
  const claimed = await alertWith({}, { held_by: 'suppressed', due_at: new Date(Date.now() + 24 * HOUR) });
  userId = own;
  expect(await waitingOf(id)).toMatchObject([{ reason: 'suppressed', dueAt: null }]);
  const read = `{ seen: alert(id: ${seen}) { ${fields} } claimed: alert(id: ${claimed}) { ${fields} }
    notificationLog { nodes { reason dueAt } } }`;
  const { data } = await other.browser.gql(read);
  expect([...data.seen.waiting, ...data.claimed.waiting, ...data.notificationLog.nodes]).toMatchObject(
    Array.from({ length: 4 }, () => told),
  );
  // null, as of what has no end, counts as 1970.
  expect(Date.parse(data.claimed.waiting[0].dueAt ?? '1970-01-01')).toBeLessThanOrEqual(Date.now());
  await at.close();
});

it.each([
  ['mails', 'to_address', 'x@example.com', 'email'],
  ['pushes', 'devices', '{}', 'push'],
] as const)(
  'tells the rule that holds a message which is tried again, of %s',
  async (table, column, value, channel) => {
    const id = await insertAlert(api.db.pool, userId);
    const next = new Date(start + 2 * HOUR);
    await api.db.pool.query(
      `insert into ${table} (id, kind, user_id, alert_id, ${column}, status, attempts, error, next_try_at)
     values (gen_random_uuid(), 'match', $1, $2, '${value}', 'waiting', 1, 'The vendor is down.', $3)`,
      [userId, id, next],
    );
    await insertMatch(api.db.pool, id, await insertListing(api.db.pool), { channel, status: 'sending' });
    await api.db.pool.query(
      `update notifications set ${table === 'mails' ? 'mail_id' : 'push_id'} = (select id from ${table} where alert_id = $1 and user_id = $2)
        where alert_id = $1 and user_id = $2`,
      [id, userId],
    );
    const told = async () => {
      const answer = (await logged()).map(({ reason, dueAt }) => [reason, dueAt]);
      // The alert counts what a rule holds, and says the same of it.
      const held = answer
        .filter(([reason]) => reason !== 'The vendor is down.')
        .map(([reason, dueAt]) => ({ channel, listingCount: 1, reason, dueAt }));
      expect(await waitingOf(id)).toEqual(held);
      return answer;
    };
    const failed = ['The vendor is down.', next.toISOString()];
    expect(await told()).toEqual([failed]);
    await api.db.pool.query(`update alerts set delivery = 'daily', digest_hour = $2 where id = $1`, [id, hourOf(4)]);
    expect(await told()).toEqual([['digest', nextAt(4)]]);
    await api.db.pool.query(`update alerts set delivery = 'instant' where id = $1`, [id]);
    expect(await told()).toEqual([failed]);
    const until = soon();
    await api.db.pool.query('update alerts set snoozed_until = $2 where id = $1', [id, until]);
    expect(await told()).toEqual([['snoozed', until.toISOString()]]);
    await api.db.pool.query('update users set messages_paused_at = now() where id = $1', [userId]);
    expect(await told()).toEqual([['paused', null]]);
    await api.db.pool.query('update alerts set snoozed_until = null where id = $1', [id]);
    await api.db.pool.query('update users set messages_paused_at = null where id = $1', [userId]);
    await api.db.pool.query(
      `insert into suppressed_addresses (address, reason, since) select lower(email), 'bounced', now() from users where id = $1`,
      [userId],
    );
    expect(await told()).toEqual([table === 'mails' ? ['suppressed', null] : failed]);
    await api.db.pool.query('update users set email_confirmed_at = null where id = $1', [userId]);
    const { id: owner } = await api.user(`waiting-owner-${people}`);
    await api.db.pool.query(
      'update users set email_confirmed_at = now(), email = (select email from users where id = $2) where id = $1',
      [owner, userId],
    );
    expect(await told()).toEqual([failed]);
  },
);

it('does not count a push message that one device has got while another one is tried again', async () => {
  const id = await alertWith({ snoozed_until: soon() }, { status: 'sending', channel: 'push' });
  await api.db.pool.query(
    `with push as (insert into pushes (id, kind, user_id, alert_id, devices, status, next_try_at, sent_at)
       values (gen_random_uuid(), 'match', $1, $2, '{1}', 'waiting', now(), now()) returning id)
     update notifications set push_id = (select id from push) where alert_id = $2`,
    [userId, id],
  );
  expect(await waitingOf(id)).toEqual([]);
});

it('counts what is tried again with what waits, while a rule holds both', async () => {
  const id = await alertWith({ snoozed_until: soon() });
  await insertMatch(api.db.pool, id, await insertListing(api.db.pool), { status: 'sending' });
  await api.db.pool.query(
    `with mail as (insert into mails (id, kind, user_id, alert_id, to_address, attempts)
       values (gen_random_uuid(), 'match', $1, $2, 'x@example.com', 1) returning id)
     update notifications set mail_id = (select id from mail) where alert_id = $2 and status = 'sending'`,
    [userId, id],
  );
  expect(await waitingOf(id)).toMatchObject([{ channel: 'email', listingCount: 2, reason: 'snoozed' }]);
  expect(await logged()).toMatchObject([
    { listingCount: 1, reason: 'snoozed' },
    { listingCount: 1, reason: 'snoozed' },
  ]);
  await browser.gql(`mutation { snoozeAlert(id: ${id}, days: 0) { id } }`);
  expect(await waitingOf(id)).toMatchObject([{ channel: 'email', listingCount: 1, reason: null }]);
});
