import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { dropOnCluster, makeOnCluster, onServer } from '../../lab/cluster-database.ts';
import { inTransaction, makePool } from '../../src/base/database.ts';
import { makeMigratingOrm } from '../../src/entities/migrating-orm.ts';
import { acceptServer } from '../../src/notify/restored/running-server.ts';
import { prepareLayout } from '../../src/placement/prepare-layout.ts';
import { testNamesOf } from './test-names.ts';

/**
 * Makes the template of the tests' databases on each server of a cluster. A copy of it on each server is a cluster of its own.
 * @param url a database of the coordinator with the extension, whose workers are used
 */
export async function setUpCluster(project: TestProject, url: string): Promise<() => Promise<void>> {
  const template = `template_${randomBytes(6).toString('hex')}`;
  const { url: templateUrl, serverUrls } = await makeOnCluster(url, template);
  const orm = await makeMigratingOrm(templateUrl);
  await orm.migrator.up();
  await orm.close(true);
  const pool = makePool(templateUrl, 2);
  await prepareLayout(pool, 'citus');
  await inTransaction(pool, acceptServer);
  await pool.end();
  // Only a database without sessions can be copied, and the extension has one of its own in each.
  for (const serverUrl of serverUrls)
    await onServer(serverUrl, async (query) => {
      await query(`alter database ${template} allow_connections false`);
      await query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${template}'`);
    });
  const coordinator = serverUrls.at(-1) ?? url;
  project.provide('postgresUrl', coordinator);
  project.provide('serverUrls', [...serverUrls]);
  project.provide('template', template);
  return async () => {
    // Another run may use the cluster too.
    const made = (await databasesOf(coordinator)).filter((name) => name.startsWith(testNamesOf(template)));
    await dropOnCluster({ serverUrls }, [...made, template]);
  };
}

const databasesOf = (url: string): Promise<string[]> =>
  onServer(url, async (query) =>
    (await query('select datname from pg_database')).map(({ datname }) => String(datname)),
  );
