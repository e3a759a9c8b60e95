import { inTransaction, type Pool } from './database.ts';

/** Keys of advisory locks that several rooms take. */
export const locks = {
  /** Held shared by searches from listings, alone by searches from alerts and by erasure. */
  matching: 7_401,
  /** The outbox file, outside the database. */
  outbox: 7_409,
  /** Events for webhooks are made by one at a time: their numbers then follow their commits. */
  webhookEvents: 7_418,
  /** Plus a user's number: whoever asks what a user has paid for, and writes it down. */
  billing: 7_411_000_000_000_000,
} as const;

/**
 * Runs `work` while no other process of this database runs any under the same key. The lock ends with the process that
 * holds it, however it ends; what `work` does is no part of a transaction.
 */
export function underLock<T>(pool: Pool, key: number, work: () => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [key]);
    return work();
  });
}
