import { newId } from '../state/ids.ts';
import type { Customer } from '../state/objects.ts';
import type { Charge, PaymentIntent } from '../state/payment-objects.ts';
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
  change.tell('payment_intent.created', intent);
  return intent;
}

/** Tries to take what a payment intent asks for. No money moves. */
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
  change.tell(succeeds ? 'charge.succeeded' : 'charge.failed', charge);
  change.tell(succeeds ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent);
  return charge;
}
