import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
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
  const url = serverUrl.replace(/\/postgres$/, `/${name}`);
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

/** Makes a database migrated up to `lastMigration`; `orm.migrator.up()` brings it up to date. */
export async function makeOldDatabase(lastMigration: string): Promise<TestDatabase> {
  const db = await makeDatabase('template1');
  await db.orm.migrator.up({ to: lastMigration });
  return db;
}
