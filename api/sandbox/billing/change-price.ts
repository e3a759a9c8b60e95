import { newId } from '../state/ids.ts';
import type { Price, Subscription } from '../state/objects.ts';
import type { ProrationBehavior } from '../state/portal-objects.ts';
import type { Change } from '../state/store.ts';
import type { Owed } from './invoices.ts';
import { billAsWished, nameOf } from './subscriptions.ts';

/** What the rest of the period costs more and gives back. */
export function prorations(change: Change, sub: Subscription, price: Price): Owed[] {
  const [item] = sub.items.data;
  const { current_period_start: start, current_period_end: end } = item;
  const left = Math.min(1, Math.max(0, (end - change.now) / (end - start)));
  const period = { start: change.now, end };
  const part = (one: Price): number => Math.round(one.unit_amount * item.quantity * left);
  return [
    {
      amount: -part(item.price),
      description: `Unused time on ${nameOf(change, item.price)}`,
      period,
      proration: true,
    },
    { amount: part(price), description: `Remaining time on ${nameOf(change, price)}`, period, proration: true },
  ];
}

/** Keeps what is owed for the next invoice. */
function putOff(change: Change, sub: Subscription, owed: Owed): void {
  change.put({
    id: newId('ii'),
    object: 'invoiceitem',
    amount: owed.amount,
    currency: sub.currency,
    customer: sub.customer,
    date: change.now,
    description: owed.description,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: sub.id, subscription_item: sub.items.data[0].id },
    },
    period: owed.period,
    proration: true,
    quantity: 1,
    tax_rates: [],
  });
}

/** Moves a subscription to another price within its period. Whoever calls tells of it. */
export function changePrice(change: Change, sub: Subscription, price: Price, behavior: ProrationBehavior): void {
  const [item] = sub.items.data;
  if (item.price.id === price.id) return;
  const owed = behavior === 'none' ? [] : prorations(change, sub, price);
  item.price = price;
  if (behavior === 'always_invoice') billAsWished(change, sub, 'subscription_update', owed);
  else for (const one of owed) putOff(change, sub, one);
}
