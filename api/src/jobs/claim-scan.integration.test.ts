import { beforeEach, expect, it } from 'vitest';
import { interceptPool } from '../../lab/intercept-statements.ts';
import { setUpDatabase } from '../../test/database.ts';
import { markListings } from '../../test/matching/listing-marks.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { ClaimScan } from '../base/claim-scan.ts';
import { makePool, type Pool } from '../base/database.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { claimEnqueued, findDueAlerts } from '../notify/channels/email/claim-mails.ts';
import { findDueAlerts as findDueTexts } from '../notify/channels/one-alert.ts';
import { claimRetries } from '../notify/channels/push/claim-pushes.ts';
import { giveUpStaleTexts } from '../notify/channels/sms/complete-texts.ts';
import { claimMessages } from '../notify/channels/webhook/claim-messages.ts';

let userId: number;
let alerts: number[];
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
  alerts = await insertAlerts(db.pool, userId, [camryAlert, camryAlert]);
});
beforeEach(() =>
  db.pool.query(
    'truncate listings, listings_to_match, matches, notifications, mails, texts, pushes, webhooks, webhook_events restart identity cascade',
  ),
);

/** As after slow claims from the beginning of the index, the last of which found this. */
function slowScan<Place>(place: Place): ClaimScan<Place> {
  const scan = new ClaimScan<Place>();
  for (let at = 0; at < 10; at += 1) scan.done(null, 100, place);
  return scan;
}
const secondsAgo = async (seconds: number): Promise<string> =>
  (await db.row("select (now() - $1 * interval '1 second')::text as place", [seconds])).place;
const rested = (scan: ClaimScan<unknown>) => expect.poll(() => scan.restMs).toBeNull();

it('matches new listings while the whole index is slow, and one that changed behind them a little later', async () => {
  await insertListings(db.pool, [camry, camry, camry]);
  while ((await matchPendingListings(db.pool)) > 0);
  await insertListings(db.pool, [camry]);
  await markListings(db.pool, 'id = 1');
  const waiting = async () =>
    (await db.rows('select listing_id as id from listings_to_match order by 1')).map(({ id }) => id);
  const scan = slowScan(3);
  expect(await matchPendingListings(db.pool, 64, scan)).toBe(1);
  expect(await waiting()).toEqual([1]);
  expect(await matchPendingListings(db.pool, 64, scan)).toBe(0);
  await rested(scan);
  expect(await matchPendingListings(db.pool, 64, scan)).toBe(1);
  expect(await waiting()).toEqual([]);
});

it('begins no later than before after a claim that left an alert out, whose rows still wait', async () => {
  const place = await secondsAgo(3_600);
  const scan = slowScan(place);
  await findDueAlerts(db.pool, [7], scan);
  expect(scan.next()).toBe(place);
  await findDueAlerts(db.pool, [], scan);
  expect(scan.next()).not.toBe(place);
});

it.each([
  ['email', (scan: ClaimScan<string>) => findDueAlerts(db.pool, [], scan)],
  ['sms', (scan: ClaimScan<string>) => findDueTexts(db.pool, 'sms', [], scan)],
] as const)(
  'finds what became due lately on the channel %s, and what waits for longer after a rest',
  async (channel, find) => {
    const insertDue = (alertId: number | undefined, ago: string) =>
      db.pool.query(
        'insert into notifications (user_id, alert_id, listing_id, channel, due_at) values ($1, $2, 1, $3, now() - $4::interval)',
        [userId, alertId, channel, ago],
      );
    await insertDue(alerts[0], '1 hour');
    await insertDue(alerts[1], '3 seconds');
    const scan = slowScan(await secondsAgo(5));
    const found = async () => (await find(scan)).map(({ alertId }) => alertId);
    expect(await found()).toEqual([alerts[1]]);
    await rested(scan);
    expect((await found()).toSorted()).toEqual(alerts.toSorted());
  },
);

it('claims mails that became due lately, and those that a process left behind after a rest', async () => {
  await db.pool.query(
    `insert into mails (kind, user_id, to_address, status, next_try_at, claimed_at)
     values ('reset', $1, 'left@example.test', 'sending', now() - interval '1 hour', now() - interval '1 hour'),
            ('reset', $1, 'new@example.test', 'waiting', now(), null)`,
    [userId],
  );
  const scan = slowScan(await secondsAgo(5));
  expect(await claimEnqueued(db.pool, 10, 60_000, [], scan)).toMatchObject([{ to: 'new@example.test' }]);
  await rested(scan);
  expect(await claimEnqueued(db.pool, 10, 60_000, [], scan)).toMatchObject([
    { to: 'left@example.test', leftBehind: true },
  ]);
});

