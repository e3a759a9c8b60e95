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

/** A migrated, empty database of the test file's own on the run's PostgreSQL server. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = makePool(serverUrl, 1);
  await admin.query(`create database ${name} template template_lotwatch`);
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
