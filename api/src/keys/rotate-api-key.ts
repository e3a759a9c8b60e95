import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, refuseInvalid } from '../base/errors.ts';
import { apiKeyTexts, bounds } from '../domain/form-rules.ts';
import { ApiKey } from '../entities/api-key.ts';
import { holdForKeys, type MadeKey, requireRoomForKey, writeKey } from './hold-keys.ts';
import { type KeyParts, tellOfKey } from './tell-of-key.ts';

const OVERLAP_HOURS = 24;

/**
 * Makes a key of the same name and scopes in the place of a key of the viewer's, which works on for the overlap.
 * @param overlapHours 24 when left out; with 0 the old key ends at once
 * @throws AppError VALIDATION, NOT_FOUND, PLAN_REQUIRED, CONFLICT for a key that has ended or was replaced, or when too
 *   many of the account's are being replaced
 */
export async function rotateApiKey(
  em: EntityManager,
  { confirmEmail }: KeyParts,
  viewer: { id: number },
  id: number,
  overlapHours: number | null | undefined,
): Promise<MadeKey> {
  const hours = overlapHours ?? OVERLAP_HOURS;
  if (hours < 0 || hours > bounds.keyOverlap) refuseInvalid({ overlapHours: apiKeyTexts.overlapUnknown });
  return em.transactional(async (tx) => {
    await holdForKeys(tx, viewer);
    const old = await tx.findOne(ApiKey, { id, userId: viewer.id });
    if (!old) throw new AppError('NOT_FOUND', 'API key not found');
    if (old.revokedAt) throw new AppError('CONFLICT', 'This API key is revoked.');
    if (old.expiresAt) throw new AppError('CONFLICT', 'This API key was replaced before.');
    if (hours > 0) await requireRoomForKey(tx, viewer.id, true);
    const made = await writeKey(tx, viewer.id, { name: old.name, scopes: old.scopes });
    await tx.execute(
      'update api_keys set replaced_by = ?, expires_at = now() + make_interval(hours => ?) where id = ?',
      [made.apiKey.id, hours, id],
    );
    const worksUntil = hours > 0 ? new Date(Date.now() + hours * 3_600_000).toISOString() : null;
    await tellOfKey(tx, confirmEmail, old, { what: 'replaced', worksUntil });
    return made;
  });
}
