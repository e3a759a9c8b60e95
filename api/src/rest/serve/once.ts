import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import { claimKey, type KeptAnswer, keepAnswer } from '../../entities/idempotency-key.ts';

interface KeyedRequest {
  userId: number;
  /** The header, as it was sent. */
  key: string;
  /** Method and path. */
  call: string;
  variables: Record<string, unknown>;
}

/**
 * Answers a call that was made before under the same key with what it was answered then. The call and its answer are
 * written in one transaction: a call that fails leaves no trace, and may be sent again.
 * @param work runs the call in the transaction of the entity manager it gets
 * @throws AppError VALIDATION for a key that is none, CONFLICT where the key stands for another call
 */
export async function once(
  em: EntityManager,
  { userId, key, call, variables }: KeyedRequest,
  work: (tx: EntityManager) => Promise<KeptAnswer>,
): Promise<KeptAnswer & { isRepeated: boolean }> {
  if (key.length > 255 || !/^[\x21-\x7e]+$/.test(key)) {
    throw new AppError('VALIDATION', 'Idempotency-Key must be 1 to 255 visible characters.');
  }
  const bodyHash = createHash('sha256').update(JSON.stringify(variables)).digest('base64url');
  const keyed = { userId, key, call, bodyHash };
  return em.fork().transactional(async (tx) => {
    const before = await claimKey(tx, keyed);
    if (!before) {
      const made = await work(tx);
      await keepAnswer(tx, keyed, made);
      return { ...made, isRepeated: false };
    }
    if (before.call === call && before.bodyHash === bodyHash) return { ...before, isRepeated: true };
    throw new AppError('CONFLICT', 'This Idempotency-Key was used for another request.');
  });
}
