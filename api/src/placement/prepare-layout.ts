import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { isConflict, isLockNotAvailable } from '../base/database-fault.ts';
import { distributeTables, hasNewTables, prepareServers, replaceTriggers } from './distribute-tables.ts';
import type { Layout } from './layout.ts';
import { limitServerWaits } from './limit-server-waits.ts';
import { MAX_SERVERS } from './position-functions.ts';

/** Grows where a cluster needs something else than before: see the test. */
export const CLUSTER_VERSION = 2;

type Fault =
  /** The database has no extension citus. */
  | 'CITUS_MISSING'
  /** The cluster has no worker, or the coordinator is no part of it. */
  | 'CITUS_INCOMPLETE'
  /** The setting is not what the database has. */
  | 'LAYOUT_DIFFERS'
  /** A server of the cluster has a setting with which LotWatch would fail. */
  | 'CITUS_SETTINGS'
  /** A command is for a database on one server. */
  | 'CITUS_COMMAND'
  /** The cluster had so many servers that ids of rows would be too large. */
  | 'CITUS_SERVERS'
  /** A server of the cluster does not answer. */
  | 'CITUS_AWAY'
  /** The cluster can't do what a command asks for. */
  | 'CITUS_REFUSED';

/** What stands between the database and its layout, for the operator. */
export class LayoutError extends Error {
  readonly code: Fault;

