import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../base/database.ts';
import { AppError, refuseInvalid } from '../base/errors.ts';
import { ApiScope, generateApiKey, normalizedScopes } from '../domain/api-key.ts';
import { apiKeySchema } from '../domain/forms/api-key.ts';
import { validateForm } from '../domain/validate-form.ts';
import { ApiKey } from '../entities/api-key.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';
import { notifyOwner } from '../notify/notify-owner.ts';
import { requireApiAccess } from '../policies/owned-records.ts';
import { notifyKeysEnded } from './notify-keys-ended.ts';

interface NewKeyFields {
  name: string;
  scopes: ApiScope[];
}

/** @throws AppError VALIDATION with `fields` */
function readKeyFields(name: string, scopes: readonly ApiScope[]): NewKeyFields {
  const { values, faults } = validateForm(apiKeySchema, { name });
  const whole = normalizedScopes(scopes);
  if (whole.length === 0) faults.scopes = 'Please choose what the key may do';
  refuseInvalid(faults);
  return { ...values, scopes: whole };
}

/** The keys of one account that are not replaced. */
const MAX_KEYS = 20;
/** Together with replaced keys that still work; all keys may be replaced at the same time. */
const MAX_WORKING = 2 * MAX_KEYS;
const RANDOM_BYTES = 32;

/** A key and its secret, which its owner is shown only once. */
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
 * Locks the account until the transaction ends, so that parallel calls count the keys one after another.
 * @throws AppError UNAUTHENTICATED when it is gone, PLAN_REQUIRED
 */
async function lockForKeys(tx: EntityManager, viewer: { id: number }): Promise<void> {
  await sqlOf(tx).query('/* lock-owner-of-keys */ select id from users where id = $1 for update', [viewer.id]);
  await requirePlanForKeys(tx, viewer);
}

/**
 * Checks that a locked account may have another key.
 * @param isReplacing the new key replaces one, which still works during an overlap
 * @throws AppError CONFLICT when the account has the maximum
 */
async function requireRoomForKey(tx: EntityManager, userId: number, isReplacing: boolean): Promise<void> {
  const { rows } = await sqlOf(tx).query<{ living: number; lasting: number }>(
    `select count(*) as living, count(*) filter (where expires_at is null) as lasting from api_keys
      where user_id = $1 and revoked_at is null and coalesce(expires_at > now(), true)`,
    [userId],
  );
  const { living = 0, lasting = 0 } = rows[0] ?? {};
  if (!isReplacing && lasting >= MAX_KEYS)
    throw new AppError('CONFLICT', `You have ${MAX_KEYS} API keys. Please revoke one to make another.`);
  if (living >= MAX_WORKING)
    throw new AppError(
      'CONFLICT',
      `${MAX_WORKING} API keys work, with those that were replaced. Please revoke one first.`,
    );
}

/** Writes a new key of a locked account. Only the hash of its secret is stored. */
async function writeKey(tx: EntityManager, userId: number, fields: NewKeyFields): Promise<MadeKey> {
  const { text, prefix, hash } = generateApiKey(randomBytes(RANDOM_BYTES));
  const apiKey = tx.create(ApiKey, { userId, ...fields, prefix, secretHash: hash });
  await tx.flush();
  await sqlOf(tx).query('insert into api_allowances (user_id) values ($1) on conflict do nothing', [userId]);
  return { apiKey, secret: text };
}

interface KeyParts {
  /** Whether an unconfirmed address gets no mail. */
  confirmEmail: boolean;
}

interface KeyChange {
  what: 'made' | 'replaced' | 'ended';
  /** Until when a replaced key still works, ISO 8601. */
  worksUntil?: string | null;
}

/** Queues a mail to the key's owner about what happened to it. */
function notifyOwnerOfKey(
  tx: EntityManager,
  confirmEmail: boolean,
  { userId, name, prefix, scopes }: Pick<ApiKey, 'userId' | 'name' | 'prefix' | 'scopes'>,
  { what, worksUntil = null }: KeyChange,
): Promise<void> {
  const mayWrite = scopes.includes(ApiScope.write);
  const data = { at: new Date().toISOString(), what, name, prefix, mayWrite, worksUntil };
  return notifyOwner(sqlOf(tx), { userId, kind: 'key_changed', data, confirmEmail });
}

