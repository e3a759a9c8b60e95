import { badRequest } from '../protocol/stripe-error.ts';
import { newId } from '../state/ids.ts';
import type { CheckoutSession, KeptOrder, Price } from '../state/objects.ts';
import type { Change } from '../state/store.ts';
import { newPaymentIntent, tryCharge } from './charge.ts';
import { newCustomer } from './new-customer.ts';
import { startSubscription } from './subscriptions.ts';

type Order = Omit<KeptOrder, 'id' | 'object'>;

const orderId = (session: string): string => `order_${session}`;

export function keepOrder(change: Change, session: string, order: Order): void {
  change.put({ id: orderId(session), object: 'kept_order', ...order });
}

export const orderOf = (at: Pick<Change, 'look'>, session: string): { order: Order; price: Price } => {
  const order = at.look('kept_order', orderId(session));
  const price = order && at.look('price', order.price);
  if (!order || !price) throw badRequest('This checkout has nothing to pay.');
  return { order, price };
};

/** Closes a checkout that nobody paid. */
export function expireCheckout(change: Change, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  change.tell('checkout.session.expired', session);
}

function payer(change: Change, session: CheckoutSession) {
  if (session.customer !== null) return change.customer(session.customer);
  const customer = change.put(newCustomer(change.now, { email: session.customer_email ?? 'buyer@example.com' }));
  change.tell('customer.created', customer);
  session.customer = customer.id;
  return customer;
}

/** The buyer pays: the subscription starts and the checkout is complete. @throws StripeError when it isn't open */
export function payCheckout(change: Change, session: CheckoutSession): void {
  if (session.status !== 'open') throw badRequest('This checkout is not open.');
  const { order, price } = orderOf(change, session.id);
  const customer = payer(change, session);
  const { metadata, description } = order;
  const { sub, invoice } = startSubscription(change, { customer: customer.id, price, metadata, description });
  session.status = 'complete';
  session.payment_status = 'paid';
  session.subscription = sub.id;
  session.invoice = invoice.id;
  session.url = null;
  session.customer_details = { email: customer.email, name: customer.name, phone: null, tax_exempt: 'none' };
  change.tell('checkout.session.completed', session);
}

/** The card is declined: the checkout stays open. */
export function declineCheckout(change: Change, session: CheckoutSession): void {
  const { price } = orderOf(change, session.id);
  const customer = payer(change, session);
  tryCharge(change, newPaymentIntent(change, customer, price.unit_amount, 'Subscription'), false);
}

export const sessionId = (): string => newId('cs_test', 58);
