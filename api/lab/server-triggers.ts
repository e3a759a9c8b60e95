import type pg from 'pg';
import { makePool, type Pool } from '../src/base/database.ts';
import { onAllServers } from '../src/placement/distribute-tables.ts';
import { isDistributed } from '../src/placement/layout.ts';
import { byUser } from '../src/placement/table-places.ts';

/** A trigger of a test or a run. On a cluster it fires on the server of a row, and for a copied table on the coordinator alone. */
export interface ServerTrigger {
  table: string;
  /** SQL, where `%s` stands for the table. */
  text: string;
}

/** What triggers use. */
export interface TriggerParts {
  /** SQL of a table or sequence with its indexes, which each server of a cluster has for itself. */
  relation: string;
  /** SQL. Citus copies functions to all servers. */
  functions: string;
}

export async function defineOnServers(pool: Pool, { relation, functions }: TriggerParts): Promise<void> {
  if (isDistributed()) await onAllServers(pool, relation);
  else await pool.query(relation);
  await pool.query(functions);
}

async function shardOfCopy(pool: Pool, table: string): Promise<string> {
  const { rows } = await pool.query<{ shard: string }>(
    `select $1 || '_' || shardid as shard from pg_dist_shard where logicalrelid = $1::regclass`,
    [table],
  );
  return rows[0]?.shard ?? table;
}

/** Creates a trigger whose function is on all servers, where Citus copies each that is made. */
export async function createOnServers(pool: Pool, { table, text }: ServerTrigger): Promise<void> {
  if (!isDistributed()) {
    await pool.query(text.replace('%s', table));
    return;
  }
  if (!(byUser as readonly string[]).includes(table)) {
    await pool.query(text.replace('%s', await shardOfCopy(pool, table)));
    return;
  }
  const { rows } = await pool.query<{ success: boolean; result: string }>(
    'select success, result from run_command_on_shards($1, $2)',
    [table, text],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed) throw new Error(`A shard of ${table} refuses a trigger: ${failed.result}`);
}

/**
 * The pools of each server of the cluster, by the pool of the coordinator. Their connections close after ten idle seconds.
 * `run_command_on_all_nodes` would open new connections for each read.
 */
const serverPools = new WeakMap<Pool, Promise<Pool[]>>();

async function makeServerPools(pool: Pool): Promise<Pool[]> {
  const { connectionString = '', application_name: name, max } = pool.options;
  const { rows } = await pool.query<{ host: string; port: number }>(
    'select nodename as host, nodeport as port from pg_dist_node where isactive order by groupid',
  );
  return rows.map(({ host, port }) =>
    makePool(Object.assign(new URL(connectionString), { hostname: host, port: String(port) }).href, max, name),
  );
}

/** Reads rows on all servers. @param select SQL without parameters @returns the rows of each server in their order */
export async function rowsOfServers<Row>(pool: Pool, select: string): Promise<Row[]> {
  if (!isDistributed()) return (await pool.query(select)).rows as Row[];
  let pools = serverPools.get(pool);
  if (!pools) {
    pools = makeServerPools(pool);
    serverPools.set(pool, pools);
    pools.catch(() => serverPools.delete(pool));
  }
  const answers = await Promise.all((await pools).map((one) => one.query<Row & pg.QueryResultRow>(select)));
  return answers.flatMap(({ rows }) => rows);
}