const SHOWN = 100;

/**
 * Lists the viewer's keys, newest first: all that work, then those that ended within 30 days, 100 at most.
 * @throws AppError PLAN_REQUIRED
 */
export async function listApiKeys(em: EntityManager, viewer: { id: number }): Promise<ApiKey[]> {
  await requirePlanForKeys(em, viewer);
  const { rows } = await sqlOf(em).query<{ id: number }>(
    `select id from api_keys where user_id = $1
      order by revoked_at is not null or coalesce(expires_at <= now(), false), id desc limit ${SHOWN}`,
    [viewer.id],
  );
  return em.find(ApiKey, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { id: 'desc' } });
}

/**
 * Creates a key for the viewer. Its secret is in the answer and nowhere else.
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
    await lockForKeys(tx, viewer);
    await requireRoomForKey(tx, viewer.id, false);
    const made = await writeKey(tx, viewer.id, fields);
    await notifyOwnerOfKey(tx, confirmEmail, made.apiKey, { what: 'made' });
    return made;
  });
}

const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 168;

/**
 * Replaces a key of the viewer's by one of the same name and scopes. The old key still works during the overlap.
 * @param overlapHours 24 when left out; with 0 the old key ends at once
 * @throws AppError VALIDATION, NOT_FOUND, PLAN_REQUIRED, CONFLICT for a key that has ended or was replaced, or when too
 *   many keys of the account work
 */
export async function rotateApiKey(
  em: EntityManager,
  { confirmEmail }: KeyParts,
  viewer: { id: number },
  id: number,
  overlapHours: number | null | undefined,
): Promise<MadeKey> {
  const hours = overlapHours ?? OVERLAP_HOURS;
  if (hours < 0 || hours > OVERLAP_HOURS_MAX)
    refuseInvalid({ overlapHours: `Please enter whole hours from 0 to ${OVERLAP_HOURS_MAX}` });
  return em.transactional(async (tx) => {
    await lockForKeys(tx, viewer);
    const old = await tx.findOne(ApiKey, { id, userId: viewer.id });
    if (!old) throw new AppError('NOT_FOUND', 'API key not found');
    if (old.revokedAt) throw new AppError('CONFLICT', 'This API key is revoked.');
    if (old.expiresAt) throw new AppError('CONFLICT', 'This API key was replaced before.');
    if (hours > 0) await requireRoomForKey(tx, viewer.id, true);
    const made = await writeKey(tx, viewer.id, { name: old.name, scopes: old.scopes });
    await sqlOf(tx).query(
      'update api_keys set replaced_by = $1, expires_at = now() + make_interval(hours => $2) where id = $3',
      [made.apiKey.id, hours, id],
    );
    await notifyKeysEnded(sqlOf(tx), [viewer.id]);
    const worksUntil = hours > 0 ? new Date(Date.now() + hours * 3_600_000).toISOString() : null;
    await notifyOwnerOfKey(tx, confirmEmail, old, { what: 'replaced', worksUntil });
    return made;
  });
}

/**
 * Revokes keys of a user's whose password was reset; the mail about the reset names them.
 * @param ids unknown ones and those of other users are ignored
 */
export async function revokeApiKeys(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<Pick<ApiKey, 'name' | 'prefix'>[]> {
  const { rows } = await db.query<Pick<ApiKey, 'name' | 'prefix'>>(
    `update api_keys set revoked_at = now()
      where id = any($1::int8[]) and user_id = $2 and revoked_at is null returning name, prefix`,
    [ids, userId],
  );
  if (rows.length > 0) await notifyKeysEnded(db, [userId]);
  return rows;
}

/**
 * Revokes a key of the viewer's, on any plan. Every process refuses it from this commit on, and a notification of the
 * database makes them close its sockets. A key that was revoked before stays as it is.
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
    const { rows: ended } = await sqlOf(tx).query(
      'update api_keys set revoked_at = now() where id = $1 and revoked_at is null returning id',
      [id],
    );
    if (ended.length === 0) return id;
    await notifyKeysEnded(sqlOf(tx), [viewer.id]);
    await notifyOwnerOfKey(tx, confirmEmail, key, { what: 'ended' });
    return id;
  });
}
