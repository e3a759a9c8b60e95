import { beforeEach, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertAlert, insertListing, insertMatch } from '../../../test/mail/mail-fixtures.ts';
import { setUpApi } from '../../../test/make-app.ts';

let ana: Browser;
let anaId: number;
let ben: Browser;
let benId: number;
let alertId: number;

const api = setUpApi({}, async () => {
  ({ browser: ana, id: anaId } = await api.user('ana'));
  ({ browser: ben, id: benId } = await api.user('ben'));
});
beforeEach(async () => {
  await api.db.pool.query(
    'truncate alerts, listings, listings_to_match, matches, notifications, mails, texts, pushes restart identity cascade',
  );
  alertId = await insertAlert(api.db.pool, anaId);
});

interface Node {
  id: string;
  [field: string]: unknown;
}

const query = `query ($first: Int, $after: String) { notificationLog(first: $first, after: $after) {
  nodes { id kind channel status reason heldBy alert { id } listings { id } listingCount createdAt dueAt sentAt deliveredAt }
  endCursor hasMore } }`;
const page = async (browser: Browser, variables = {}) =>
  (await browser.gql(query, variables)).data.notificationLog as {
    nodes: Node[];
    endCursor: string | null;
    hasMore: boolean;
  };

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const at = (date: Date) => date.toISOString();

