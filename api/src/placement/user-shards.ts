import type { Queryable } from '../base/database.ts';

/*
 * Which shard has the rows of a user. Citus gives each shard an equal part of the values of PostgreSQL's hash. Here it is
 * computed, as a statement that had to ask for it first would come too late within a pipeline.
 */

const HASHES = 2 ** 32;
/** How far the last steps of Jenkins' hash lookup3 rotate, in their order. */
const ROTATIONS = [14, 11, 25, 16, 4, 14, 24];
/** With what PostgreSQL begins for a key of four bytes: the golden ratio, the length and a number of its own. */
const BEGIN = (0x9e3779b9 + 4 + 3_923_095) >>> 0;

/** PostgreSQL's hash of a user's id: the function hashint8, for an id from 0 to 2^53. */
export function hashOfUser(id: number): number {
  // Three numbers, of which in each step the first changes by the one after it.
  const state = [BEGIN, BEGIN, (BEGIN + ((id >>> 0) ^ Math.floor(id / HASHES))) >>> 0];
  for (const by of ROTATIONS) {
    const [changed = 0, other = 0, kept = 0] = state;
    const rotated = (other << by) | (other >>> (32 - by));
    state.splice(0, 3, kept, ((changed ^ other) - rotated) >>> 0, other);
  }
  return (state[1] ?? 0) | 0;
}

/** The key of each shard, by which Citus finds it: the least user who could be there. In the order of their hashes. */
let shardKeys: readonly number[] = [];

/** The number of the shard that has this hash, among so many. */
const shardAt = (hash: number, shards: number): number =>
  Math.min(shards - 1, Math.floor((hash + HASHES / 2) / Math.floor(HASHES / shards)));

/**
 * Reads once for a process how many shards each table of users has. The coordinator knows it: no server that is away is asked.
 */
export async function learnShards(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ shards: number }>(
    "select count(*)::int4 as shards from pg_dist_shard where logicalrelid = 'shards_here'::regclass",
  );
  const count = rows[0]?.shards ?? 0;
  const keys: number[] = [];
  for (let user = 1, found = 0; found < count; user += 1) {
    const shard = shardAt(hashOfUser(user), count);
    if (keys[shard] !== undefined) continue;
    keys[shard] = user;
    found += 1;
  }
  shardKeys = keys;
}

/** How many shards each table of users has. */
export const shardCount = (): number => shardKeys.length;

/** @returns the key of the shard of each user @throws Error where the shards were not read yet */
export const shardKeysOf = (users: readonly number[]): number[] =>
  users.map((user) => {
    const least = shardKeys[shardAt(hashOfUser(user), shardKeys.length)];
    if (least === undefined) throw new Error('The shards of this database are not known.');
    return least;
  });
