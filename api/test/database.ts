import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { makePool, type Pool } from '../src/base/database.ts';
import { makeOrm, type Orm } from '../src/entities/orm.ts';

export interface TestDatabase {
  url: string;
  pool: Pool;
  orm: Orm;
  close(): Promise<void>;
}

async function makeDatabase(template: string): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = makePool(serverUrl, 1);
  await admin.query(`create database ${name} template ${template}`);
  await admin.end();
  return openDatabase(serverUrl.replace(/\/postgres$/, `/${name}`));
}

/** Connects to a database. */
export async function openDatabase(url: string): Promise<TestDatabase> {
  const pool = makePool(url, 20);
  const orm = await makeOrm(url);
  return {
    url,
    pool,
    orm,
    async close() {
      await orm.close(true);
      await pool.end();
    },
  };
}

/** Makes a migrated, empty database for one test file on the run's PostgreSQL server. */
export const makeTestDatabase = (): Promise<TestDatabase> => makeDatabase('template_lotwatch');

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

/** Makes a database migrated up to `lastMigration`; `orm.migrator.up()` brings it up to date. */
export async function makeOldDatabase(lastMigration: string): Promise<TestDatabase> {
  const db = await makeDatabase('template1');
  await db.orm.migrator.up({ to: lastMigration });
  return db;
}
