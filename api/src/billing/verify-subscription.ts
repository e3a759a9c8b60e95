import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { PaymentCheckout } from '../vendors/payments/payments.ts';
import type { BillingParts } from './billing-parts.ts';
import { lookAtCheckout } from './checkout/look-at-checkout.ts';
import { checkSessionId, readTheirCheckout } from './checkout-session.ts';
import { PAYMENT_UNDER_WAY } from './choose-plan.ts';
import { currentSubscription, type Subscribed } from './current-subscription.ts';
import { findPlan } from './find-plan.ts';
import { paymentsMissing } from './payments-missing.ts';
import { syncUser } from './state/sync-user.ts';
import { planSentence } from './subscribe.ts';

interface VerifyInput {
  /** Of the checkout, as the payment page handed it back. */
  sessionId: string;
  /** The plan that the caller expects; undefined when left out, null for a text that is no id. */
  planId: number | null | undefined;
}

interface Verified {
  message: string;
  /** Whether the checkout's payment is there. */
  paid: boolean;
  subscription: Subscribed;
}

interface VerifyDeps {
  em: EntityManager;
  pool: Pool;
  billing: BillingParts;
}

/**
 * Looks whether a checkout was paid, and brings the caller's plan up to date. An unpaid one changes nothing.
 * @throws AppError VALIDATION, NOT_FOUND for an unknown plan or a checkout that isn't theirs, CONFLICT for another plan
 *   than the checkout's, NOT_CONFIGURED without payments, VENDOR
 */
export async function verifySubscription(
  { em, pool, billing }: VerifyDeps,
  viewer: { id: number },
  { sessionId, planId }: VerifyInput,
): Promise<Verified> {
  checkSessionId(sessionId);
  const plan = planId === undefined ? null : await findPlan(em, planId);
  const { payments } = billing;
  if (!payments) throw paymentsMissing();
  const checkout = await readTheirCheckout(pool, payments, viewer, sessionId);
  if (plan && plan.id !== checkout.planId) throw new AppError('CONFLICT', 'This payment was for another plan.');
  if (checkout.isPaid) {
    const parts = { ...billing, payments };
    await billing.turn(viewer.id, async (lease) => {
      await lookAtCheckout(parts, lease, viewer.id);
      await syncUser(parts, lease, viewer.id);
    });
  }
  const subscription = await currentSubscription(em, viewer);
  return { message: sentenceFor(checkout, subscription), paid: checkout.isPaid, subscription };
}

function sentenceFor({ status, isPaid }: PaymentCheckout, subscription: Subscribed): string {
  if (isPaid) return planSentence(subscription);
  if (status === 'complete') return PAYMENT_UNDER_WAY;
  if (status === 'expired') return 'This checkout was not paid and is no longer valid.';
  return 'We have not received your payment yet.';
}
