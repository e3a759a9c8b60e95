import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from './sql-of.ts';

/** The call may wait for a vendor for longer than other transactions may be idle. */
const IDLE_TIMEOUT = '25s';

/** A call that is executed once, however often it is sent with its key. */
export interface KeyedCall {
  userId: number;
  key: string;
  /** Method and path. */
  call: string;
  /** The digest of the request body. */
  bodyHash: string;
}

export interface StoredAnswer {
  status: number;
  /** As JSON. */
  answer: unknown;
}

/**
 * Claims a key for the transaction's call, and waits while another transaction holds it. It writes nothing, since readers
 * of matches by cursor wait for every transaction that has written, also while that waits for a vendor.
 * @returns the stored answer of an earlier call; null when this call is the first
 */
export async function claimKey(
  tx: EntityManager,
  { userId, key }: KeyedCall,
): Promise<(StoredAnswer & { call: string; bodyHash: string }) | null> {
  await sqlOf(tx).query(
    `select set_config('idle_in_transaction_session_timeout', $1, true), pg_advisory_xact_lock(hashtextextended($2, 0))`,
    [IDLE_TIMEOUT, `idempotency:${userId}:${key}`],
  );
  const { rows } = await sqlOf(tx).query<{ call: string; body_hash: string; status: number; answer: unknown }>(
    'select call, body_hash, status, answer from idempotency_keys where user_id = $1 and key = $2',
    [userId, key],
  );
  const [before] = rows;
  if (!before) return null;
  return { call: before.call, bodyHash: before.body_hash, status: before.status, answer: before.answer };
}

/** Stores the answer of the call with the claimed key. */
export async function storeAnswer(
  tx: EntityManager,
  { userId, key, call, bodyHash }: KeyedCall,
  { status, answer }: StoredAnswer,
): Promise<void> {
  await sqlOf(tx).query(
    `insert into idempotency_keys (user_id, key, call, body_hash, status, answer) values ($1, $2, $3, $4, $5, $6::json)`,
    [userId, key, call, bodyHash, status, JSON.stringify(answer)],
  );
}
