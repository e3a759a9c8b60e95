import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import type { Plan } from '../entities/plan.ts';
import { listPlans } from './list-plans.ts';

/**
 * The plan that somebody chose.
 * @param id of any size; null for a text that is no id
 * @throws AppError NOT_FOUND
 */
export async function findPlan(em: EntityManager, id: number | null): Promise<Plan> {
  // Compared here: the column is too narrow for every number that a caller may send.
  const plan = (await listPlans(em)).find((one) => one.id === id);
  if (!plan) throw new AppError('NOT_FOUND', 'Selected plan not found');
  return plan;
}
