import { newId } from '../state/ids.ts';
import type { Metadata, Price, Subscription, SubscriptionItem } from '../state/objects.ts';
import type { Invoice } from '../state/payment-objects.ts';
import type { ProrationBehavior } from '../state/portal-objects.ts';
import type { Change } from '../state/store.ts';
import { bill, type InvoiceAmount, tryToPay } from './invoices.ts';

/** The end of a period that begins at `start`, in seconds; a day that the month doesn't have becomes its last one. */
export function periodEnd(start: number, { recurring }: Price): number {
  const { interval, interval_count: count } = recurring ?? { interval: 'month', interval_count: 1 };
  const end = new Date(start * 1000);
  if (interval === 'day' || interval === 'week')
    end.setUTCDate(end.getUTCDate() + count * (interval === 'week' ? 7 : 1));
  else {
    const day = end.getUTCDate();
    end.setUTCDate(1);
    end.setUTCMonth(end.getUTCMonth() + count * (interval === 'year' ? 12 : 1));
    const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
    end.setUTCDate(Math.min(day, last));
  }
  return Math.floor(end.getTime() / 1000);
}

export const nameOf = (change: Pick<Change, 'find'>, price: Price): string =>
  change.find('product', price.product)?.name ?? price.id;

/** A period's price, as a line of its invoice. */
const wholePeriod = (change: Change, item: SubscriptionItem): InvoiceAmount => ({
  amount: item.price.unit_amount * item.quantity,
  description: `1 × ${nameOf(change, item.price)}`,
  period: { start: item.current_period_start, end: item.current_period_end },
  proration: false,
});

interface Start {
  customer: string;
  price: Price;
  metadata: Metadata;
  description: string | null;
}

/** Starts a subscription whose first period is paid. */
export function startSubscription(change: Change, given: Start): { sub: Subscription; invoice: Invoice } {
  const { now } = change;
  const id = newId('sub');
  const sub = change.put<Subscription>({
    id,
    object: 'subscription',
    billing_cycle_anchor: now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: given.price.currency,
    customer: given.customer,
    days_until_due: null,
    default_payment_method: 'pm_sandbox_card',
    description: given.description,
    discounts: [],
    ended_at: null,
    items: {
      object: 'list',
      data: [
        {
          id: newId('si', 14),
          object: 'subscription_item',
          created: now,
          current_period_end: periodEnd(now, given.price),
          current_period_start: now,
          discounts: [],
          metadata: {},
          price: given.price,
          quantity: 1,
          subscription: id,
          tax_rates: [],
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata: given.metadata,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'active',
    trial_end: null,
    trial_start: null,
  });
  const invoice = bill(change, sub, 'subscription_create', [wholePeriod(change, sub.items.data[0])], true);
  change.emit('customer.subscription.created', sub);
  return { sub, invoice };
}

/** Ends a subscription now. */
export function endSubscription(change: Change, sub: Subscription, reason: string): void {
  sub.status = 'canceled';
  sub.canceled_at ??= change.now;
  sub.ended_at = change.now;
  sub.cancellation_details.reason ??= reason;
  change.emit('customer.subscription.deleted', sub);
}

/** Sets or clears that the subscription ends with its period. */
export function setCancelAtPeriodEnd(change: Change, sub: Subscription, cancels: boolean): void {
  sub.cancel_at_period_end = cancels;
  sub.cancel_at = cancels ? sub.items.data[0].current_period_end : null;
  sub.canceled_at = cancels ? change.now : null;
  sub.cancellation_details = {
    ...sub.cancellation_details,
    reason: cancels ? 'cancellation_requested' : null,
  };
}

/** Whether the next payment of a customer shall fail. It resets that setting. */
function takeFailure(change: Change, customer: string): boolean {
  const wish = change.find('wish', `wish_${customer}`);
  if (!wish?.nextPaymentFails) return false;
  change.put({ ...wish, nextPaymentFails: false });
  return true;
}

export function billSubscription(
  change: Change,
  sub: Subscription,
  reason: Invoice['billing_reason'],
  owed: readonly InvoiceAmount[],
): Invoice {
  const invoice = bill(change, sub, reason, owed, !takeFailure(change, sub.customer));
  sub.status = invoice.status === 'paid' ? 'active' : 'past_due';
  return invoice;
}

/** Ends the period: the subscription ends, as requested or because it is overdue, or the next period is billed. */
export function endPeriod(change: Change, sub: Subscription): void {
  const { now } = change;
  if (sub.cancel_at_period_end || sub.status === 'past_due') {
    endSubscription(change, sub, sub.cancel_at_period_end ? 'cancellation_requested' : 'payment_failed');
    return;
  }
  const [item] = sub.items.data;
  const before = { status: sub.status, latest_invoice: sub.latest_invoice };
  item.current_period_start = now;
  item.current_period_end = periodEnd(now, item.price);
  sub.billing_cycle_anchor = now;
  billSubscription(change, sub, 'subscription_cycle', [wholePeriod(change, item)]);
  change.emit('customer.subscription.updated', sub, before);
}

/** Pays the customer's overdue invoices. @returns whether there were any */
export function payOverdue(change: Change, sub: Subscription): boolean {
  const open = change
    .all('invoice')
    .filter((one) => one.parent.subscription_details.subscription === sub.id && one.status === 'open');
  for (const { id } of open) tryToPay(change, change.edit('invoice', id), true);
  if (open.length > 0 && sub.status === 'past_due') {
    sub.status = 'active';
    change.emit('customer.subscription.updated', sub, { status: 'past_due' });
  }
  return open.length > 0;
}

/** The credit for the rest of the period at the old price, and its cost at the new one. */
export function prorations(change: Change, sub: Subscription, price: Price): InvoiceAmount[] {
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

/** Adds an item to the next invoice. */
function addPendingItem(change: Change, sub: Subscription, owed: InvoiceAmount): void {
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

/** Moves a subscription to another price within its period. The caller emits the event. */
export function changePrice(change: Change, sub: Subscription, price: Price, behavior: ProrationBehavior): void {
  const [item] = sub.items.data;
  if (item.price.id === price.id) return;
  const owed = behavior === 'none' ? [] : prorations(change, sub, price);
  item.price = price;
  if (behavior === 'always_invoice') billSubscription(change, sub, 'subscription_update', owed);
  else for (const one of owed) addPendingItem(change, sub, one);
}
