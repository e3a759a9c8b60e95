import { makePool } from '../src/base/database.ts';

/** A server of a cluster. The group of the coordinator is 0. */
export interface Server {
  host: string;
  port: number;
  group: number;
}

export type Reach = (worker: Server) => Promise<number>;

/** A database on each server of a cluster, which are a cluster of their own. */
export interface ClusterDatabase {
  /** The address at the coordinator. */
  url: string;
  /** Those of the database `postgres` of all servers. The coordinator is the last, since its database is used as soon as it is there. */
  serverUrls: readonly string[];
}

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Runs statements of one session on a server. */
export async function onServer<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const pool = makePool(url, 1);
  try {
    return await work(async (sql) => (await pool.query(sql)).rows);
  } finally {
    await pool.end();
  }
}

const changed = (url: string, parts: Partial<URL>): string => Object.assign(new URL(url), parts).href;

/** The address of another database of a server. */
export const databaseOf = (url: string, name: string): string => changed(url, { pathname: `/${name}` });

/**
 * Makes a database with the extension on each server of a cluster, unless the server has it.
 * @param url a database of the coordinator with the extension, whose workers are used
 * @param reach the port by which servers reach one of the workers, where that is not its own
 */
export async function makeOnCluster(
  url: string,
  name: string,
  reach: Reach = async ({ port }) => port,
): Promise<ClusterDatabase> {
  const servers = (await onServer(url, (query) =>
    query(
      'select nodename as host, nodeport as port, groupid as "group" from pg_dist_node where isactive order by groupid desc',
    ),
  )) as unknown as Server[];
  const serverUrls = servers.map(({ host, port }) =>
    databaseOf(changed(url, { hostname: host, port: String(port) }), 'postgres'),
  );
  for (const serverUrl of serverUrls) {
    await onServer(serverUrl, async (query) => {
      const known = await query(`select from pg_database where datname = '${name}'`);
      if (known.length === 0) await query(`create database ${name}`);
    });
    await onServer(databaseOf(serverUrl, name), (query) => query('create extension citus'));
  }
  const made = { url: databaseOf(serverUrls.at(-1) ?? url, name), serverUrls };
  await onServer(made.url, async (query) => {
    for (const { host, port, group } of servers.toReversed())
      await query(
        group === 0
          ? `select citus_set_coordinator_host('${host}', ${port})`
          : `select citus_add_node('${host}', ${await reach({ host, port, group })})`,
      );
  });
  return made;
}

/** The SQLSTATE where a database has a session, or a prepared transaction. */
const IN_USE = '55006';

/** Ends what killed processes have left. Another one may decide it meanwhile. */
async function rollBackPrepared(databaseUrl: string): Promise<void> {
  await onServer(databaseUrl, async (query) => {
    for (const { gid } of await query('select gid from pg_prepared_xacts where database = current_database()'))
      await query(`rollback prepared '${gid}'`).catch(() => {});
  });
}

/**
 * The other servers connect to it again and again, and Citus starts a process of its own there: one that is counted at an attempt
 * is gone at the next.
 */
async function dropDatabase(serverUrl: string, name: string, query: Query, attempts = 5): Promise<void> {
  await query(`alter database ${name} allow_connections false`);
  await query(`drop database ${name} with (force)`).catch(async (error: Error & { code?: string }) => {
    if (error.code !== IN_USE || attempts === 1) throw error;
    if (error.message.includes('prepared')) {
      await query(`alter database ${name} allow_connections true`);
      await rollBackPrepared(databaseOf(serverUrl, name));
    }
    await dropDatabase(serverUrl, name, query, attempts - 1);
  });
}

/** Drops databases on each server, whoever is connected. */
export async function dropOnCluster({ serverUrls }: Pick<ClusterDatabase, 'serverUrls'>, names: readonly string[]) {
  for (const serverUrl of serverUrls)
    await onServer(serverUrl, async (query) => {
      const there = (await query('select datname from pg_database')).map(({ datname }) => String(datname));
      for (const name of names.filter((one) => there.includes(one))) await dropDatabase(serverUrl, name, query);
    });
}
