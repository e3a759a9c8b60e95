import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { makeApiKeyText } from '../domain/api-key-text.ts';
import { ApiKey } from '../entities/api-key.ts';
import { User } from '../entities/user.ts';
import { requireApiAccess } from '../policies/api-access.ts';
import type { NewKeyFields } from './key-fields.ts';

/** Live keys of one account. */
export const MAX_KEYS = 20;
const RANDOM_BYTES = 32;

/** A key and the text that its owner sees this once. */
export interface MadeKey {
  apiKey: ApiKey;
  secret: string;
}

/** @throws AppError UNAUTHENTICATED when the account is gone, PLAN_REQUIRED */
export async function requirePlanForKeys(em: EntityManager, viewer: { id: number }): Promise<void> {
  const user = await em.findOne(User, { id: viewer.id });
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  requireApiAccess(user);
}

/**
 * Holds the account until the transaction ends, so that parallel creates count one after another.
 * @throws AppError UNAUTHENTICATED when it is gone, PLAN_REQUIRED, CONFLICT when it has as many keys as any may
 */
export async function holdRoomForKey(tx: EntityManager, viewer: { id: number }): Promise<void> {
  await tx.execute('select id from users where id = ? for update', [viewer.id]);
  await requirePlanForKeys(tx, viewer);
  const [row] = await tx.execute<{ live: number | string }[]>(
    `select count(*) as live from api_keys
      where user_id = ? and revoked_at is null and coalesce(expires_at > now(), true)`,
    [viewer.id],
  );
  if (Number(row?.live) < MAX_KEYS) return;
  throw new AppError('CONFLICT', `You have ${MAX_KEYS} API keys. Please revoke one to make another.`);
}

/** Writes a key of an account that is held. Only its hash is kept. */
export async function writeKey(tx: EntityManager, userId: number, fields: NewKeyFields): Promise<MadeKey> {
  const { text, prefix, hash } = makeApiKeyText(randomBytes(RANDOM_BYTES));
  const apiKey = tx.create(ApiKey, { userId, ...fields, prefix, secretHash: hash });
  await tx.flush();
  await tx.execute('insert into api_allowances (user_id) values (?) on conflict do nothing', [userId]);
  return { apiKey, secret: text };
}
