import { makePool, type Pool } from '../src/base/database.ts';
import { onCluster, type TestDatabase } from './database.ts';

/** Where the table can be read: the one server, or those of a cluster that have rows, each with its copy of the table. */
async function placesOf({ pool, url }: Pick<TestDatabase, 'pool' | 'url'>, table: string) {
  if (!onCluster) return [{ url, table }];
  const { rows } = await pool.query<{ host: string; port: number; copy: string }>(
    `select n.nodename as host, n.nodeport as port, $1 || '_' || s.shardid as copy
       from pg_dist_shard s, pg_dist_node n where s.logicalrelid = $1::regclass and n.isactive and n.groupid > 0`,
    [table],
  );
  return rows.map(({ host, port, copy }) => ({
    url: Object.assign(new URL(url), { hostname: host, port: String(port) }).href,
    table: copy,
  }));
}

/** Locks a table that every server has, so that nobody can read it beside rows of users. @returns what releases it */
export async function lockTable(db: Pick<TestDatabase, 'pool' | 'url'>, table: string): Promise<() => Promise<void>> {
  const lockers: Pool[] = [];
  for (const place of await placesOf(db, table)) {
    const locker = makePool(place.url, 1);
    lockers.push(locker);
    const client = await locker.connect();
    if (onCluster) await client.query('set citus.enable_manual_changes_to_shards = on');
    await client.query(`begin; lock table ${place.table} in access exclusive mode`);
    client.release();
  }
  return async () => {
    for (const locker of lockers) {
      await locker.query('rollback');
      await locker.end();
    }
  };
}
