import { queryShards } from '../src/placement/shards.ts';
import { onCluster, type TestDatabase } from './database.ts';

/**
 * Changes rows of all users by a statement that Citus refuses for its form, such as one that moves times: on each shard of a
 * cluster, as the statements of the product that are in the list.
 */
export async function changeEverywhere({ pool }: Pick<TestDatabase, 'pool'>, text: string, values: unknown[] = []) {
  if (onCluster) await queryShards(pool, { name: 'test', text, values }, { silent: true });
  else await pool.query(text, values);
}
