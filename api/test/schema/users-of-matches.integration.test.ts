import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePool, type Pool } from '../../src/base/database.ts';
import { migrateDatabase } from '../../src/launcher/postgres/migrate.ts';
import { endMigrationsAt, makeOldDatabase, type TestDatabase } from '../database.ts';
import { insertAlert, insertPlan, insertUser } from '../mail/mail-fixtures.ts';
import { splitPartitions } from '../split-partitions.ts';

/** The first listing of the second partition. */
const SECOND = 4_000;
const ROWS = 5_000;
/** Matches of listings before this one are old. */
const OLD = 3_000;
const NOBODY = 0;
const MIGRATION = '107-users-of-matches';
/** An alert that was deleted before the database kept whose it was. */
const FORGOTTEN = 987_654;

const insertRows = `
  insert into matches (listing_id, alert_id, alert_version, distance_miles, announced, position)
  select n, $1, 1, 1, true, n from generate_series($2::int4, $3::int4) n`;

let db: TestDatabase;
let old: Pool;
let owners: number[];
let alerts: number[];
let deleted: number;
beforeAll(async () => {
  db = await makeOldDatabase('106-throttles-by-statements');
  // A later one changes the key whose columns this version before names.
  await endMigrationsAt(db, MIGRATION);
  await insertPlan(db.pool);
  owners = [await insertUser(db.pool, { username: 'ana' }), await insertUser(db.pool, { username: 'bo' })];
  alerts = [];
  for (const owner of owners) alerts.push(await insertAlert(db.pool, owner));
  deleted = await insertAlert(db.pool, owners[1] ?? 0);
  // Few rows a page, so that those of the first partition fill several steps of the migration.
  await db.pool.query('alter table matches_1 set (fillfactor = 10)');
  await splitPartitions(db.pool, SECOND);
  await db.pool.query(insertRows, [alerts[0], 1, ROWS]);
  await db.pool.query(insertRows, [alerts[1], SECOND - 500, ROWS]);
  for (const alert of [deleted, FORGOTTEN]) await db.pool.query(insertRows, [alert, 1, 3]);
  await db.pool.query('delete from alerts where id = $1', [deleted]);
  await db.pool.query("update matches set matched_at = now() - interval '2 years' where listing_id < $1", [OLD]);
  // What stays of the first partition is being copied; some of its pages were, and one of them has changed since.
  await beginLeaving();
  expect((await db.row("select copy_staying('matches', 20) as copied")).copied).toBe(0);
  await db.pool.query('update matches set price = 1 where listing_id = 1');
  expect(await db.rows('select from leaving_changes')).not.toEqual([]);
  old = makePool(db.url, 1);
});
afterAll(async () => {
  await old.end();
  await db.close();
});

const beginLeaving = (table = 'matches') =>
  db.pool.query(`select begin_leaving('${table}', $1, interval '1 year')`, [SECOND]);

/** What the clean-up does, and which listings of the first partition stay. */
async function leave(): Promise<{ first: number; rows: number }> {
  await beginLeaving();
  for (let copied: number | null = 0; copied !== null; )
    ({ copied } = await db.row("select copy_staying('matches', 1000) as copied"));
  await db.pool.query("select finish_leaving('matches')");
  return db.row(`select min(listing_id)::int4 as first, count(*)::int4 as rows from matches_to_${SECOND}`);
}

const usersOf = (table: string) =>
  db.rows(
    `select m.alert_id as alert, m.user_id as owner, count(*)::int4 as rows from ${table} m group by 1, 2 order by 1`,
  );

/**
 * Migrates while each of these tables is held as by a vacuum, which the server ends for who waits for a second. Every other lock
 * is waited for so shortly that it would not be ended.
 */
async function migrateBesideVacuums(tables: readonly string[]): Promise<void> {
  const lockMs = 100;
  const vacuums = await Promise.all(tables.map(() => db.pool.connect()));
  for (const [at, table] of tables.entries())
    await vacuums[at]?.query(`begin; lock table ${table} in share update exclusive mode`);
  const migrated = migrateDatabase(db.url, { lockMs });
  const waits = `select from pg_locks where not granted and relation = to_regclass($1) and now() - waitstart > $2 * interval '1 ms'`;
  for (const [at, table] of tables.entries()) {
    await expect.poll(() => db.row(waits, [table, lockMs * 3]), { timeout: 10_000 }).toBeDefined();
    await vacuums[at]?.query('commit');
    vacuums[at]?.release();
  }
  await migrated;
}

