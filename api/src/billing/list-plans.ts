import type { EntityManager } from '@mikro-orm/postgresql';
import { Plan } from '../entities/plan.ts';

/** All plans, the free one first. */
export function listPlans(em: EntityManager): Promise<Plan[]> {
  return em.find(Plan, {}, { orderBy: { id: 'asc' } });
}
