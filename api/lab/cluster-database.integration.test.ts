import { randomBytes } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { onCluster } from '../test/database.ts';
import { testNamesOf } from '../test/servers/test-names.ts';
import { databaseOf, dropOnCluster, onServer } from './cluster-database.ts';

// This needs CITUS_URL, the address of a coordinator. The run says so where there is none.
it.skipIf(!onCluster)('a database is dropped with what a killed process has prepared', async () => {
  const name = `${testNamesOf(inject('template'))}_${randomBytes(6).toString('hex')}`;
  const serverUrls = inject('serverUrls');
  const exists = async (query: (sql: string) => Promise<unknown[]>) =>
    (await query(`select from pg_database where datname = '${name}'`)).length > 0;
  const [url = ''] = serverUrls;
  await onServer(url, (query) => query(`create database ${name}`));
  await onServer(databaseOf(url, name), async (query) => {
    for (const sql of ['begin', 'create table left_there ()', `prepare transaction 'left in ${name}'`])
      await query(sql);
  });
  expect(await onServer(url, exists)).toBe(true);
  await dropOnCluster({ serverUrls }, [name]);
  expect(await onServer(url, exists)).toBe(false);
});
