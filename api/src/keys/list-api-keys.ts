import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKey } from '../entities/api-key.ts';
import { requirePlanForKeys } from './hold-keys.ts';

/** The viewer's keys, the newest first; those that ended stay for 30 days. @throws AppError PLAN_REQUIRED */
export async function listApiKeys(em: EntityManager, viewer: { id: number }): Promise<ApiKey[]> {
  await requirePlanForKeys(em, viewer);
  return em.find(ApiKey, { userId: viewer.id }, { orderBy: { id: 'desc' } });
}
