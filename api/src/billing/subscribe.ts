import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import type { PaidSubscription } from '../domain/billing/derive-plan.ts';
import { planTransition } from '../domain/billing/plan-transitions.ts';
import { isPaidPlan } from '../domain/plan-list.ts';
import { localDate } from '../domain/time-zone.ts';
import { PaymentFault } from '../vendors/payments/payments.ts';
import { applyPlan, lockAccount } from './apply-plan.ts';
import { type BillingParts, type PaidParts, paymentsMissing } from './make-billing.ts';
import { openCheckout, refreshCheckout } from './payment-pages.ts';
import { currentSubscription, findPlan, type Subscribed } from './plans.ts';
import { type Synced, syncUser } from './sync-user.ts';
import type { UserLease } from './user-lock.ts';

const FREE = 1;
/** For payments that a bank takes days to complete. */
export const PAYMENT_UNDER_WAY = 'Your payment is still being processed. Your plan changes as soon as it has arrived.';
const PLAN_HAS_CHANGED = 'Your plan has just changed. Please look at it again.';

/** The page to open next; null when nothing is left to do. */
interface Choice {
  url: string | null;
  /** The checkout's id, where the address is a checkout's. */
  sessionId: string | null;
}

const done: Choice = { url: null, sessionId: null };

/**
 * Carries out the choice of a plan under the user lock, decided by what the vendor says now.
 * @throws PaymentFault, AppError CONFLICT
 */
async function choosePlan(parts: PaidParts, lease: UserLease, userId: number, planId: number): Promise<Choice> {
  await refreshCheckout(parts, lease, userId);
  const synced = await syncUser(parts, lease, userId);
  const subscription = synced?.subscription ?? null;
  const transition = planTransition(subscription?.planId ?? FREE, planId, 'chosen');
  if (transition === 'checkout') {
    if (synced?.isPending) throw new AppError('CONFLICT', PAYMENT_UNDER_WAY);
    const open = await openCheckout(parts, lease, userId, planId);
    if (open) return open;
    await syncUser(parts, lease, userId);
    throw new AppError('CONFLICT', PLAN_HAS_CHANGED);
  }
  if (!synced || !subscription) {
    await endGivenPlan(parts, lease, userId);
    return done;
  }
  const held = { ...synced, subscription };
  if (transition === 'change') return { ...done, url: await changePage(parts, held, planId) };
  if (transition === 'cancel') await cancel(parts, subscription);
  if (transition === 'keep' && subscription.phase === 'past_due') return { ...done, url: await portal(parts, synced) };
  if (transition === 'keep' && subscription.cancels) await parts.payments.setCancels(subscription.id, false);
  await syncUser(parts, lease, userId);
  return done;
}

type Subscriber = Synced & { subscription: PaidSubscription };

/** A plan without a subscription was given by hand, and ends at once. */
async function endGivenPlan({ confirmEmail }: PaidParts, lease: UserLease, userId: number): Promise<void> {
  await lease.transaction(async (client) => {
    const account = await lockAccount(client, userId, confirmEmail);
    if (account) await applyPlan(client, { userId, from: account.planId, to: FREE, event: 'ended' });
  });
}

/** A paid subscription runs to the end of its period; an unpaid one ends at once. */
async function cancel({ payments }: PaidParts, { id, phase, cancels }: PaidSubscription): Promise<void> {
  if (phase === 'past_due') await payments.endSubscription(id);
  else if (!cancels) await payments.setCancels(id, true);
}

const returnUrl = ({ publicUrl }: PaidParts): string => `${publicUrl}/subscription`;

function portal(parts: PaidParts, { customer }: Synced): Promise<string> {
  return parts.payments.openPortal({ customerId: customer.customerId ?? '', returnUrl: returnUrl(parts) });
}

/** The page where the plan is changed. A user with an unpaid invoice gets the plain portal, to pay it first. */
async function changePage(parts: PaidParts, held: Subscriber, planId: number): Promise<string> {
  const { subscription, customer } = held;
  if (subscription.phase === 'past_due') return portal(parts, held);
  const change = { subscriptionId: subscription.id, itemId: subscription.itemId, planId };
  try {
    return await parts.payments.openPortal({
      customerId: customer.customerId ?? '',
      returnUrl: returnUrl(parts),
      change,
    });
  } catch (error) {
    // Stripe refuses this page for some subscriptions; the plain portal shows what is possible.
    if (error instanceof PaymentFault && error.answered) return portal(parts, held);
    throw error;
  }
}

/** Either the plan as it is now, or the page where it is paid for. */
interface SubscribeOutcome {
  subscription: Subscribed | null;
  url: string | null;
  /** null unless the address is a checkout's. */
  sessionId: string | null;
  /** A sentence for the user; null when there is an address to open. */
  message: string | null;
}

/**
 * Moves the viewer to a plan. The vendor's calls and their records are not part of the caller's transaction: a call that
 * was rolled back and is repeated continues what the first one began.
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
  // A paid plan ends with its period, and only the payment vendor can schedule that.
  if (!payments && (isPaidPlan(plan.id) || isPaidPlan(current.planId))) throw paymentsMissing();
  const { url, sessionId } = payments
    ? await parts.withUserLock(viewer.id, (lease) => choosePlan({ ...parts, payments }, lease, viewer.id, plan.id))
    : { url: null, sessionId: null };
  if (url !== null) return { subscription: null, url, sessionId, message: null };
  const subscription = await currentSubscription(em, viewer);
  return { subscription, url: null, sessionId: null, message: planSentence(subscription) };
}

/** A sentence that says what the user's plan is now. */
export function planSentence({ planName, status, currentPeriodEnd, timeZone }: Subscribed): string {
  if (status !== 'canceling' || currentPeriodEnd === null) return `You are on the ${planName} plan.`;
  return `Your ${planName} plan ends on ${localDate(currentPeriodEnd, timeZone)}. Until then nothing changes.`;
}
