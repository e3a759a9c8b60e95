import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { allMigrations } from '../../../migrations/all-migrations.ts';
import { copyTestDatabase, makeOldDatabase, type TestDatabase } from '../../../test/database.ts';
import { readSchema } from '../../../test/schema/read-schema.ts';
import { inTransaction } from '../../base/database.ts';
import { migrateDatabase } from './migrate.ts';
import { prepareDatabase } from './prepare-database.ts';

const BEFORE = '040-delivery-settings';
const ROWS = 20_000;

const cellColumns = `key, price_max, alert_id, alert_version, user_id, price_min, year_min, year_max, color, only_images,
  announces, x, y, z, cos_radius, expires_at`;
const cell = (id: string) =>
  `${id}, 9000, ${id}, 1, 1, 0, 1990, 2030, 1, false, true, 0, 0, 0, 1, now() + interval '1 day'`;

let old = '';
let db: TestDatabase;
beforeAll(async () => {
  const { url, pool, close } = await makeOldDatabase(BEFORE);
  old = url;
  await pool.query(
    `insert into plans (id, name, description, price, alert_limit, is_popular, features)
     values (1, 'Free', '', 0, 1, false, '{}')`,
  );
  await pool.query("insert into users (username, password_hash) values ('ana', '')");
  await pool.query(
    `insert into alerts (user_id, make, location, place, lat, lng, radius)
     select 1, 'toyota', '', '', 34, -118, 50 from generate_series(1, 20)`,
  );
  await pool.query(`insert into alert_cells (${cellColumns}) select ${cell('n')} from generate_series(1, ${ROWS}) n`);
  await pool.query(
    `insert into notifications (user_id, alert_id, listing_id, due_at) select 1, 1, n, now() from generate_series(1, ${ROWS}) n`,
  );
  await close();
});
beforeEach(async () => {
  db = await copyTestDatabase(old);
});
afterEach(() => db.close());

const names = () => db.rows('select name from migrations order by name').then((rows) => rows.map(({ name }) => name));
const allNames = allMigrations.map(({ name }) => name);
const counts = () =>
  db.row(`select (select count(*) from notifications) as notifications, (select count(*) from alert_cells) as cells,
                 (select count(*) from mails) as mails`);

async function expectMigrated(): Promise<void> {
  expect(await names()).toEqual(allNames);
  expect(await db.rows('select indexrelid::regclass as name from pg_index where not indisvalid')).toEqual([]);
  expect(await readSchema(db.pool)).toBe(readFileSync(new URL('../../../schema.sql', import.meta.url), 'utf8'));
}

/** Writes as the version before does, in transactions that each lock several tables. The server limits each wait for a lock. */
async function write(alertId: number, waitMs: number, hasEnded: () => boolean): Promise<number> {
  let written = 0;
  for (; !hasEnded(); written += 1)
    await inTransaction(
      db.pool,
      async (client) => {
        await client.query('update alerts set last_mailed_at = now() where id = $1', [alertId]);
        await client.query(`insert into alert_cells (${cellColumns}) values (${cell('$1')})`, [alertId]);
        await client.query(
          'insert into notifications (user_id, alert_id, listing_id, due_at) values (1, $1, 1, now())',
          [alertId],
        );
        await client.query("insert into mails (kind, user_id, alert_id, to_address) values ('match', 1, $1, '')", [
          alertId,
        ]);
      },
      `begin; set local lock_timeout = ${waitMs}`,
    );
  return written;
}

it('keeps no writer waiting for longer than a lock is waited for, even beside a long backup', async () => {
  const lockMs = 400;
  const backupMs = 2_000;
  const backup = await db.pool.connect();
  await backup.query('begin');
  await backup.query('select (select count(*) from notifications), (select count(*) from alert_cells)');
  let isMigrated = false;
  const writers = Array.from({ length: 6 }, (_, at) => write(at + 1, lockMs + 1_100, () => isMigrated));
  const ended = sleep(backupMs).then(async () => {
    await backup.query('commit');
    backup.release();
  });
  const migrated = migrateDatabase(db.url, { lockMs }).finally(() => {
    isMigrated = true;
  });
  const [done, written] = await Promise.all([migrated, Promise.all(writers), ended]);
  expect(done).toEqual(allNames.filter((name) => name > BEFORE));
  const sum = written.reduce((one, other) => one + other);
  expect(await counts()).toEqual({ notifications: ROWS + sum, cells: ROWS + sum, mails: sum });
  await expectMigrated();
});

