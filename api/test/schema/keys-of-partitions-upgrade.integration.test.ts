/** @module-tag plain */
// It takes a database of this version back, which a distributed one refuses.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../database.ts';
import { insertAlert, insertPlan, insertUser } from '../mail/mail-fixtures.ts';
import { splitPartitions } from '../split-partitions.ts';

const migrations = {
  notifications: '116-users-in-keys-of-notifications',
  matches: '117-users-in-keys-of-matches',
};
/** The first listing of the second partition, and of the one that is added while the keys change. */
const SECOND = 2_000;
const ADDED = 6_000;
const ROWS = 4_000;
const NO_SUCH_CONSTRAINT = '42P10';

let db: TestDatabase;
let owner = 0;
let alertId = 0;
/** A process of a version before, whose statements are prepared before the keys change. */
let old: pg.Client;
beforeAll(async () => {
  db = await makeTestDatabase();
  await db.orm.migrator.down({ migrations: Object.values(migrations).toReversed() });
  await insertPlan(db.pool);
  owner = await insertUser(db.pool);
  alertId = await insertAlert(db.pool, owner);
  await splitPartitions(db.pool, SECOND);
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
     select n, $1, $2, 1, 1, true, n from generate_series(1, $3::int4) n`,
    [alertId, owner, ROWS],
  );
  await db.pool.query(
    `insert into notifications (user_id, alert_id, listing_id, due_at, created_at)
     select $2, $1, n, now(), now() - interval '2 years' from generate_series(1, $3::int4) n`,
    [alertId, owner, ROWS],
  );
  await db.pool.query('analyze matches, notifications');
  old = new pg.Client({ connectionString: db.url });
  await old.connect();
});
afterAll(async () => {
  await old.end();
  await db.close();
});

const run = async (text: string, values: unknown[]) =>
  (await old.query({ name: text.slice(-60), text, values })).rowCount;
const pair = 'insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)';
const forColumns = `${pair} values ($1, $2, $3, 1, 1, true, 1) on conflict (listing_id, alert_id) do update set price = 3`;

/** Writes as a version before does what both tables have of a listing, a pair twice. */
async function write(listing: number): Promise<void> {
  const values = [listing, alertId, owner];
  const named = `${pair} values ($1, $2, $3, 1, 1, true, 1) on conflict on constraint matches_pkey do update set price = 1`;
  for (let times = 0; times < 2; times += 1) expect(await run(named, values)).toBe(1);
  expect(await run('update matches set price = 2 where listing_id = $1 and alert_id = $2', values.slice(0, 2))).toBe(1);
  const told = 'insert into notifications (listing_id, alert_id, user_id, due_at) values ($1, $2, $3, now())';
  expect(await run(told, values)).toBe(1);
  const byId =
    "update notifications set status = 'sent' where id = (select max(id) from notifications where listing_id = $1)";
  expect(await run(byId, [listing])).toBe(1);
}

/** The keys of the table and of its partitions, with what was built for them. */
const keysOf = (table: string): Promise<{ name: string; is: string }[]> =>
  db.rows(
    `select c.relname as name, regexp_replace(pg_get_indexdef(i.indexrelid), '.*btree ', '') as is
       from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indisunique and (i.indrelid = $1::regclass or i.indrelid in (select inhrelid from pg_inherits where inhparent = $1::regclass))
      order by c.relname`,
    [table],
  );
const keyNames = (table: string, ...parts: string[]) => ['', ...parts].map((part) => `${table}${part}_pkey`);

/** Runs a migration, which waits to build an index until the old snapshot ends. @returns how it ended */
async function buildBeside(migration: string, meanwhile: (builder: number) => Promise<unknown>): Promise<unknown> {
  const snapshot = await db.pool.connect();
  await snapshot.query('begin isolation level repeatable read; select 1');
  const ended = db.orm.migrator.up({ migrations: [migration] }).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    const builds = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'create unique index concurrently%'`;
    const waits = async () => ((await db.row(builds)) ? 'waits' : await Promise.race([ended, 'not yet']));
    await expect.poll(waits, { timeout: 10_000 }).toBe('waits');
    await meanwhile((await db.row(builds)).pid);
  } finally {
    await snapshot.query('commit');
    snapshot.release();
  }
  return ended;
}

const beginLeaving = (table: string) =>
  db.pool.query(`select begin_leaving('${table}', $1, interval '1 year')`, [SECOND]);

