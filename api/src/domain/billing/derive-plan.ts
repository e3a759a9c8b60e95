import type { PlanEvent } from './plan-transitions.ts';

const FREE = 1;
const GRACE_DAYS = 7;
const DAY_MS = 86_400_000;

/** A subscription as the payment provider states it. */
export interface PaidSubscription {
  id: string;
  /** The subscription item with the plan's price, which a change of plan replaces. */
  itemId: string;
  /** null when its price belongs to no plan. */
  planId: number | null;
  /**
   * 'pending': the first payment is being processed. 'unpaid': the first payment failed. 'past_due': it was paid before,
   * but the latest payment failed.
   */
  phase: 'pending' | 'unpaid' | 'active' | 'past_due' | 'ended';
  /** Whether it is cancelled at the end of the period. */
  cancels: boolean;
  periodEnd: Date;
  /** Since when a payment is overdue; null unless it is past due. */
  unpaidSince: Date | null;
  /** Whether the last payment was refunded in full. */
  isRefunded: boolean;
}

export type PlanStatus = 'active' | 'past_due' | 'canceling';

/** The plan in force, and why. */
export interface PlanState {
  planId: number;
  status: PlanStatus;
  /** The subscription that pays for the plan; null on Free. */
  subscription: PaidSubscription | null;
  /** When the paid period ends; null on Free. */
  currentPeriodEnd: Date | null;
  /** When the grace period of an unpaid plan ends; null unless the status is past_due. */
  graceEndsAt: Date | null;
  event: Exclude<PlanEvent, 'chosen'>;
  /** Ids of running subscriptions that must be ended, as they are refunded or their grace period is over. */
  toEnd: string[];
  /** Ids of subscriptions that must be cancelled, as another one that renews pays for the plan. */
  toCancel: string[];
}

const graceEnd = ({ unpaidSince, periodEnd }: PaidSubscription): Date =>
  new Date((unpaidSince ?? periodEnd).getTime() + GRACE_DAYS * DAY_MS);

const wasPaid = ({ phase }: PaidSubscription): boolean => phase !== 'pending' && phase !== 'unpaid';
const runs = ({ phase }: PaidSubscription): boolean => phase === 'active' || phase === 'past_due';

/** Larger plans first, then later ends of the period, then by id, so that the order is deterministic. */
function byValue(a: PaidSubscription, b: PaidSubscription): number {
  return (b.planId ?? 0) - (a.planId ?? 0) || b.periodEnd.getTime() - a.periodEnd.getTime() || (a.id < b.id ? -1 : 1);
}

function statusOf({ phase, cancels }: PaidSubscription): PlanStatus {
  if (phase === 'past_due') return 'past_due';
  return cancels ? 'canceling' : 'active';
}

/**
 * All subscriptions that renew, except the best one. One that is past due is excluded, as it is paid first or lapses.
 */
function duplicates(bestFirst: readonly PaidSubscription[]): string[] {
  const renewing = bestFirst.filter(({ phase, cancels }) => phase === 'active' && !cancels);
  return renewing.slice(1).map(({ id }) => id);
}

/**
 * Derives the plan in force from all subscriptions of a customer, in any order.
 * @param now decides whether a grace period is over
 * @returns null when no subscription was ever paid
 */
export function derivePlan(subscriptions: readonly PaidSubscription[], now: Date): PlanState | null {
  const ours = subscriptions.filter((one) => wasPaid(one) && one.planId !== null);
  if (ours.length === 0) return null;
  const running = ours.filter(runs);
  const refunded = running.filter(({ isRefunded }) => isRefunded);
  const lapsed = running.filter((one) => !one.isRefunded && one.phase === 'past_due' && graceEnd(one) <= now);
  const toEnd = [...refunded, ...lapsed].map(({ id }) => id).sort();
  const held = running.filter(({ id }) => !toEnd.includes(id)).sort(byValue);
  const [best] = held;
  if (best) {
    const status = statusOf(best);
    return {
      planId: best.planId ?? FREE,
      status,
      subscription: best,
      currentPeriodEnd: best.periodEnd,
      graceEndsAt: status === 'past_due' ? graceEnd(best) : null,
      event: 'paid',
      toEnd,
      toCancel: duplicates(held),
    };
  }
  const event = refunded.length > 0 ? 'refunded' : lapsed.length > 0 ? 'lapsed' : 'ended';
  return {
    planId: FREE,
    status: 'active',
    subscription: null,
    currentPeriodEnd: null,
    graceEndsAt: null,
    event,
    toEnd,
    toCancel: [],
  };
}
