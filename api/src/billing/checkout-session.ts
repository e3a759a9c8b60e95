import type { Queryable } from '../base/database.ts';
import { AppError, refuseInvalid } from '../base/errors.ts';
import { generic } from '../domain/form-rules.ts';
import type { PaymentCheckout, Payments } from '../vendors/payments/payments.ts';
import type { BillingParts } from './billing-parts.ts';
import { readOwnCheckout } from './checkout/checkout-row.ts';
import { paymentsMissing } from './payments-missing.ts';

const MAX_SESSION_ID = 255;

/** A checkout, as whoever takes the payment knows it. */
export interface Checkout {
  id: string;
  /** 'open', 'complete' or 'expired'. */
  status: string;
  metadata: { planId: string };
}

/** @throws AppError VALIDATION for what can't be the id of a checkout */
export function checkSessionId(sessionId: string): void {
  if (sessionId.trim() === '') refuseInvalid({ sessionId: generic.required });
  if (sessionId.length > MAX_SESSION_ID || !/^[\w-]+$/.test(sessionId)) refuseInvalid({ sessionId: generic.invalid });
}

/**
 * What the vendor knows of a checkout that the viewer started. Others' and made-up ones are not even asked for.
 * @throws AppError NOT_FOUND, VENDOR
 */
export async function readTheirCheckout(
  db: Queryable,
  payments: Payments,
  viewer: { id: number },
  sessionId: string,
): Promise<PaymentCheckout> {
  const row = await readOwnCheckout(db, viewer.id, sessionId);
  const told = row && (await payments.readCheckout(sessionId));
  if (!row || told?.planId !== row.planId) throw new AppError('NOT_FOUND', 'Checkout not found');
  return told;
}

/** A checkout of the caller's. @throws AppError VALIDATION, NOT_CONFIGURED without payments, NOT_FOUND, VENDOR */
export async function checkoutSession(
  db: Queryable,
  { payments }: BillingParts,
  viewer: { id: number },
  sessionId: string,
): Promise<Checkout> {
  checkSessionId(sessionId);
  if (!payments) throw paymentsMissing();
  const { id, status, planId } = await readTheirCheckout(db, payments, viewer, sessionId);
  return { id, status, metadata: { planId: String(planId) } };
}