describe.each([
  { table: 'notifications', migration: migrations.notifications, key: '(id, listing_id, user_id)' },
  { table: 'matches', migration: migrations.matches, key: '(listing_id, alert_id, user_id)' },
])('the key of $table', ({ table, migration, key }) => {
  const count = async () => (await db.row(`select count(*)::int4 as n from ${table}`)).n;

  it('stays what it was while indexes are built, also where the migration dies or a partition is added', async () => {
    await beginLeaving(table);
    await db.row(`select copy_staying('${table}', 20)`);
    await db.pool.query(`update ${table} set price = 1 where listing_id = 1`);
    const before = await keysOf(table);
    const kill = (pid: number) => db.pool.query('select pg_terminate_backend($1)', [pid]);
    expect(await buildBeside(migration, kill)).toMatchObject({ code: '57P01' });
    expect(await db.rows('select from pg_index where not indisvalid')).not.toEqual([]);
    await write(ROWS + 1);

    const add = async () => {
      await expect(beginLeaving(table)).rejects.toMatchObject({ code: '55P03' });
      await db.pool.query(`select bound_last_partition('${table}', ${ADDED})`);
    };
    expect(await buildBeside(migration, add)).toMatchObject({ code: '55P03' });
    const after = await keysOf(table);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.map(({ name }) => name)).toEqual(
      expect.arrayContaining(keyNames(table, '_1', '_2', `_from_${ADDED}`)),
    );
    await write(ROWS + 2);
    await write(ADDED);
  });

  it('gets the user while a version before writes, whose prepared statements go on', async () => {
    const before = await count();
    let isMigrated = false;
    const migrated = db.orm.migrator.up({ migrations: [migration] }).finally(() => {
      isMigrated = true;
    });
    let listings = 0;
    for (; !isMigrated; listings += 1) await write(ADDED + 100 + listings);
    await migrated;
    for (const listing of [ADDED + 98, ADDED + 99, 1]) await write(listing);
    expect(await count()).toBe(before + listings + (table === 'matches' ? 2 : 3));
    await db.pool.query('delete from matches where listing_id >= $1', [ADDED]);
    expect((await keysOf(table)).map(({ is }) => is)).toEqual(Array.from({ length: 4 }, () => key));
    expect((await keysOf(table)).map(({ name }) => name)).toEqual(
      keyNames(table, '_1', '_2', `_from_${ADDED}`).toSorted(),
    );
    expect(await db.rows('select from pg_index where not indisvalid')).toEqual([]);
  });

  it('still finds a row without the user', async () => {
    const where = table === 'matches' ? `listing_id = 7 and alert_id = ${alertId}` : 'id = 7';
    const plan = await db.rows(`explain (costs off) select from ${table} where ${where}`);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(`${table}_1_pkey`);
  });

  it('is that of what stays of old partitions, which is copied again from its beginning', async () => {
    const leaving = 'select from leaving_partitions union all select from leaving_changes';
    expect(await db.rows(leaving)).toEqual([]);
    await beginLeaving(table);
    for (let copied: number | null = 0; copied !== null; )
      ({ copied } = await db.row(`select copy_staying('${table}', 1000) as copied`));
    await db.pool.query(`update ${table} set price = 5 where listing_id = 1`);
    await db.pool.query(`select finish_leaving('${table}')`);
    expect(await db.rows(leaving)).toEqual([]);
    expect(new Set((await keysOf(table)).map(({ is }) => is))).toEqual(new Set([key]));
    await write(1);
  });

  it('is undone and done again with all partitions, and once more where it died at its end', async () => {
    const [before, rows] = [await keysOf(table), await count()];
    await db.orm.migrator.down({ migrations: [migration] });
    expect(new Set((await keysOf(table)).map(({ is }) => is))).toEqual(new Set([key.replace(', user_id', '')]));
    await write(2);
    await db.orm.migrator.up({ migrations: [migration] });
    await db.pool.query('delete from migrations where name = $1', [migration]);
    await db.orm.migrator.up({ migrations: [migration] });
    expect(await keysOf(table)).toEqual(before);
    expect(await count()).toBe(rows + (table === 'matches' ? 0 : 1));
  });
});

it('keeps a version waiting that names the columns of the former key, until they have a unique index again', async () => {
  const values = [1, alertId, owner];
  await expect(run(forColumns, values)).rejects.toMatchObject({ code: NO_SUCH_CONSTRAINT });
  await db.pool.query('create unique index matches_before on matches (listing_id, alert_id)');
  expect(await run(forColumns, values)).toBe(1);
  await db.pool.query('drop index matches_before');
});