  constructor(code: Fault, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** @returns the layout that the database has; undefined where none was decided yet */
export async function readLayout(db: Queryable): Promise<Layout | undefined> {
  const { rows: there } = await db.query<{ is: boolean }>("select to_regclass('database_layout') is not null as is");
  if (!there[0]?.is) return undefined;
  const { rows } = await db.query<{ layout: Layout }>('select layout from database_layout');
  return rows[0]?.layout;
}

/** @throws LayoutError where another layout is asked for than the database has */
export function requireSameLayout(kept: Layout | undefined, asked: Layout | undefined): void {
  if (kept === undefined || asked === undefined || kept === asked) return;
  throw new LayoutError(
    'LAYOUT_DIFFERS',
    `DATABASE_LAYOUT is ${asked}, but this database was made with ${kept}. ` +
      'Set DATABASE_LAYOUT to what it has. "npm run -s shards -- distribute" distributes tables that are on one server.',
  );
}

/** @param given which settings are @throws LayoutError where a cluster is reached by two roles, or past a pooler */
export function requireOwnerConnection(layout: Layout | undefined, given: Readonly<Record<string, boolean>>): void {
  const refused = Object.keys(given).filter((name) => given[name]);
  if (layout !== 'citus' || refused.length === 0) return;
  throw new LayoutError(
    'CITUS_SETTINGS',
    `Where tables are distributed, processes connect to the coordinator itself, with the role that owns the tables: unset ${refused.join(' and ')}.`,
  );
}

/** The parts of the cluster, by the extension's own tables. @throws LayoutError */
export async function requireCluster(db: Queryable): Promise<void> {
  const { rows: extensions } = await db.query("select from pg_extension where extname = 'citus'");
  if (extensions.length === 0)
    throw new LayoutError(
      'CITUS_MISSING',
      'DATABASE_LAYOUT=citus needs the extension citus in the database, on the coordinator and on each worker: ' +
        'add it to shared_preload_libraries, restart the server, and run "create extension citus".',
    );
  const { rows } = await db.query<{ coordinators: number; workers: number; last: number }>(
    `select count(*) filter (where groupid = 0) as coordinators, coalesce(max(groupid), 0) as last,
            count(*) filter (where groupid <> 0 and shouldhaveshards) as workers
       from pg_dist_node where isactive and noderole = 'primary'`,
  );
  if (!rows[0]?.coordinators)
    throw new LayoutError(
      'CITUS_INCOMPLETE',
      'The coordinator has to be part of its cluster: run "select citus_set_coordinator_host(…)" there.',
    );
  if (!rows[0].workers)
    throw new LayoutError('CITUS_INCOMPLETE', 'The cluster has no worker: run "select citus_add_node(…)".');
  if (rows[0].last >= MAX_SERVERS)
    throw new LayoutError(
      'CITUS_SERVERS',
      `Citus has given number ${rows[0].last} to a server. Ids of rows begin with it, and are too large from ${MAX_SERVERS} on. ` +
        'Numbers are not used again: make the cluster in a new database.',
    );
}

/** Settings with a least value on each server. A transaction that writes to a server is prepared there. */
const LEAST = { max_prepared_transactions: 50 } as const;

const faultOf = (name: string, least: number, value: string | null, server: string): string[] =>
  Number(value) >= least ? [] : [`${name} is ${value} at ${server}, and has to be at least ${least}.`];

/** @param db the one server @throws LayoutError with all settings that don't fit */
export async function requireSettingsOf(db: Queryable, server: string): Promise<void> {
  const faults: string[] = [];
  for (const [name, least] of Object.entries(LEAST)) {
    const { rows } = await db.query<{ value: string }>('select current_setting($1) as value', [name]);
    faults.push(...faultOf(name, least, rows[0]?.value ?? null, server));
  }
  if (faults.length > 0) throw new LayoutError('CITUS_SETTINGS', faults.join(' '));
}

/** @throws LayoutError with all servers and settings that don't fit */
export async function requireServerSettings(db: Queryable): Promise<void> {
  const faults: string[] = [];
  for (const [name, least] of Object.entries(LEAST)) {
    const { rows } = await db.query<{ server: string; success: boolean; value: string | null }>(
      `select nodename || ':' || nodeport as server, coalesce(success, false) as success, result as value
         from run_command_on_all_nodes('show ${name}') join pg_dist_node using (nodeid)`,
    );
    const away = rows.find(({ success }) => !success);
    if (away) throw new LayoutError('CITUS_AWAY', `${away.server} does not answer: ${away.value}`);
    for (const { server, value } of rows) faults.push(...faultOf(name, least, value, server));
  }
  if (faults.length > 0) throw new LayoutError('CITUS_SETTINGS', faults.join(' '));
}

/**
 * What sessions of this database need. A search that has several connections to a server would prepare as many transactions
 * there. Who changes rows of a distributed table does not wait for others: it has one copy of each row, whose lock decides.
 * Of a copied table the rows are locked at the coordinator first, or its writers follow one another by a setting of their
 * transactions. A parallel plan can't write to copied tables. Where the network drops what a server gets, a statement has to fail
 * with that before it takes too long, so that whoever reads for many users goes on with the other servers.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  'citus.max_adaptive_executor_pool_size': '1',
  'citus.all_modifications_commutative': 'on',
  'citus.node_connection_timeout': '5s',
  max_parallel_workers_per_gather: '0',
};

export async function setSessionSettings(db: Queryable): Promise<void> {
  for (const [name, value] of Object.entries(SESSION_SETTINGS)) {
    const { rows } = await db.query<{ statement: string }>(
      "select format('alter database %I set %s = %L', current_database(), $1::text, $2::text) as statement",
      [name, value],
    );
    await db.query(rows[0]?.statement ?? '');
  }
}

/** @throws LayoutError where a session has not what it needs, such as from settings of its role */
export async function requireSessionSettings(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ name: string; value: string }>(
    'select name, current_setting(name, true) as value from unnest($1::text[]) name',
    [Object.keys(SESSION_SETTINGS)],
  );
  const faults = rows.filter(({ name, value }) => value !== SESSION_SETTINGS[name]);
  if (faults.length === 0) return;
  throw new LayoutError(
    'CITUS_SETTINGS',
    `Sessions of this database need ${faults.map(({ name }) => `${name} = ${SESSION_SETTINGS[name]}`).join(', ')}. ` +
      'The database has them; check what the role or the address sets.',
  );
}

/** @throws LayoutError */
async function requireNoUsers(db: Queryable): Promise<void> {
  const { rows } = await db.query('select from users limit 1');
  if (rows.length === 0) return;
  throw new LayoutError(
    'LAYOUT_DIFFERS',
    'This database has users already: start LotWatch without DATABASE_LAYOUT, stop it, and run "npm run -s shards -- distribute".',
  );
}

/** Distributes the tables of a database without users. Nothing of it is changed where it can't be. @throws LayoutError */
async function distribute(pool: Pool): Promise<void> {
  await requireCluster(pool);
  await requireNoUsers(pool);
  await requireServerSettings(pool);
  await setSessionSettings(pool);
  await prepareServers(pool);
  await inTransaction(pool, async (client: Client) => {
    await requireNoUsers(client);
    await distributeTables(client);
    await client.query("insert into database_layout (layout, cluster_version) values ('citus', $1)", [CLUSTER_VERSION]);
  });
}

/** How long a change of a cluster waits for a lock, on each server, and how often it gives way to those who use the tables. */
const LOCK_MS = 500;
const MAX_TRIES = 300;
const PAUSE_MS = 1_000;

/** Changes tables that others read and write meanwhile. @throws what it met, after many tries */
async function changeBeside(pool: Pool, work: (db: Queryable) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await inTransaction(pool, async (client: Client) => {
        await limitServerWaits(client.query.bind(client), LOCK_MS);
        await client.query('set local citus.enable_unsafe_triggers = on');
        await work(client);
      });
      return;
    } catch (error) {
      if (tries === MAX_TRIES || !(isConflict(error) || isLockNotAvailable(error))) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Brings a cluster that an earlier version has prepared to what this one needs. One of a later version is left as it is, so that
 * a process of the version before that starts again during an upgrade changes nothing back. All of it can be done again.
 */
async function updateCluster(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number | null }>(
    'select cluster_version as version from database_layout',
  );
  const version = rows[0]?.version ?? 0;
  if (version > CLUSTER_VERSION || (version === CLUSTER_VERSION && !(await hasNewTables(pool)))) return;
  await setSessionSettings(pool);
  await prepareServers(pool);
  await changeBeside(pool, (db) => distributeTables(db));
  await replaceTriggers((work) => changeBeside(pool, work));
  await pool.query('update database_layout set cluster_version = $1 where coalesce(cluster_version, 0) < $1', [
    CLUSTER_VERSION,
  ]);
}

/**
 * Decides the layout of a migrated database, once, and brings a cluster to what this version needs.
 * @param asked what the setting says, if it says something
 * @throws LayoutError where the database can't have the layout, or has another one
 */
export async function prepareLayout(pool: Pool, asked: Layout | undefined): Promise<Layout> {
  const kept = await readLayout(pool);
  requireSameLayout(kept, asked);
  if (kept === 'citus') await updateCluster(pool);
  if (kept !== undefined) return kept;
  if (asked === 'citus') await distribute(pool);
  else await pool.query("insert into database_layout (layout) values ('plain')");
  return asked ?? 'plain';
}
