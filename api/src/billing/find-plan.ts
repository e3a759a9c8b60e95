import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { Plan } from '../entities/plan.ts';

/** All plans, the free one first. */
export function listPlans(em: EntityManager): Promise<Plan[]> {
  return em.find(Plan, {}, { orderBy: { id: 'asc' } });
}

/**
 * Finds the plan that a caller chose.
 * @param id of any size; null for a text that is no id
 * @throws AppError NOT_FOUND
 */
export async function findPlan(em: EntityManager, id: number | null): Promise<Plan> {
  // The ids are compared here because the column is too narrow for every number that a caller may send.
  const plan = (await listPlans(em)).find((one) => one.id === id);
  if (!plan) throw new AppError('NOT_FOUND', 'Selected plan not found');
  return plan;
}
