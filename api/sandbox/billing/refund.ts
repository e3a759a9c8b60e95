import { badRequest } from '../protocol/stripe-error.ts';
import { newId } from '../state/ids.ts';
import type { Charge, Refund } from '../state/payment-objects.ts';
import type { Change } from '../state/store.ts';

/** Gives a charge back, all of what is left or a part. @param amount in cents @throws StripeError */
export function refundCharge(
  change: Change,
  charge: Charge,
  { amount, reason, metadata = {} }: { amount?: number; reason?: string; metadata?: Record<string, string> } = {},
): Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  if (!charge.paid || left === 0)
    throw badRequest(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
  const given = amount ?? left;
  if (given < 1 || given > left)
    throw badRequest(`Refund amount (${given}) is greater than unrefunded amount on charge (${left})`, 'amount');
  charge.amount_refunded += given;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  const refund = change.put<Refund>({
    id: newId('re'),
    object: 'refund',
    amount: given,
    charge: charge.id,
    created: change.now,
    currency: charge.currency,
    metadata,
    payment_intent: charge.payment_intent,
    reason: reason ?? null,
    status: 'succeeded',
  });
  change.tell('refund.created', refund);
  change.tell('charge.refunded', charge);
  return refund;
}

/** The charge that paid an invoice; undefined when credit paid it, or nothing did. */
export function chargeOf(change: Change, invoice: string): Charge | undefined {
  const payment = change.all('invoice_payment').find((one) => one.invoice === invoice && one.status === 'paid');
  const intent = payment && change.look('payment_intent', payment.payment.payment_intent);
  return intent?.latest_charge ? change.edit('charge', intent.latest_charge) : undefined;
}