/** As the version before writes. */
const statements = {
  insert: {
    name: 'insert-match',
    text: `insert into matches (listing_id, alert_id, alert_version, distance_miles, announced, position)
           values ($1, $2, 1, 1, true, 1)
           on conflict (listing_id, alert_id) do update set price = 1`,
  },
  update: { name: 'update-match', text: 'update matches set price = 2 where listing_id = $1 and alert_id = $2' },
};

it('gives each match the user of its alert while the version before writes, and repeats a step that has to wait', async () => {
  const [ana = 0, bo = 0] = alerts;
  const holder = await db.pool.connect();
  await holder.query('begin; lock table former_alerts in access exclusive mode');
  let isMigrated = false;
  const migrated = migrateDatabase(db.url, { lockMs: 200 }).finally(() => {
    isMigrated = true;
  });
  const write = async () => {
    for (let at = 1; !isMigrated; at += 1)
      // Rows that were there, of both partitions, and a new one behind them.
      for (const values of [
        [at, ana],
        [SECOND + at, bo],
        [ROWS + at, bo],
      ])
        for (const statement of [statements.insert, statements.update]) await old.query({ ...statement, values });
  };
  const written = write();
  const givesWay = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await expect.poll(() => db.row(givesWay), { timeout: 10_000 }).toBeDefined();
  await expect(beginLeaving()).rejects.toMatchObject({ code: '55P03' });
  await beginLeaving('notifications');
  await holder.query('commit');
  holder.release();
  await migrated;
  await written;
  const { added } = await db.row('select count(*)::int4 as added from matches where listing_id > $1', [ROWS]);
  expect(added).toBeGreaterThan(0);
  expect(await usersOf('matches')).toEqual([
    { alert: ana, owner: owners[0], rows: ROWS },
    { alert: bo, owner: owners[1], rows: ROWS - SECOND + 501 + added },
    { alert: deleted, owner: owners[1], rows: 3 },
    { alert: FORGOTTEN, owner: NOBODY, rows: 3 },
  ]);
});

it('completes what the version before writes, and refuses nothing of it', async () => {
  const [ana = 0] = alerts;
  await old.query({ ...statements.insert, values: [ROWS * 2, ana] });
  await old.query({ ...statements.update, values: [ROWS * 2, ana] });
  expect(await db.rows('select user_id as owner, price from matches where listing_id = $1', [ROWS * 2])).toEqual([
    { owner: owners[0], price: 2 },
  ]);
  const proofs = "select from pg_constraint where conname like '%proof'";
  expect(await db.rows(proofs)).toEqual([]);
});

it('ends the copy of old partitions that was begun before; the next one copies only what has to stay', async () => {
  expect(await db.rows("select from leaving_partitions where table_name = 'matches'")).toEqual([]);
  expect(await db.rows("select from leaving_changes where table_name = 'matches'")).toEqual([]);
  expect(await db.rows("select from pg_trigger where tgname = 'leaving' and tgrelid = 'matches_1'::regclass")).toEqual(
    [],
  );
  const before = await usersOf(`(select * from matches where listing_id >= ${OLD})`);
  expect(await leave()).toEqual({ first: OLD, rows: SECOND - OLD + 500 });
  expect(await usersOf('matches')).toEqual(before);
});

it('can be undone and done again, each time with a copy that is under way', async () => {
  const [ana = 0] = alerts;
  const before = await usersOf('matches');
  await beginLeaving();
  await db.orm.migrator.down({ migrations: [MIGRATION] });
  const { rows } = await db.pool.query(
    "select prosrc from pg_proc where proname in ('copy_staying', 'delete_old_rows')",
  );
  expect(rows).toHaveLength(2);
  for (const { prosrc } of rows) expect(prosrc).not.toContain('r.user_id');
  await old.query({ ...statements.insert, values: [ROWS * 3, ana] });
  expect(await leave()).toEqual({ first: OLD, rows: SECOND - OLD + 500 });
  await db.pool.query('delete from matches where listing_id = $1', [ROWS * 3]);
  await beginLeaving();
  await migrateBesideVacuums(['matches_kept', 'matches_2']);
  expect(await usersOf('matches')).toEqual(before);
  expect(await leave()).toEqual({ first: OLD, rows: SECOND - OLD + 500 });
});
