import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKey } from '../../entities/api-key.ts';
import { sqlOf } from '../../entities/sql-of.ts';

/** What goes on after a new password unless it is ended too. */
export interface ResetAccess {
  apiKeys: ApiKey[];
  webhooks: WebhookHost[];
}

/** Whom a webhook tells; its whole address may be a secret. */
export interface WebhookHost {
  id: number;
  host: string;
  createdAt: Date;
}

/** The API keys of an account that still work, on whatever plan, and its webhooks; the newest first. */
export async function readResetAccess(em: EntityManager, userId: number): Promise<ResetAccess> {
  const living = { userId, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }] };
  const apiKeys = await em.find(ApiKey, living, { orderBy: { id: 'desc' } });
  const { rows } = await sqlOf(em).query<{ id: number; url: string; createdAt: Date }>(
    'select id, url, created_at as "createdAt" from webhooks where user_id = $1 order by id desc',
    [userId],
  );
  const webhooks = rows.map(({ id, url, createdAt }) => ({
    id,
    host: URL.parse(url)?.host ?? '',
    createdAt,
  }));
  return { apiKeys, webhooks };
}

/** Numbers of what is ended with a new password. */
export interface ToEnd {
  apiKeys: readonly number[];
  webhooks: readonly number[];
}

/** What was ended, as its owner knows it. */
export interface Ended {
  apiKeys: { name: string; prefix: string }[];
  webhooks: string[];
}

/** Ends keys and webhooks of an account for good; what is not there, or another's, is left alone. */
export async function endAccess(tx: EntityManager, userId: number, { apiKeys, webhooks }: ToEnd): Promise<Ended> {
  const { rows: keys } = await sqlOf(tx).query<Ended['apiKeys'][number]>(
    `update api_keys set revoked_at = now()
      where id = any($1::int8[]) and user_id = $2 and revoked_at is null returning name, prefix`,
    [apiKeys, userId],
  );
  const { rows: gone } = await sqlOf(tx).query<{ url: string }>(
    'delete from webhooks where id = any($1::int8[]) and user_id = $2 returning url',
    [webhooks, userId],
  );
  return { apiKeys: keys, webhooks: gone.map(({ url }) => URL.parse(url)?.host ?? '') };
}
