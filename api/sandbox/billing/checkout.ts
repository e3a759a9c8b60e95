import { badRequest } from '../protocol/stripe-error.ts';
import { newId } from '../state/ids.ts';
import type { CheckoutSession, Price, StoredOrder } from '../state/objects.ts';
import type { Change, Store } from '../state/store.ts';
import { newPaymentIntent, tryCharge } from './charge.ts';
import { newCustomer } from './new-customer.ts';
import { endPeriod, startSubscription } from './subscriptions.ts';

type Order = Omit<StoredOrder, 'id' | 'object'>;

const orderId = (session: string): string => `order_${session}`;

export function storeOrder(change: Change, session: string, order: Order): void {
  change.put({ id: orderId(session), object: 'kept_order', ...order });
}

export const orderOf = (at: Pick<Change, 'find'>, session: string): { order: Order; price: Price } => {
  const order = at.find('kept_order', orderId(session));
  const price = order && at.find('price', order.price);
  if (!order || !price) throw badRequest('This checkout has nothing to pay.');
  return { order, price };
};

/** Closes a checkout that nobody paid. */
export function expireCheckout(change: Change, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  change.emit('checkout.session.expired', session);
}

function payer(change: Change, session: CheckoutSession) {
  if (session.customer !== null) return change.customer(session.customer);
  const customer = change.put(newCustomer(change.now, { email: session.customer_email ?? 'buyer@example.com' }));
  change.emit('customer.created', customer);
  session.customer = customer.id;
  return customer;
}

/** Completes a checkout: the buyer pays and the subscription starts. @throws StripeError when it isn't open */
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
  change.emit('checkout.session.completed', session);
}

/** Declines the card. The checkout stays open. */
export function declineCheckout(change: Change, session: CheckoutSession): void {
  const { price } = orderOf(change, session.id);
  const customer = payer(change, session);
  tryCharge(change, newPaymentIntent(change, customer, price.unit_amount, 'Subscription'), false);
}

export const sessionId = (): string => newId('cs_test', 58);

/** Expires checkouts and ends periods that are due. */
export function runDueWork(store: Store): void {
  store.change((change) => {
    for (const { id, status, expires_at: at } of change.all('checkout.session')) {
      if (status === 'open' && at <= change.now) expireCheckout(change, change.edit('checkout.session', id));
    }
    for (const { id, status, items } of change.all('subscription')) {
      if (status !== 'canceled' && items.data[0].current_period_end <= change.now)
        endPeriod(change, change.edit('subscription', id));
    }
  });
}