/** A mail with cars. @returns its id */
async function insertMail(cars: number, row: Record<string, unknown> = {}, owner = anaId, alert = alertId) {
  const mail = { kind: 'match', user_id: owner, alert_id: alert, to_address: 'x@example.com', status: 'sent', ...row };
  const names = Object.keys(mail);
  const { rows } = await api.db.pool.query<{ id: string }>(
    `insert into mails (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(mail),
  );
  const id = rows[0]?.id ?? '';
  for (let count = 0; count < cars; count += 1)
    await match({ status: mail.status === 'waiting' ? 'sending' : mail.status, mail_id: id }, alert);
  return id;
}

const match = async (row: Record<string, unknown>, alert = alertId) =>
  insertMatch(api.db.pool, alert, await insertListing(api.db.pool), row);

it('shows each message once, with its cars, alert and times', async () => {
  const [created, sent] = [ago(10), ago(9)];
  const id = await insertMail(3, { created_at: created, sent_at: sent, kind: 'digest' });
  const { nodes, hasMore } = await page(ana);
  expect(hasMore).toBe(false);
  expect(nodes).toEqual([
    {
      id,
      kind: 'digest',
      channel: 'email',
      status: 'sent',
      reason: null,
      heldBy: null,
      alert: { id: String(alertId) },
      listings: [{ id: '1' }, { id: '2' }, { id: '3' }],
      listingCount: 3,
      createdAt: at(created),
      dueAt: null,
      sentAt: at(sent),
      deliveredAt: null,
    },
  ]);
});

it('names twenty listings of a message with more', async () => {
  await insertMail(23, { kind: 'digest' });
  const { nodes } = await page(ana);
  expect(nodes[0]).toMatchObject({ listingCount: 23 });
  expect(nodes[0]?.listings).toHaveLength(20);
});

it.each(['interval', 'digest', 'quiet_hours', 'snoozed', 'daily_limit'])(
  'shows what %s holds as one entry an alert and channel, with the time when it is due',
  async (heldBy) => {
    const dueAt = ago(-60);
    await match({ due_at: dueAt, held_by: heldBy });
    await match({ due_at: dueAt, held_by: heldBy, kind: 'price_drop' });
    await match({ due_at: dueAt, held_by: heldBy, channel: 'sms', kind: 'price_drop' });
    const { nodes } = await page(ana);
    expect(nodes).toHaveLength(2);
    const held = { status: 'waiting', reason: heldBy, dueAt: at(dueAt) };
    expect(nodes).toContainEqual(
      expect.objectContaining({ ...held, channel: 'email', kind: 'match', listingCount: 2 }),
    );
    expect(nodes).toContainEqual(
      expect.objectContaining({ ...held, channel: 'sms', kind: 'price_drop', listingCount: 1 }),
    );
  },
);

it('names no time for what waits until the user resumes messages, and no rule for what is due', async () => {
  await match({ due_at: ago(-60), held_by: 'paused' });
  await match({ due_at: ago(1), held_by: 'quiet_hours', channel: 'sms' });
  const { nodes } = await page(ana);
  expect(nodes.find(({ channel }) => channel === 'email')).toMatchObject({ reason: 'paused', dueAt: null });
  expect(nodes.find(({ channel }) => channel === 'sms')).toMatchObject({ reason: null });
});

it.each([
  ['email', `insert into mails (kind, user_id, alert_id, to_address, status) values ('match', $1, $2, 'x', 'sent')`],
  [
    'sms',
    `insert into texts (id, kind, user_id, alert_id, to_phone, status) values (gen_random_uuid(), 'match', $1, $2, 'x', 'sent')`,
  ],
  [
    'push',
    `insert into pushes (id, kind, user_id, alert_id, devices, status, next_try_at, sent_at)
     values (gen_random_uuid(), 'match', $1, $2, '{}', 'sent', now(), now())`,
  ],
])('says by which rule the first car was held of what was sent by %s', async (channel, insert) => {
  const { rows } = await api.db.pool.query<{ id: string }>(`${insert} returning id`, [anaId, alertId]);
  const message = { email: 'mail_id', sms: 'text_id', push: 'push_id' }[channel] ?? '';
  const heldBy = async () => (await page(ana)).nodes.map((node) => node.heldBy);
  const sent = (rule: string | null) =>
    match({ channel, status: 'sent', [message]: rows[0]?.id, ...(rule && { held_by: rule }) });
  for (const rule of [null, 'interval', 'country']) await sent(rule);
  expect(await heldBy()).toEqual([null]);
  for (const rule of ['quiet_hours', 'digest']) await sent(rule);
  expect(await heldBy()).toEqual(['quiet_hours']);
});

it.each(['waiting', 'sending', 'failed', 'dropped'])('shows a mail that is %s, with its error', async (status) => {
  await insertMail(1, { status, error: 'busy' });
  expect((await page(ana)).nodes).toMatchObject([{ status, reason: 'busy', listingCount: 1, sentAt: null }]);
});

it.each([
  ['sending', null],
  ['sent', null],
  ['failed', 'no such number'],
  ['unknown', 'timeout'],
])('shows a text that is %s', async (status, error) => {
  await api.db.pool.query(
    `insert into texts (id, kind, user_id, alert_id, to_phone, status, error)
     select gen_random_uuid(), kind, $1, $2, '+15125550123', $3, $4 from unnest(array['sold', 'code']) kind`,
    [anaId, alertId, status, error],
  );
  const { rows } = await api.db.pool.query<{ id: string }>(`select id from texts where kind = 'sold'`);
  await match({ channel: 'sms', status, text_id: rows[0]?.id });
  expect((await page(ana)).nodes).toMatchObject([
    { channel: 'sms', kind: 'sold', status, reason: error, listingCount: 1 },
  ]);
});

it.each([
  ['waiting', null, 'waiting', 'busy'],
  ['sending', null, 'sending', null],
  ['sent', ago(1), 'sent', null],
  // One device has accepted it, and another is tried again.
  ['waiting', ago(1), 'sent', null],
  ['failed', null, 'failed', 'The push service answered 403'],
])('shows a push message that is %s and was accepted at %s as %s', async (status, sentAt, shown, error) => {
  const { rows } = await api.db.pool.query<{ id: string }>(
    `insert into pushes (id, kind, user_id, alert_id, devices, status, sent_at, error, next_try_at)
     values (gen_random_uuid(), 'digest', $1, $2, '{}', $3, $4, $5, now()) returning id`,
    [anaId, alertId, status, sentAt, error],
  );
  await match({ channel: 'push', status: status === 'waiting' ? 'sending' : status, push_id: rows[0]?.id });
  const accepted = sentAt && at(sentAt);
  expect((await page(ana)).nodes).toMatchObject([
    {
      kind: 'digest',
      channel: 'push',
      status: shown,
      reason: error,
      listingCount: 1,
      sentAt: accepted,
      deliveredAt: null,
    },
  ]);
});

it('a receipt says when a push service accepted the message, and that it was a push service', async () => {
  const [accepted, arrived] = [ago(3), ago(1)];
  const { rows } = await api.db.pool.query<{ id: string }>(
    `insert into pushes (id, kind, user_id, alert_id, devices, status, sent_at, next_try_at)
     values (gen_random_uuid(), 'match', $1, $2, '{}', 'sent', $3, now()) returning id`,
    [anaId, alertId, accepted],
  );
  const listingId = await insertListing(api.db.pool);
  await insertMatch(api.db.pool, alertId, listingId, { channel: 'push', status: 'sent', push_id: rows[0]?.id });
  const receipts = async () =>
    (
      await ana.gql(`{ matches(alertId: ${alertId}) { nodes { receipt { handedOverAt deliveredAt deliveredBy } } } }`)
    ).data.matches.nodes.map(({ receipt }: { receipt: unknown }) => receipt);
  // A match is shown once every older transaction of the server has ended, and other tests run some.
  await expect.poll(receipts, { timeout: 20_000 }).toHaveLength(1);
  expect(await receipts()).toEqual([{ handedOverAt: at(accepted), deliveredAt: at(accepted), deliveredBy: 'push' }]);
  const mailId = await insertMail(0, { sent_at: ago(4), delivered_at: arrived });
  await api.db.pool.query(
    `insert into notifications (alert_id, listing_id, channel, kind, status, mail_id, due_at, user_id)
     values ($1, $2, 'email', 'match', 'sent', $3, now(), $4)`,
    [alertId, listingId, mailId, anaId],
  );
  expect(await receipts()).toMatchObject([{ deliveredAt: at(accepted), deliveredBy: 'push' }]);
  await api.db.pool.query('update mails set delivered_at = $1', [ago(3.5)]);
  expect(await receipts()).toMatchObject([{ deliveredBy: 'email' }]);
});

it('shows what was dropped before it became part of a message once', async () => {
  const settled = ago(5);
  for (let count = 0; count < 3; count += 1) await match({ status: 'dropped', settled_at: settled });
  await match({ status: 'dropped', settled_at: ago(2) });
  const { nodes } = await page(ana);
  expect(nodes.map(({ status, listingCount }) => [status, listingCount]).toSorted()).toEqual([
    ['dropped', 1],
    ['dropped', 3],
  ]);
});

it('keeps the messages of a deleted alert, without the alert', async () => {
  await insertMail(1);
  await ana.gql('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: alertId });
  expect((await page(ana)).nodes).toMatchObject([{ status: 'sent', alert: null, listingCount: 1 }]);
});

it("shows a user's own messages only, and none to visitors", async () => {
  const theirs = await insertAlert(api.db.pool, benId);
  await insertMail(1, {}, benId, theirs);
  await match({ due_at: ago(-60), held_by: 'snoozed' }, theirs);
  await match({ status: 'dropped', settled_at: new Date() }, theirs);
  expect((await page(ana)).nodes).toEqual([]);
  expect((await page(ben)).nodes).toHaveLength(3);
  const { errors } = await makeBrowser(api.url).gql(query);
  expect(errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
});

it('reads every entry once, newest first, while new ones come in', async () => {
  const other = await insertAlert(api.db.pool, anaId);
  // Several have the same time, between which a page must not end.
  for (let count = 0; count < 12; count += 1)
    await insertMail(1, { created_at: ago(10 + Math.floor(count / 4)) }, anaId, count % 2 ? alertId : other);
  await match({ due_at: ago(-60), held_by: 'snoozed', created_at: ago(11) });
  await match({ status: 'dropped', settled_at: ago(3), created_at: ago(12) });
  const before = (await page(ana, { first: 100 })).nodes.map(({ id }) => id);
  expect(before).toHaveLength(14);

  const read: Node[] = [];
  let after: string | null = null;
  do {
    const { nodes, endCursor, hasMore } = await page(ana, { first: 3, after });
    read.push(...nodes);
    after = hasMore ? endCursor : null;
    await insertMail(1);
  } while (after !== null);
  expect(read.map(({ id }) => id)).toEqual(before);
  const times = read.map(({ createdAt }) => String(createdAt));
  expect(times).toEqual(times.toSorted().toReversed());
});

it('refuses an invalid page size or cursor', async () => {
  for (const [given, field] of [
    [{ first: 0 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ after: "1' or true" }, 'after'],
  ] as const) {
    const { errors } = await ana.gql(query, given);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { [field]: expect.any(String) } });
  }
});
