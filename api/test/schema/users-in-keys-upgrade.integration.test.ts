import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOBODY } from '../../src/domain/mail-kinds.ts';
import { migrateDatabase } from '../../src/launcher/postgres/migrate.ts';
import { makeOldDatabase, onCluster, type TestDatabase } from '../database.ts';
import { insertAlert, insertPlan, insertUser } from '../mail/mail-fixtures.ts';

const BEFORE = '107-users-of-matches';
const DELETED = 987_654;

let db: TestDatabase;
let owner = 0;
let alertId = 0;
/** A process of the version before, whose statements are prepared before the keys change. */
let old: pg.Client;
beforeAll(async () => {
  db = await makeOldDatabase(BEFORE);
  await insertPlan(db.pool);
  owner = await insertUser(db.pool);
  alertId = await insertAlert(db.pool, owner);
  old = new pg.Client({ connectionString: db.url });
  await old.connect();
  await writeAsBefore('before');
});
afterAll(async () => {
  await old.end();
  await db.close();
});

/** As the version before writes rows, and finds them by their ids. @param tag of the texts that must differ */
async function writeAsBefore(tag: string): Promise<void> {
  const run = async (text: string, values: unknown[]) => {
    const { rows } = await old.query<Record<string, unknown>>({ name: text, text, values });
    return Object.values(rows[0] ?? {})[0];
  };
  await run('select from alerts where id = any($1::int8[]) order by id for no key update', [[alertId]]);
  expect(await run('update alerts set version = version + 1 where id = $1 returning id', [alertId])).toBe(
    String(alertId),
  );
  await run('insert into former_alerts (alert_id, user_id) values ($1, $2) on conflict do nothing', [alertId, owner]);
  await run('insert into alerts_to_trim (alert_id) values ($1), ($2)', [alertId, DELETED]);
  await run('insert into price_drops (user_id, alert_id, listing_id, price, price_before) values ($1, $2, 1, 1, 2)', [
    owner,
    alertId,
  ]);
  await run(
    `insert into texts (id, kind, user_id, alert_id, to_phone) values (gen_random_uuid(), 'match', $1, $2, $3)`,
    [owner, alertId, tag],
  );
  await run(
    `insert into pushes (id, kind, user_id, alert_id, devices, next_try_at) values (gen_random_uuid(), 'match', $1, $2, '{}', now())`,
    [owner, alertId],
  );
  const browser = `insert into push_subscriptions as s (user_id, endpoint, p256dh, auth) values ($1, $2, '', '')
    on conflict (endpoint) do update set user_id = excluded.user_id where s.auth = excluded.auth returning id`;
  expect(await run(browser, [owner, tag])).toBe(await run(browser, [owner, tag]));
  for (const user of [owner, NOBODY]) {
    const mail = await run(
      "insert into mails (kind, user_id, to_address) values ('text_cap', $1, 'a@example.com') returning id",
      [user],
    );
    const report =
      "insert into mail_events (id, mail_id, kind, at) values ($1, $2, 'delivered', now()) on conflict do nothing";
    for (let times = 0; times < 2; times += 1) await run(report, [`${tag}-${user}`, mail]);
    await run('update mails set delivered_at = now() where id = any($1::uuid[])', [[mail]]);
  }
  await run(
    `insert into lost_messages (restore_id, channel, kind, status, user_id, sent_at)
     values (1, 'email', 'match', 'sent', $1, now()), (1, 'email', 'contact', 'sent', null, now())`,
    [owner],
  );
  const webhook = await run(
    "insert into webhooks (user_id, url, events, secret_ciphertext) values ($1, $2, '{test}', '') returning id",
    [owner, tag],
  );
  const event = await run(
    "insert into webhook_events (user_id, type, subject, data) values ($1, 'test', $2, '{}') on conflict (user_id, type, subject) do nothing returning id",
    [owner, tag],
  );
  const again = `insert into webhook_deliveries as d (user_id, webhook_id, event_id) select e.user_id, $1, e.id from webhook_events e
     where e.id = $2 on conflict (webhook_id, event_id) do update set tries = 7 where d.status <> 'sending' returning id`;
  const delivery = await run(again, [webhook, event]);
  expect(await run(again, [webhook, event])).toBe(delivery);
  await run('insert into webhook_attempts (user_id, delivery_id, ms) values ($1, $2, 1)', [owner, delivery]);
}

