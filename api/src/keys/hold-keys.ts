import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { makeApiKeyText } from '../domain/api-key-text.ts';
import { ApiKey } from '../entities/api-key.ts';
import { User } from '../entities/user.ts';
import { requireApiAccess } from '../policies/api-access.ts';
import type { NewKeyFields } from './key-fields.ts';

/** Of one account, that none has replaced. */
const MAX_KEYS = 20;
/** With those that work on beside what replaces them: all may be replaced at a time. */
const MAX_LIVING = 2 * MAX_KEYS;
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
 * @throws AppError UNAUTHENTICATED when it is gone, PLAN_REQUIRED
 */
export async function holdForKeys(tx: EntityManager, viewer: { id: number }): Promise<void> {
  await tx.execute('select id from users where id = ? for update', [viewer.id]);
  await requirePlanForKeys(tx, viewer);
}

/**
 * Whether an account that is held may have another key.
 * @param isReplacing another key works on beside it for a while, and then no more
 * @throws AppError CONFLICT when it has as many as any may
 */
export async function requireRoomForKey(tx: EntityManager, userId: number, isReplacing: boolean): Promise<void> {
  const [row] = await tx.execute<{ living: number | string; lasting: number | string }[]>(
    `select count(*) as living, count(*) filter (where expires_at is null) as lasting from api_keys
      where user_id = ? and revoked_at is null and coalesce(expires_at > now(), true)`,
    [userId],
  );
  if (!isReplacing && Number(row?.lasting) >= MAX_KEYS)
    throw new AppError('CONFLICT', `You have ${MAX_KEYS} API keys. Please revoke one to make another.`);
  if (Number(row?.living) >= MAX_LIVING)
    throw new AppError(
      'CONFLICT',
      `${MAX_LIVING} API keys work, with those that were replaced. Please revoke one first.`,
    );
}

/** Writes a key of an account that is held. Only its hash is kept. */
export async function writeKey(tx: EntityManager, userId: number, fields: NewKeyFields): Promise<MadeKey> {
  const { text, prefix, hash } = makeApiKeyText(randomBytes(RANDOM_BYTES));
  const apiKey = tx.create(ApiKey, { userId, ...fields, prefix, secretHash: hash });
  await tx.flush();
  await tx.execute('insert into api_allowances (user_id) values (?) on conflict do nothing', [userId]);
  return { apiKey, secret: text };
}
