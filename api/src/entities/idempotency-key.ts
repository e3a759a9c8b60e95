import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteByIndex, FIRST_PIECE, type InPieces } from '../base/pieces.ts';

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
 * Takes a key for the transaction's call. Waits where another transaction has taken it and is under way.
 * @returns what was kept under the key before; null when it is this call's now
 */
export async function claimKey(
  tx: EntityManager,
  { userId, key, call, bodyHash }: KeyedCall,
): Promise<(KeptAnswer & { call: string; bodyHash: string }) | null> {
  const claimed: unknown[] = await tx.execute(
    `insert into idempotency_keys (user_id, key, call, body_hash)
     select ?::int8, ?::text, ?::text, ?::text from set_config('idle_in_transaction_session_timeout', ?, true)
     on conflict do nothing returning key`,
    [userId, key, call, bodyHash, PATIENCE],
  );
  if (claimed.length > 0) return null;
  const [before] = await tx.execute<{ call: string; body_hash: string; status: number; answer: unknown }[]>(
    'select call, body_hash, status, answer from idempotency_keys where user_id = ? and key = ?',
    [userId, key],
  );
  if (!before) throw new Error('The key was swept while it was asked for.');
  return { call: before.call, bodyHash: before.body_hash, status: before.status, answer: before.answer };
}

/** Keeps what the call under a claimed key is answered. */
export async function keepAnswer(
  tx: EntityManager,
  { userId, key }: KeyedCall,
  { status, answer }: KeptAnswer,
): Promise<void> {
  await tx.execute('update idempotency_keys set status = ?, answer = ?::json where user_id = ? and key = ?', [
    status,
    JSON.stringify(answer),
    userId,
    key,
  ]);
}

/** Deletes keys of more than a day ago. */
export const purgeKeys: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByIndex(
    db,
    { table: 'idempotency_keys', where: "created_at < now() - interval '24 hours'", orderBy: 'created_at' },
    piece,
  );
