import type pg from 'pg';
import type { Queryable } from '../src/base/database.ts';
import { queryCopies, queryShards } from '../src/placement/shards.ts';
import { hasShards, type TestDatabase } from './database.ts';

/**
 * Changes rows of all users by a statement that Citus refuses for its form, such as one that moves times: on each shard of a
 * cluster, as the statements of the product that are in the list.
 */
export async function changeEverywhere({ pool }: Pick<TestDatabase, 'pool'>, text: string, values: unknown[] = []) {
  if (hasShards()) await queryShards(pool, { name: 'test', text, values }, { silent: true });
  else await pool.query(text, values);
}

/** Reads or locks on the server of a user: its rows, its copies of tables, or its catalog. @returns the rows */
export async function onServerOf<T extends pg.QueryResultRow>(
  db: Queryable,
  userId: number,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  if (hasShards()) return queryShards<T>(db, { name: 'test', text, values }, { users: () => [userId] });
  return (await db.query<T>(text, values)).rows;
}

/**
 * Locks rows of copied tables as all their writers do: on the coordinator's copies. For a lock that it takes itself, Citus would
 * lock the whole table on each server.
 */
export async function lockCopies(db: Queryable, text: string, values: unknown[] = []): Promise<void> {
  if (hasShards()) await queryCopies(db, { name: 'test', text, values });
  else await db.query(text, values);
}
