import type { Client, Pool } from '../../base/database.ts';
import { locks } from '../../base/under-lock.ts';

/** Runs work while no other does anything about the payments of the same user, in this process or another. */
export type UserTurns = <T>(userId: number, work: (client: Client) => Promise<T>) => Promise<T>;

/**
 * Turns by user, over connections of their own: while Stripe is slow, only billing waits. Nothing is in a transaction
 * while Stripe is asked; the lock belongs to the connection and ends with it, and whoever has lost it can't write.
 */
export function makeUserTurns(pool: Pool): UserTurns {
  const last = new Map<number, Promise<unknown>>();
  return async (userId, work) => {
    const before = last.get(userId) ?? Promise.resolve();
    const mine = before.then(() => underUserLock(pool, userId, work));
    // One connection a user, however many calls wait.
    const settled = mine.catch(() => {});
    last.set(userId, settled);
    try {
      return await mine;
    } finally {
      if (last.get(userId) === settled) last.delete(userId);
    }
  };
}

async function underUserLock<T>(pool: Pool, userId: number, work: (client: Client) => Promise<T>): Promise<T> {
  const key = locks.billing + userId;
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('select pg_advisory_lock($1)', [key]);
    return await work(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [key]).catch((failure: Error) => {
      broken = failure;
    });
    client.release(broken);
  }
}

/** Runs `work` in a transaction of the turn's own connection. */
export async function inTurn<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
