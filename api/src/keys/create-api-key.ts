import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApiScope } from '../domain/api-scope.ts';
import { holdForKeys, type MadeKey, requireRoomForKey, writeKey } from './hold-keys.ts';
import { readKeyFields } from './key-fields.ts';
import { type KeyParts, tellOfKey } from './tell-of-key.ts';

/**
 * Makes a key of the viewer's; its secret is in the answer and nowhere else.
 * @throws AppError VALIDATION with `fields`, PLAN_REQUIRED, CONFLICT
 */
export async function createApiKey(
  em: EntityManager,
  { confirmEmail }: KeyParts,
  viewer: { id: number },
  name: string,
  scopes: readonly ApiScope[],
): Promise<MadeKey> {
  const fields = readKeyFields(name, scopes);
  return em.transactional(async (tx) => {
    await holdForKeys(tx, viewer);
    await requireRoomForKey(tx, viewer.id, false);
    const made = await writeKey(tx, viewer.id, fields);
    await tellOfKey(tx, confirmEmail, made.apiKey, { what: 'made' });
    return made;
  });
}
