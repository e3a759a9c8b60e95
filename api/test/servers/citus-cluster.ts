import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { inTransaction, makePool } from '../../src/base/database.ts';
import { makeMigratingOrm } from '../../src/entities/migrating-orm.ts';
import { acceptServer } from '../../src/notify/restored/running-server.ts';
import { prepareLayout } from '../../src/placement/prepare-layout.ts';

interface Server {
  host: string;
  port: number;
  group: number;
}

async function onServer<T>(url: string, work: (query: (sql: string) => Promise<unknown[]>) => Promise<T>): Promise<T> {
  const pool = makePool(url, 1);
  try {
    return await work(async (sql) => (await pool.query(sql)).rows);
  } finally {
    await pool.end();
  }
}

const addressOf = (url: string, { host, port }: Server): string => {
  const address = new URL(url);
  address.hostname = host;
  address.port = String(port);
  return address.href;
};
const databaseOf = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;

/**
 * Makes the template of the tests' databases on each server of a cluster. A copy of it on each server is a cluster of its own.
 * @param url a database of the coordinator with the extension, whose workers are used
 */
export async function setUpCluster(project: TestProject, url: string): Promise<() => Promise<void>> {
  const servers = (await onServer(url, (query) =>
    query(
      'select nodename as host, nodeport as port, groupid as group from pg_dist_node where isactive order by groupid desc',
    ),
  )) as Server[];
  const template = `template_${randomBytes(6).toString('hex')}`;
  // The coordinator comes last, since its database is used as soon as it is there.
  const serverUrls = servers.map((server) => databaseOf(addressOf(url, server), 'postgres'));
  for (const serverUrl of serverUrls) {
    await onServer(serverUrl, (query) => query(`create database ${template}`));
    await onServer(databaseOf(serverUrl, template), (query) => query('create extension citus'));
  }
  const templateUrl = databaseOf(serverUrls.at(-1) ?? url, template);
  await onServer(templateUrl, async (query) => {
    for (const { host, port, group } of servers.toReversed())
      await query(
        group === 0
          ? `select citus_set_coordinator_host('${host}', ${port})`
          : `select citus_add_node('${host}', ${port})`,
      );
  });
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
  project.provide('postgresUrl', serverUrls.at(-1) ?? url);
  project.provide('serverUrls', serverUrls);
  project.provide('template', template);
  const before = new Set(await databasesOf(serverUrls.at(-1) ?? url));
  return async () => {
    const made = (await databasesOf(serverUrls.at(-1) ?? url)).filter(
      (name) => name.startsWith('test_') && !before.has(name),
    );
    for (const serverUrl of serverUrls)
      await onServer(serverUrl, async (query) => {
        for (const name of [...made, template]) await query(`drop database if exists ${name} with (force)`);
      });
  };
}

const databasesOf = async (url: string): Promise<string[]> =>
  onServer(url, async (query) =>
    ((await query('select datname from pg_database')) as { datname: string }[]).map(({ datname }) => datname),
  );
