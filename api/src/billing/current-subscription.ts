import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { Plan } from '../entities/plan.ts';
import { User } from '../entities/user.ts';

export interface Subscribed {
  planId: number;
  subscriptionPlanId: number;
  planName: string;
  /** 'active', 'past_due' or 'canceling'. */
  status: string;
  /** null on Free. */
  currentPeriodEnd: Date | null;
}

/** The viewer's plan. @throws AppError UNAUTHENTICATED when the account is gone */
export async function currentSubscription(em: EntityManager, viewer: { id: number }): Promise<Subscribed> {
  const user = await em.findOne(User, { id: viewer.id });
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  const plan = await em.findOneOrFail(Plan, { id: user.planId });
  return {
    planId: plan.id,
    subscriptionPlanId: plan.id,
    planName: plan.name,
    status: 'active',
    currentPeriodEnd: null,
  };
}
