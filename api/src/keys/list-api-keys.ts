import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKey } from '../entities/api-key.ts';
import { requirePlanForKeys } from './hold-keys.ts';

const SHOWN = 100;

/**
 * The viewer's keys, the newest first: all that work, and of those that ended in 30 days as many as a page can show.
 * @throws AppError PLAN_REQUIRED
 */
export async function listApiKeys(em: EntityManager, viewer: { id: number }): Promise<ApiKey[]> {
  await requirePlanForKeys(em, viewer);
  const rows = await em.execute<{ id: number | string }[]>(
    `select id from api_keys where user_id = ?
      order by revoked_at is not null or coalesce(expires_at <= now(), false), id desc limit ${SHOWN}`,
    [viewer.id],
  );
  return em.find(ApiKey, { id: { $in: rows.map(({ id }) => Number(id)) } }, { orderBy: { id: 'desc' } });
}
