import type { EntityManager } from '@mikro-orm/postgresql';
import { localDate } from '../domain/local-date.ts';
import { isPaidPlan } from '../domain/plan-limits.ts';
import type { BillingParts } from './billing-parts.ts';
import { choosePlan } from './choose-plan.ts';
import { currentSubscription, type Subscribed } from './current-subscription.ts';
import { findPlan } from './find-plan.ts';
import { paymentsMissing } from './payments-missing.ts';

/** Either the plan that holds now, or where to pay for it. */
export interface SubscribeOutcome {
  subscription: Subscribed | null;
  url: string | null;
  /** null where the address is no checkout's. */
  sessionId: string | null;
  /** A sentence for the user; null where the address says the rest. */
  message: string | null;
}

/**
 * Moves the viewer to a plan. What happens at the vendor and what is written of it is no part of the caller's
 * transaction: rolled back and sent again, the call finds what the first one began.
 * @param planId null for a text that is no id
 * @throws AppError NOT_FOUND for an unknown plan; NOT_CONFIGURED where a payment would start or end, VENDOR, CONFLICT
 */
export async function subscribe(
  em: EntityManager,
  parts: BillingParts,
  viewer: { id: number },
  planId: number | null,
): Promise<SubscribeOutcome> {
  const { payments } = parts;
  const plan = await findPlan(em, planId);
  const current = await currentSubscription(em, viewer);
  // Who is on a paid plan leaves it at the end of a paid period: that needs whoever took the payment.
  if (!payments && (isPaidPlan(plan.id) || isPaidPlan(current.planId))) throw paymentsMissing();
  const { url, sessionId } = payments
    ? await parts.turn(viewer.id, (lease) => choosePlan({ ...parts, payments }, lease, viewer.id, plan.id))
    : { url: null, sessionId: null };
  if (url !== null) return { subscription: null, url, sessionId, message: null };
  const subscription = await currentSubscription(em, viewer);
  return { subscription, url: null, sessionId: null, message: planSentence(subscription) };
}

/** What a user's plan is now. */
export function planSentence({ planName, status, currentPeriodEnd, timeZone }: Subscribed): string {
  if (status !== 'canceling' || currentPeriodEnd === null) return `You are on the ${planName} plan.`;
  return `Your ${planName} plan ends on ${localDate(currentPeriodEnd, timeZone)}. Until then nothing changes.`;
}
