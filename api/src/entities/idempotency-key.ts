import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from './sql-of.ts';

/** The call may ask a vendor meanwhile, for longer than other transactions are let be idle. */
const PATIENCE = '25s';

/** A call that shall happen once, however often it is sent under its key. */
export interface KeyedCall {
  userId: number;
  key: string;
  /** Method and path. */
  call: string;
  /** Digest of what was sent. */
  bodyHash: string;
}

export interface KeptAnswer {
  status: number;
  /** As JSON. */
  answer: unknown;
}

/**
 * Takes a key for the transaction's call. Waits where another transaction has taken it and is under way. Writes nothing
 * yet: a transaction that has written holds back all who read matches by position, also while it waits for a vendor.
 * @returns what was kept under the key before; null when it is this call's now
 */
export async function claimKey(
  tx: EntityManager,
  { userId, key }: KeyedCall,
): Promise<(KeptAnswer & { call: string; bodyHash: string }) | null> {
  await sqlOf(tx).query(
    `select set_config('idle_in_transaction_session_timeout', $1, true), pg_advisory_xact_lock(hashtextextended($2, 0))`,
    [PATIENCE, `idempotency:${userId}:${key}`],
  );
  const { rows } = await sqlOf(tx).query<{ call: string; body_hash: string; status: number; answer: unknown }>(
    'select call, body_hash, status, answer from idempotency_keys where user_id = $1 and key = $2',
    [userId, key],
  );
  const [before] = rows;
  if (!before) return null;
  return { call: before.call, bodyHash: before.body_hash, status: before.status, answer: before.answer };
}

/** Keeps what the call under a claimed key is answered. */
export async function keepAnswer(
  tx: EntityManager,
  { userId, key, call, bodyHash }: KeyedCall,
  { status, answer }: KeptAnswer,
): Promise<void> {
  await sqlOf(tx).query(
    `insert into idempotency_keys (user_id, key, call, body_hash, status, answer) values ($1, $2, $3, $4, $5, $6::json)`,
    [userId, key, call, bodyHash, status, JSON.stringify(answer)],
  );
}
