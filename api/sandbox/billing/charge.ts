import { badRequest } from '../protocol/stripe-error.ts';
import { newId } from '../state/ids.ts';
import type { Customer } from '../state/objects.ts';
import type { Charge, PaymentIntent, Refund } from '../state/payment-objects.ts';
import type { Change } from '../state/store.ts';

const declined = {
  type: 'card_error' as const,
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};
const CARD = 'pm_sandbox_card';

export function newPaymentIntent(change: Change, customer: Customer, amount: number, about: string): PaymentIntent {
  const id = newId('pi');
  const intent = change.put<PaymentIntent>({
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    capture_method: 'automatic',
    confirmation_method: 'automatic',
    client_secret: newId(`${id}_secret`),
    created: change.now,
    currency: 'usd',
    customer: customer.id,
    description: about,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: {},
    payment_method: CARD,
    payment_method_types: ['card'],
    status: 'requires_payment_method',
  });
  change.emit('payment_intent.created', intent);
  return intent;
}

/** Tries to charge the amount of a payment intent. No money moves. */
export function tryCharge(change: Change, intent: PaymentIntent, succeeds: boolean): Charge {
  const charge = change.put<Charge>({
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: succeeds ? intent.amount : 0,
    amount_refunded: 0,
    captured: succeeds,
    created: change.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: succeeds ? null : declined.code,
    failure_message: succeeds ? null : declined.message,
    livemode: false,
    metadata: {},
    paid: succeeds,
    payment_intent: intent.id,
    payment_method: CARD,
    refunded: false,
    status: succeeds ? 'succeeded' : 'failed',
  });
  Object.assign(intent, {
    latest_charge: charge.id,
    status: succeeds ? 'succeeded' : 'requires_payment_method',
    amount_received: succeeds ? intent.amount : 0,
    last_payment_error: succeeds ? null : declined,
  } satisfies Partial<PaymentIntent>);
  change.emit(succeeds ? 'charge.succeeded' : 'charge.failed', charge);
  change.emit(succeeds ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent);
  return charge;
}

/** Refunds a charge, all that is left of it or a part. @param amount in cents @throws StripeError */
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
  change.emit('refund.created', refund);
  change.emit('charge.refunded', charge);
  return refund;
}

/** The charge that paid an invoice; undefined when credit paid it, or nothing did. */
export function chargeOf(change: Change, invoice: string): Charge | undefined {
  const payment = change.all('invoice_payment').find((one) => one.invoice === invoice && one.status === 'paid');
  const intent = payment && change.find('payment_intent', payment.payment.payment_intent);
  return intent?.latest_charge ? change.edit('charge', intent.latest_charge) : undefined;
}
