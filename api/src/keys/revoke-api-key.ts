import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';

/**
 * Ends a key of the viewer's for good, on any plan: every process refuses it from this commit on, and the database
 * tells them to close its sockets.
 * @throws AppError NOT_FOUND
 */
export async function revokeApiKey(em: EntityManager, viewer: { id: number }, id: number): Promise<number> {
  const found: unknown[] = await em.execute(
    'update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ? and user_id = ? returning id',
    [id, viewer.id],
  );
  if (found.length === 0) throw new AppError('NOT_FOUND', 'API key not found');
  return id;
}
