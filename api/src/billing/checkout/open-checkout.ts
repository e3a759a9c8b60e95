import { queueFarewell } from '../../entities/shared/queue-farewell.ts';
import { type PaymentCheckout, PaymentFault } from '../../vendors/payments/payments.ts';
import type { PaidParts } from '../billing-parts.ts';
import { forgetCustomer } from '../state/customer-row.ts';
import type { UserLease } from '../state/user-turns.ts';
import { type CheckoutRow, closeCheckout, insertCheckout, writeCheckout } from './checkout-row.ts';
import { lookAtCheckout } from './look-at-checkout.ts';
import { accountGone, makeCustomer } from './make-customer.ts';

export interface OpenCheckout {
  url: string;
  sessionId: string;
}

/**
 * The one open payment page of a user, in their turn: the page that is open for this plan, or a new one. One for another
 * plan is made useless first. null when one of them was paid in this moment, or is over.
 * @throws PaymentFault, AppError UNAUTHENTICATED when the account is gone
 */
export async function openCheckout(
  parts: PaidParts,
  lease: UserLease,
  userId: number,
  planId: number,
): Promise<OpenCheckout | null> {
  const open = await lookAtCheckout(parts, lease, userId);
  if (open?.planId === planId && open.sessionId !== null && open.url !== null) {
    return { url: open.url, sessionId: open.sessionId };
  }
  if (open && open.planId !== planId && !(await close(parts, lease, open))) return null;
  const row = open?.planId === planId ? open : await insertCheckout(lease, userId, planId);
  if (!row) throw accountGone();
  return start(parts, lease, userId, row);
}

/** @returns false when it was paid before it could be closed */
async function close({ payments }: PaidParts, lease: UserLease, { id, sessionId }: CheckoutRow): Promise<boolean> {
  // Of a page that may have been made but was never told of, nobody knows the address.
  const told = sessionId === null ? null : await payments.expireCheckout(sessionId);
  if (told) await writeCheckout(lease, id, told);
  else await closeCheckout(lease, id, 'failed');
  return told?.status !== 'complete';
}

async function start(
  parts: PaidParts,
  lease: UserLease,
  userId: number,
  row: CheckoutRow,
  mayBeForgotten = true,
): Promise<OpenCheckout | null> {
  const customerId = await makeCustomer(parts, lease, userId);
  try {
    const told = await startOnce(parts, { userId, customerId, row });
    const isKept = await writeCheckout(lease, row.id, told);
    if (isKept) return told.url === null ? null : { url: told.url, sessionId: told.id };
    await queueFarewell(lease, customerId, [told.id]);
  } catch (error) {
    // Without an answer the next try, under the same key, finds what may have been made.
    if (error instanceof PaymentFault && !error.answered) throw error;
    await closeCheckout(lease, row.id, 'failed');
    const isForgotten = mayBeForgotten && !(await parts.payments.hasCustomer(customerId).catch(() => true));
    if (!isForgotten) throw error;
    await forgetCustomer(lease, userId);
    const another = await insertCheckout(lease, userId, row.planId);
    if (another) return start(parts, lease, userId, another, false);
  }
  throw accountGone();
}

function startOnce(
  { payments, publicUrl }: PaidParts,
  { userId, customerId, row }: { userId: number; customerId: string; row: CheckoutRow },
): Promise<PaymentCheckout> {
  const { planId, key } = row;
  const successUrl = `${publicUrl}/subscription-success?session_id={CHECKOUT_SESSION_ID}&plan_id=${planId}`;
  const cancelUrl = `${publicUrl}/subscription?canceled=true`;
  return payments.startCheckout({ customerId, userId, planId, successUrl, cancelUrl }, key);
}