it('fails where a lock is held for too long, and goes on later', async () => {
  const holder = await db.pool.connect();
  await holder.query('begin; lock table notifications in access share mode');
  await expect(migrateDatabase(db.url, { lockMs: 50, giveUpMs: 100 })).rejects.toThrow('lock timeout');
  expect((await names()).at(-1)).not.toBe(BEFORE);
  await holder.query('commit');
  holder.release();
  await migrateDatabase(db.url);
  await expectMigrated();
});

it('runs each migration once where several processes start at once', async () => {
  const all = await Promise.all([1, 2, 3].map(() => prepareDatabase(db.url, undefined)));
  expect(all.flatMap(({ migrations }) => migrations)).toEqual(allNames.filter((name) => name > BEFORE));
  await expectMigrated();
});

for (const [which, migrations, tags] of [
  ['the newest five', allMigrations.slice(-5), []],
  ['all', allMigrations.filter(({ name }) => name > BEFORE), 'long'],
] as const) {
  it(`begins an online migration again after it died behind any of its statements: ${which}`, {
    tags: [tags].flat(),
  }, async () => {
    await db.orm.migrator.up({ to: allNames.at(-migrations.length - 1) ?? '' });
    for (const { name, class: Class } of migrations) {
      const migration = new Class(db.orm.em.getDriver(), db.orm.config);
      await migration.up();
      const statements = migration.isTransactional() ? [] : migration.getQueries().map(String);
      const client = await db.pool.connect();
      for (const last of statements.keys()) for (const sql of statements.slice(0, last + 1)) await client.query(sql);
      client.release();
      await db.orm.migrator.up({ to: name });
    }
    await expectMigrated();
  });
}

it('completes a database in which the first form of the migrations ran', { tags: 'long' }, async () => {
  await db.orm.migrator.up({ to: '047-saved-listings' });
  for (const [table, kinds] of [
    ['notifications', "'match', 'price_drop', 'sold'"],
    ['pushes', "'match', 'price_drop', 'digest', 'summary', 'sold'"],
  ])
    await db.pool.query(`alter table ${table} drop constraint ${table}_kind_check,
      add constraint ${table}_kind_check check (kind in (${kinds})) not valid`);
  expect(await migrateDatabase(db.url)).toEqual(allNames.filter((name) => name > '047-saved-listings'));
  await expectMigrated();
});

it('keeps push messages on when an api of the version before writes the cells of an alert', {
  tags: 'long',
}, async () => {
  await migrateDatabase(db.url);
  await db.pool.query('update alerts set push_notifications = true where id = 2');
  await db.pool.query('delete from alert_cells');
  await db.pool.query(`insert into alert_cells (${cellColumns}) values (${cell('1')}), (${cell('2')})`);
  expect(await db.rows('select alert_id::int as id, pushes from alert_cells order by 1')).toEqual([
    { id: 1, pushes: false },
    { id: 2, pushes: true },
  ]);
});

it('builds an index again whose build died', async () => {
  const dying = 'create unique index concurrently notifications_push on notifications (alert_id)';
  await expect(db.pool.query(dying)).rejects.toThrow('notifications_push');
  expect(await db.rows('select from pg_index where not indisvalid')).toHaveLength(1);
  await migrateDatabase(db.url);
  await expectMigrated();
});

it('lets another process go on where one is stopped that migrates', { tags: 'long' }, async () => {
  const blocker = await db.pool.connect();
  await blocker.query('begin; lock table notifications in access share mode');
  const path = fileURLToPath(new URL('../../../test/servers/migrate-child.ts', import.meta.url));
  const child = fork(path, [db.url, '1000'], { execArgv: ['--import', 'tsx'] });
  try {
    await expect.poll(names, { timeout: 60_000 }).toContain('042-alert-defaults');
    child.kill('SIGSTOP');
    const other = migrateDatabase(db.url);
    await blocker.query('commit');
    await other;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    await exited;
    await expectMigrated();
  } finally {
    blocker.release();
    child.kill('SIGKILL');
  }
});
