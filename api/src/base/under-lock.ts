import { inTransaction, type Pool, type Queryable, SHORT_IDLE_MS } from './database.ts';

/** Keys of advisory locks that several rooms take. */
export const locks = {
  /** Held shared by searches from listings, alone by searches from alerts and by erasure. */
  matching: 7_401,
  /** Whoever looks back; held beside `matching`, so that the others need not wait for it. */
  lookBack: 7_404,
  /** The outbox file, outside the database. */
  outbox: 7_409,
  /** Events for webhooks are made by one at a time: their numbers then follow their commits. */
  webhookEvents: 7_418,
} as const;

/** Takes, until the transaction ends, a lock that many wait for: a process that is stopped then loses it in seconds. */
export async function lockBriefly(client: Queryable, key: number): Promise<void> {
  await client.query("select set_config('idle_in_transaction_session_timeout', $2, true), pg_advisory_xact_lock($1)", [
    key,
    String(SHORT_IDLE_MS),
  ]);
}

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
