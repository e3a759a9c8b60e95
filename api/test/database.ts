import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { dropOnCluster } from '../lab/cluster-database.ts';
import { allMigrations } from '../migrations/all-migrations.ts';
import { makePool, type Pool, statementTimeouts } from '../src/base/database.ts';
import { makeMigratingOrm } from '../src/entities/migrating-orm.ts';
import type { Orm } from '../src/entities/orm.ts';
import { followChosenLayout } from '../src/placement/follow-layout.ts';
import { chooseLayout, isDistributed } from '../src/placement/layout.ts';
import { readLayout, setSessionSettings } from '../src/placement/prepare-layout.ts';
import { learnShards } from '../src/placement/user-shards.ts';
import { testNamesOf } from './servers/test-names.ts';

/** Whether the tables are distributed over a cluster. */
export const onCluster = Boolean(process.env.CITUS_URL);
/** Whether the database that was opened last is distributed: some tests on a cluster have another one. */
export const hasShards = (): boolean => onCluster && isDistributed();

export interface TestDatabase {
  url: string;
  pool: Pool;
  orm: Orm;
  /** Runs one statement. @returns its rows, whose shape the statement decides */
  // biome-ignore lint/suspicious/noExplicitAny: the statement decides the shape
  rows(sql: string, values?: unknown[]): Promise<any[]>;
  /** Runs one statement. @returns its first row, undefined if there is none */
  // biome-ignore lint/suspicious/noExplicitAny: the statement decides the shape
  row(sql: string, values?: unknown[]): Promise<any>;
  /** How many sessions wait for a lock of another. */
  lockWaits(): Promise<number>;
  close(): Promise<void>;
}

/** The databases of a test file on a cluster. */
const made: string[] = [];

/** Drops them: each has processes and connections of Citus on every server, and those of hundreds take the machine's memory. */
export async function dropTestDatabases(): Promise<void> {
  if (made.length > 0) await dropOnCluster({ serverUrls: inject('serverUrls') }, made.splice(0));
}

async function makeDatabase(template: string): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `${testNamesOf(inject('template'))}_${randomBytes(6).toString('hex')}`;
  for (const url of inject('serverUrls')) {
    await withPool(url, (admin) => admin.query(`create database ${name} template ${template} strategy file_copy`));
  }
  const url = serverUrl.replace(/\/postgres$/, `/${name}`);
  // A copy of a database has none of its settings.
  if (onCluster && template !== 'template1') await withPool(url, setSessionSettings);
  if (onCluster) made.push(name);
  return openDatabase(url);
}

async function withPool(url: string, work: (pool: Pool) => Promise<unknown>): Promise<void> {
  const pool = makePool(url, 1);
  await work(pool).finally(() => pool.end());
}

/** Makes a test database of what is connected already. */
export function testDatabaseOf(url: string, pool: Pool, orm: Orm): TestDatabase {
  return {
    url,
    pool,
    orm,
    rows: async (sql, values) => (await pool.query(sql, values)).rows,
    row: async (sql, values) => (await pool.query(sql, values)).rows[0],
    async lockWaits() {
      const sql = `select count(*)::int4 as result from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      // A session that waits on a worker is one of the coordinator's there.
      const { rows } = hasShards()
        ? await pool.query<{ result: string }>('select result from run_command_on_all_nodes($1)', [sql])
        : await pool.query<{ result: number }>(sql);
      return rows.reduce((sum, { result }) => sum + Number(result), 0);
    },
    async close() {
      await orm.close(true);
      await pool.end();
    },
  };
}

/** Connects to a database. */
export const openDatabase = async (url: string): Promise<TestDatabase> => {
  const pool = makePool(url, 20);
  if (onCluster) {
    // Some tests have a database of an older version, or a server of their own.
    const layout = (await readLayout(pool)) ?? 'plain';
    if (layout === 'citus') await learnShards(pool);
    chooseLayout(layout);
  }
  followChosenLayout(pool);
  const orm = makeMigratingOrm(url, 10, statementTimeouts.request, { onPoolCreated: followChosenLayout });
  return testDatabaseOf(url, pool, orm);
};

/** Makes a migrated, empty database for one test file on the run's PostgreSQL server. */
export const makeTestDatabase = (): Promise<TestDatabase> => makeDatabase(inject('template'));

/**
 * Makes a database for the tests of a file, which closes after them. Call it at the top of the file; the result is filled
 * before the tests.
 * @param prepare runs once the database is there
 */
export function setUpDatabase(prepare: () => unknown = () => {}): TestDatabase {
  const db = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(db, await makeTestDatabase());
    await prepare();
  });
  afterAll(() => db.close());
  return db;
}

/** Makes a copy of a database to which nothing is connected. */
export const copyTestDatabase = (url: string): Promise<TestDatabase> => makeDatabase(new URL(url).pathname.slice(1));

/** Makes a database migrated up to `lastMigration`; `orm.migrator.up()` brings it up to date. */
export async function makeOldDatabase(lastMigration: string): Promise<TestDatabase> {
  const db = await makeDatabase('template1');
  await db.orm.migrator.up({ to: lastMigration });
  return db;
}

/** Lets a database be migrated up to `lastMigration` only, as those after it would not fit what a test does. */
export async function endMigrationsAt(db: TestDatabase, lastMigration: string): Promise<void> {
  const later = allMigrations.map(({ name }) => name).filter((name) => name > lastMigration);
  await db.pool.query('insert into migrations (name) select unnest($1::text[])', [later]);
}
