import { type Client, endWhenIdle, inTransaction, type Pool, type Queryable, SHORT_IDLE_MS } from './database.ts';

/** Keys of advisory locks that several rooms take. */
export const locks = {
  /** Held shared by searches from listings, alone by searches from alerts and by erasure. */
  matching: 7_401,
  /** Whoever looks back; held beside `matching`, so that the others need not wait for it. */
  backfill: 7_404,
  /** The outbox file, outside the database. */
  outbox: 7_409,
  /** Events for webhooks are made by one at a time: their numbers then follow their commits. */
  webhookEvents: 7_418,
} as const;

/** Takes, until the transaction ends, a lock that many wait for: a process that is stopped then loses it in seconds. */
export async function lockContended(client: Queryable, key: number): Promise<void> {
  await client.query("select set_config('idle_in_transaction_session_timeout', $2, true), pg_advisory_xact_lock($1)", [
    key,
    String(SHORT_IDLE_MS),
  ]);
}

/** So long may what is done under a lock be silent before the lock is somebody else's. */
const SILENT_MS = 8_000;

/** Whether a lock is still held for long enough to do something at once. To be asked right before that is done. */
export type IsHeld = () => boolean;

/**
 * Runs `work` while no other process of this database runs any under the same key; what it does is no part of a
 * transaction. The lock ends with the process that holds it, or when that is stopped: whatever must not happen without
 * the lock has to ask `isHeld`, and to follow in the same breath, with nothing awaited between.
 * @param silentMs how long the lock is held by a process that is stopped
 */
export function withAdvisoryLock<T>(
  pool: Pool,
  key: number,
  work: (isHeld: IsHeld) => Promise<T>,
  silentMs = SILENT_MS,
): Promise<T> {
  const locked = async (client: Client) => {
    await client.query('select pg_advisory_xact_lock($1)', [key]);
    // The server counts anew from this statement, which it can't have answered before it was asked.
    const from = performance.now();
    await client.query('select 1');
    return work(() => performance.now() - from < silentMs / 2);
  };
  return inTransaction(pool, locked, `begin; ${endWhenIdle(silentMs)}`);
}