it('claims push messages that became due lately, and those that a process left behind after a rest', async () => {
  const [other = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
  const insertPush = (owner: number, ago: string) =>
    db.pool.query(
      `insert into pushes (id, user_id, alert_id, kind, devices, next_try_at) values (gen_random_uuid(), $1, $2, 'match', '{}', now() - $3::interval)`,
      [owner, other, ago],
    );
  await insertPush(1_001, '1 hour');
  await insertPush(1_002, '1 second');
  const scan = slowScan(await secondsAgo(5));
  expect(await claimRetries(db.pool, 10, [], scan)).toMatchObject([{ userId: 1_002 }]);
  await rested(scan);
  expect(await claimRetries(db.pool, 10, [], scan)).toMatchObject([{ userId: 1_001 }]);
});

it('gives up texts of processes that ended lately, and older ones after a rest', async () => {
  const insertText = (ago: string) =>
    db.pool.query(
      `insert into texts (id, kind, user_id, to_phone, created_at) values (gen_random_uuid(), 'match', $1, '', now() - $2::interval)`,
      [userId, ago],
    );
  await insertText('1 hour');
  await insertText('70 seconds');
  const scan = slowScan(await secondsAgo(90));
  expect(await giveUpStaleTexts(db.pool, 60_000, scan)).toBe(1);
  await rested(scan);
  expect(await giveUpStaleTexts(db.pool, 60_000, scan)).toBe(1);
});

it('claims messages of webhooks that became due lately, and those that a process left behind after a rest', async () => {
  const webhook = async () =>
    (
      await db.row(
        `insert into webhooks (user_id, url, events, secret_ciphertext) values ($1, 'https://dealer.example', '{match.created}', '') returning id`,
        [userId],
      )
    ).id;
  const insertMessage = async (webhookId: number, subject: string, ago: string) => {
    const { id } = await db.row(
      "insert into webhook_events (user_id, type, subject, data) values ($1, 'match.created', $2, '{}') returning id",
      [userId, subject],
    );
    await db.pool.query(
      'insert into webhook_deliveries (user_id, webhook_id, event_id, next_try_at) values ($1, $2, $3, now() - $4::interval)',
      [userId, webhookId, id, ago],
    );
    return id;
  };
  const [first, second] = [await webhook(), await webhook()];
  const left = await insertMessage(first, 'left', '1 hour');
  const late = await insertMessage(first, 'new', '1 second');
  const leftToo = await insertMessage(second, 'left too', '1 hour');
  const scan = slowScan(await secondsAgo(5));
  const claim = async () =>
    (await claimMessages(db.pool, 10, scan)).map(({ webhookId, cursor }) => [webhookId, cursor]);
  expect(await claim()).toEqual([[first, late]]);
  await rested(scan);
  expect(await claim()).toEqual([
    [first, left],
    [second, leftToo],
  ]);
});

it('messages of a webhook that has no room stay where the next claim begins', async () => {
  const { id } = await db.row(
    `insert into webhooks (user_id, url, events, secret_ciphertext) values ($1, 'https://dealer.example', '{match.created}', '') returning id`,
    [userId],
  );
  await db.pool.query(
    `with event as (
       insert into webhook_events (user_id, type, subject, data)
       select $1, 'match.created', n, '{}' from generate_series(1, 6) n returning id)
     insert into webhook_deliveries (user_id, webhook_id, event_id, next_try_at)
     select $1, $2, id, now() - interval '1 minute' from event`,
    [userId, id],
  );
  const scan = slowScan(await secondsAgo(90));
  expect(await claimMessages(db.pool, 10, scan)).toHaveLength(4);
  expect(await claimMessages(db.pool, 10, scan)).toHaveLength(0);
  await db.pool.query("update webhook_deliveries set status = 'delivered' where status = 'sending'");
  expect(scan.restMs).not.toBeNull();
  expect(await claimMessages(db.pool, 10, scan)).toHaveLength(2);
});

const claims: [string, (scan: ClaimScan<string>, pool?: Pool) => Promise<unknown>][] = [
  ['due alerts', (scan, pool = db.pool) => findDueAlerts(pool, [], scan)],
  ['due push messages', (scan, pool = db.pool) => findDueTexts(pool, 'push', [], scan)],
  ['enqueued mails', (scan, pool = db.pool) => claimEnqueued(pool, 10, 60_000, [], scan)],
  ['tried push messages', (scan, pool = db.pool) => claimRetries(pool, 10, [], scan)],
  ['stale texts', (scan, pool = db.pool) => giveUpStaleTexts(pool, 60_000, scan)],
  ['messages of webhooks', (scan, pool = db.pool) => claimMessages(pool, 10, scan)],
];

it.each(claims)('a claim of %s that finds nothing moves on', async (_what, claim) => {
  const scan = slowScan('-infinity');
  await claim(scan);
  const place = scan.next();
  expect(await db.row(`select $1::timestamptz > now() - interval '2 minutes' as "isLate"`, [place])).toEqual({
    isLate: true,
  });
});

/** Cancels every statement that reads an index of what waits. */
async function withCanceledClaims(work: (pool: Pool) => Promise<unknown>): Promise<void> {
  const pool = makePool(db.url, 2);
  const isClaim =
    /^(match-listings-claim|notify-due-alerts.*|notify-claim-enqueued|pushes-claim-retries|texts-give-up-stale|webhooks-lock-ready)$/;
  interceptPool(pool, async (_client, statement, send) => {
    if (!isClaim.test(statement.name)) return send(statement);
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  });
  await expect(work(pool)).rejects.toMatchObject({ code: '57014' });
  await pool.end();
}

it.each([
  ...claims,
  ['new listings', (scan: ClaimScan<string>, pool = db.pool) => matchPendingListings(pool, 64, scan as never)] as const,
])(
  'the next claim of %s begins at the place after the server cancelled one of the whole index',
  async (_what, claim) => {
    const scan = new ClaimScan<string>();
    scan.done(null, 1, '2026-01-01');
    expect(scan.next()).toBeNull();
    await withCanceledClaims((pool) => claim(scan, pool));
    expect(scan.next()).toBe('2026-01-01');
  },
);
