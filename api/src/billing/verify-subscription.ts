import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool, Queryable } from '../base/database.ts';
import { AppError, refuseInvalid } from '../base/errors.ts';
import { generic } from '../domain/forms/fields.ts';
import type { PaymentCheckout, Payments } from '../vendors/payments/payments.ts';
import { type BillingParts, paymentsMissing } from './make-billing.ts';
import { readOwnCheckout, refreshCheckout } from './payment-pages.ts';
import { currentSubscription, findPlan, type Subscribed } from './plans.ts';
import { PAYMENT_UNDER_WAY, planSentence } from './subscribe.ts';
import { syncUser } from './sync-user.ts';

const MAX_SESSION_ID = 255;

/** A checkout as the payment vendor knows it. */
interface Checkout {
  id: string;
  /** 'open', 'complete' or 'expired'. */
  status: string;
  metadata: { planId: string };
}

/** @throws AppError VALIDATION for what can't be the id of a checkout */
function checkSessionId(sessionId: string): void {
  if (sessionId.trim() === '') refuseInvalid({ sessionId: generic.required });
  if (sessionId.length > MAX_SESSION_ID || !/^[\w-]+$/.test(sessionId)) refuseInvalid({ sessionId: generic.invalid });
}

/**
 * Reads a checkout that the viewer started from the vendor, which is not asked about any other id.
 * @throws AppError NOT_FOUND, VENDOR
 */
async function readViewersCheckout(
  db: Queryable,
  payments: Payments,
  viewer: { id: number },
  sessionId: string,
): Promise<PaymentCheckout> {
  const row = await readOwnCheckout(db, viewer.id, sessionId);
  const checkout = row && (await payments.readCheckout(sessionId));
  if (!row || checkout?.planId !== row.planId) throw new AppError('NOT_FOUND', 'Checkout not found');
  return checkout;
}

/** Reads a checkout of the caller's. @throws AppError VALIDATION, NOT_CONFIGURED without payments, NOT_FOUND, VENDOR */
export async function checkoutSession(
  db: Queryable,
  { payments }: BillingParts,
  viewer: { id: number },
  sessionId: string,
): Promise<Checkout> {
  checkSessionId(sessionId);
  if (!payments) throw paymentsMissing();
  const { id, status, planId } = await readViewersCheckout(db, payments, viewer, sessionId);
  return { id, status, metadata: { planId: String(planId) } };
}

interface VerifyInput {
  /** The checkout's id, as the payment page returned it. */
  sessionId: string;
  /** The plan that the caller expects; undefined when left out, null for a text that is no id. */
  planId: number | null | undefined;
}

interface Verified {
  message: string;
  /** Whether the checkout is paid. */
  paid: boolean;
  subscription: Subscribed;
}

interface VerifyDeps {
  em: EntityManager;
  pool: Pool;
  billing: BillingParts;
}

/**
 * Checks whether a checkout was paid, and brings the caller's plan up to date. An unpaid checkout changes nothing.
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
  const checkout = await readViewersCheckout(pool, payments, viewer, sessionId);
  if (plan && plan.id !== checkout.planId) throw new AppError('CONFLICT', 'This payment was for another plan.');
  if (checkout.isPaid) {
    const parts = { ...billing, payments };
    await billing.withUserLock(viewer.id, async (lease) => {
      await refreshCheckout(parts, lease, viewer.id);
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
