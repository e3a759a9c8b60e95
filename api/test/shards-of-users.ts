import { nameOf, readServers, readShards } from '../src/placement/servers.ts';
import type { TestDatabase } from './database.ts';

/** The shard that has the rows of a user, and the server where it is. */
export async function shardOf({ pool }: Pick<TestDatabase, 'pool'>, user: number) {
  const { rows } = await pool.query<{ shard: number }>(
    "select get_shard_id_for_distribution_column('alerts', $1::int8) as shard",
    [user],
  );
  const found = (await readShards(pool)).find(({ id }) => id === rows[0]?.shard);
  if (!found) throw new Error(`no shard of user ${user}`);
  return found;
}

/** A server that does not have the user's rows. */
export async function otherServer(db: Pick<TestDatabase, 'pool'>, user: number) {
  const here = nameOf(await shardOf(db, user));
  const other = (await readServers(db.pool)).find((server) => nameOf(server) !== here);
  if (!other) throw new Error('the cluster has one worker');
  return other;
}
