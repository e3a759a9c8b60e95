import type { PlanEvent } from './plan-moves.ts';

const FREE = 1;
const GRACE_DAYS = 7;
const DAY_MS = 86_400_000;

/** A subscription as whoever takes the payments tells it. */
export interface PaidSubscription {
  id: string;
  /** What of it stands for the plan; needed to change the plan. */
  itemId: string;
  /** null when its price is none of ours. */
  planId: number | null;
  /**
   * Of 'pending' the first payment is under way, of 'unpaid' it never came; 'past_due' was paid, and the latest payment
   * is missing.
   */
  phase: 'pending' | 'unpaid' | 'active' | 'past_due' | 'ended';
  /** Whether it ends with the period. */
  cancels: boolean;
  periodEnd: Date;
  /** Since when payments are missing; null unless it is past due. */
  unpaidSince: Date | null;
  /** Whether the last payment was given back in full. */
  isRefunded: boolean;
}

export type PlanStatus = 'active' | 'past_due' | 'canceling';

/** Which plan holds, and why. */
export interface PlanState {
  planId: number;
  status: PlanStatus;
  /** The subscription that the plan comes from; null on Free. */
  subscription: PaidSubscription | null;
  /** When the paid period ends; null on Free. */
  currentPeriodEnd: Date | null;
  /** Until when an unpaid plan is kept; null unless the status is past_due. */
  graceEndsAt: Date | null;
  event: Exclude<PlanEvent, 'chosen'>;
  /** Subscriptions that still run and must not: what they are for is refunded or stayed unpaid. */
  toEnd: string[];
  /** Subscriptions that would be charged beside the one that the plan comes from: none of them may renew. */
  toCancel: string[];
}

const graceEnd = ({ unpaidSince, periodEnd }: PaidSubscription): Date =>
  new Date((unpaidSince ?? periodEnd).getTime() + GRACE_DAYS * DAY_MS);

const wasPaid = ({ phase }: PaidSubscription): boolean => phase !== 'pending' && phase !== 'unpaid';
const runs = ({ phase }: PaidSubscription): boolean => phase === 'active' || phase === 'past_due';

/** Larger plans first, then what lasts longest; ids only so that the order is always the same. */
function byWorth(a: PaidSubscription, b: PaidSubscription): number {
  return (b.planId ?? 0) - (a.planId ?? 0) || b.periodEnd.getTime() - a.periodEnd.getTime() || (a.id < b.id ? -1 : 1);
}

function statusOf({ phase, cancels }: PaidSubscription): PlanStatus {
  if (phase === 'past_due') return 'past_due';
  return cancels ? 'canceling' : 'active';
}

/** All that renew but the best of them. One that is unpaid is left alone: it is paid first, or lapses. */
function surplus(bestFirst: readonly PaidSubscription[]): string[] {
  const renewing = bestFirst.filter(({ phase, cancels }) => phase === 'active' && !cancels);
  return renewing.slice(1).map(({ id }) => id);
}

/**
 * The plan that follows from all of a customer's subscriptions, in whatever order they come; null when none was ever
 * paid, from which nothing follows.
 * @param now decides whether the grace of an unpaid one is over
 */
export function derivePlan(subscriptions: readonly PaidSubscription[], now: Date): PlanState | null {
  const ours = subscriptions.filter((one) => wasPaid(one) && one.planId !== null);
  if (ours.length === 0) return null;
  const running = ours.filter(runs);
  const refunded = running.filter(({ isRefunded }) => isRefunded);
  const lapsed = running.filter((one) => !one.isRefunded && one.phase === 'past_due' && graceEnd(one) <= now);
  const toEnd = [...refunded, ...lapsed].map(({ id }) => id).sort();
  const held = running.filter(({ id }) => !toEnd.includes(id)).sort(byWorth);
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
      toCancel: surplus(held),
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
