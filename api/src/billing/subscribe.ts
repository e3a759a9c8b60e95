import type { EntityManager } from '@mikro-orm/postgresql';
import { isPaidPlan } from '../domain/plan-limits.ts';
import { currentSubscription, type Subscribed } from './current-subscription.ts';
import { findPlan } from './find-plan.ts';
import { paymentsMissing } from './payments-missing.ts';

/** Either the plan that holds now, or where to pay for it. */
export interface SubscribeOutcome {
  subscription: Subscribed | null;
  url: string | null;
  sessionId: string | null;
}

/**
 * Moves the viewer to a plan. Free is answered at once to whoever is on it.
 * @param planId null for a text that is no id
 * @throws AppError NOT_FOUND for an unknown plan; NOT_CONFIGURED where a payment would start or end
 */
export async function subscribe(
  em: EntityManager,
  viewer: { id: number },
  planId: number | null,
): Promise<SubscribeOutcome> {
  const plan = await findPlan(em, planId);
  const current = await currentSubscription(em, viewer);
  // Who is on a paid plan leaves it at the end of a paid period: that needs whoever took the payment.
  if (isPaidPlan(plan.id) || isPaidPlan(current.planId)) throw paymentsMissing();
  return { subscription: current, url: null, sessionId: null };
}
