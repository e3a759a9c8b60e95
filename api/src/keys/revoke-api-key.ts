import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { ApiKey } from '../entities/api-key.ts';
import { type KeyParts, tellOfKey } from './tell-of-key.ts';

/**
 * Ends a key of the viewer's for good, on any plan: every process refuses it from this commit on, and the database
 * tells them to close its sockets. One that was ended before stays as it is.
 * @throws AppError NOT_FOUND
 */
export async function revokeApiKey(
  em: EntityManager,
  { confirmEmail }: KeyParts,
  viewer: { id: number },
  id: number,
): Promise<number> {
  return em.transactional(async (tx) => {
    const key = await tx.findOne(ApiKey, { id, userId: viewer.id });
    if (!key) throw new AppError('NOT_FOUND', 'API key not found');
    const ended: unknown[] = await tx.execute(
      'update api_keys set revoked_at = now() where id = ? and revoked_at is null returning id',
      [id],
    );
    if (ended.length > 0) await tellOfKey(tx, confirmEmail, key, { what: 'ended' });
    return id;
  });
}