const byId = [
  'alerts_to_trim',
  'lost_messages',
  'price_drops',
  'texts',
  'pushes',
  'mails',
  'mail_events',
  'webhooks',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
  'push_subscriptions',
];
const countOf = async (table: string) => (await db.row(`select count(*)::int4 as rows from ${table}`)).rows;

it('changes keys beside the version before, whose prepared statements go on', async () => {
  await migrateDatabase(db.url);
  await writeAsBefore('after');
  const written: Record<string, number> = { alerts_to_trim: 3, lost_messages: 4, mails: 4, mail_events: 4 };
  expect(await countOf('former_alerts')).toBe(1);
  for (const table of byId) expect([table, await countOf(table)]).toEqual([table, written[table] ?? 2]);
});

it('gives notes of alerts their user; who would only note a deleted alert notes nothing', async () => {
  expect(await db.rows('select alert_id as id, user_id as owner from alerts_to_trim order by 1')).toEqual([
    { id: alertId, owner },
    { id: alertId, owner },
    { id: DELETED, owner: NOBODY },
  ]);
});

it('gives what the vendor reports of mails, and what a restored database has lost, their users', async () => {
  const ownersIn = (table: string) => db.rows(`select user_id as id from ${table} order by 1`);
  const owners = [NOBODY, NOBODY, owner, owner].map((id) => ({ id }));
  expect([await ownersIn('mail_events'), await ownersIn('lost_messages')]).toEqual([owners, owners]);
});

// A cluster's server has statistics of these few rows, and reads them all.
it.skipIf(onCluster)('still finds a row by its id alone with the key', async () => {
  for (const table of ['alerts', ...byId]) {
    const plan = await db.rows(`explain (costs off) select from ${table} where id = (select id from ${table} limit 1)`);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(`${table}_pkey`);
  }
});

const referring = [
  ['mail_events', 'mail_id', 'mails'],
  ['webhook_attempts', 'delivery_id', 'webhook_deliveries'],
  ['webhook_deliveries', 'event_id', 'webhook_events'],
] as const;
it.each(referring)(
  'what of %s refers by %s to a row of %s goes with it, and refers to none of another user',
  async (table, by, to) => {
    const before = await countOf(table);
    const { id } = await db.row(`select min(${by}::text) as id from ${table}`);
    const change = `update ${table} set user_id = user_id + 1 where ${by}::text = $1`;
    await expect(db.pool.query(change, [id])).rejects.toMatchObject({ code: '23503' });
    await db.pool.query(`delete from ${to} where id::text = $1`, [id]);
    expect(await db.rows(`select from ${table} where ${by}::text = $1`, [id])).toEqual([]);
    expect(await countOf(table)).toBe(before - 1);
  },
);

it('is run again where it died at its end, is undone, and is done again', async () => {
  const before = await db.rows(
    'select conname, pg_get_constraintdef(oid) as is from pg_constraint order by conrelid, conname',
  );
  await db.pool.query('delete from migrations where name > $1', [BEFORE]);
  await migrateDatabase(db.url);
  await db.orm.migrator.down({ to: BEFORE });
  await writeAsBefore('undone');
  await migrateDatabase(db.url);
  expect(
    await db.rows('select conname, pg_get_constraintdef(oid) as is from pg_constraint order by conrelid, conname'),
  ).toEqual(before);
  expect(await db.rows('select from pg_index where not indisvalid')).toEqual([]);
});
