import { AppError } from '../base/errors.ts';
import type { PaidSubscription } from '../domain/billing/derive-plan.ts';
import { planMove } from '../domain/billing/plan-moves.ts';
import { PaymentFault } from '../vendors/payments/payments.ts';
import type { PaidParts } from './billing-parts.ts';
import { lookAtCheckout } from './checkout/look-at-checkout.ts';
import { openCheckout } from './checkout/open-checkout.ts';
import { applyPlan, holdAccount } from './state/apply-plan.ts';
import { type Synced, syncUser } from './state/sync-user.ts';
import type { UserLease } from './state/user-turns.ts';

const FREE = 1;
/** Of a payment that a bank takes days for. */
export const PAYMENT_UNDER_WAY = 'Your payment is still being processed. Your plan changes as soon as it has arrived.';
const AGAIN = 'Your plan has just changed. Please look at it again.';

/** Where to go next; nowhere when all is done. */
export interface Choice {
  url: string | null;
  /** Of the checkout that the address belongs to. */
  sessionId: string | null;
}

const done: Choice = { url: null, sessionId: null };

/**
 * What choosing a plan leads to, in the user's turn; decided by what the vendor says in this moment.
 * @throws PaymentFault, AppError CONFLICT
 */
export async function choosePlan(parts: PaidParts, lease: UserLease, userId: number, planId: number): Promise<Choice> {
  await lookAtCheckout(parts, lease, userId);
  const synced = await syncUser(parts, lease, userId);
  const subscription = synced?.subscription ?? null;
  const move = planMove(subscription?.planId ?? FREE, planId, 'chosen');
  if (move === 'checkout') {
    if (synced?.isPending) throw new AppError('CONFLICT', PAYMENT_UNDER_WAY);
    const open = await openCheckout(parts, lease, userId, planId);
    if (open) return open;
    await syncUser(parts, lease, userId);
    throw new AppError('CONFLICT', AGAIN);
  }
  if (!synced || !subscription) {
    await giveUp(parts, lease, userId);
    return done;
  }
  const held = { ...synced, subscription };
  if (move === 'change') return { ...done, url: await changePage(parts, held, planId) };
  if (move === 'cancel') await cancel(parts, subscription);
  if (move === 'keep' && subscription.phase === 'past_due') return { ...done, url: await portal(parts, synced) };
  if (move === 'keep' && subscription.cancels) await parts.payments.setCancels(subscription.id, false);
  await syncUser(parts, lease, userId);
  return done;
}

type Held = Synced & { subscription: PaidSubscription };

/** A plan that nobody pays for was given by hand, and is given back at once. */
async function giveUp({ confirmEmail }: PaidParts, lease: UserLease, userId: number): Promise<void> {
  await lease.transaction(async (client) => {
    const account = await holdAccount(client, userId, confirmEmail);
    if (account) await applyPlan(client, { userId, from: account.planId, to: FREE, event: 'ended' });
  });
}

/** What is paid runs to its end. What is not paid has no end to wait for. */
async function cancel({ payments }: PaidParts, { id, phase, cancels }: PaidSubscription): Promise<void> {
  if (phase === 'past_due') await payments.endSubscription(id);
  else if (!cancels) await payments.setCancels(id, true);
}

const returnUrl = ({ publicUrl }: PaidParts): string => `${publicUrl}/subscription`;

function portal(parts: PaidParts, { customer }: Synced): Promise<string> {
  return parts.payments.openPortal({ customerId: customer.customerId ?? '', returnUrl: returnUrl(parts) });
}

/** Who owes something pays first. */
async function changePage(parts: PaidParts, held: Held, planId: number): Promise<string> {
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
    // Some subscriptions it does not let change this way; the plain page says what can be done.
    if (error instanceof PaymentFault && error.answered) return portal(parts, held);
    throw error;
  }
}
