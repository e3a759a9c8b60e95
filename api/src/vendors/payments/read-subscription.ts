import type Stripe from 'stripe';
import type { PaidSubscription } from '../../domain/billing/derive-plan.ts';

/** The lookup keys of the prices at Stripe, by the plan's id. */
const lookupKeys: Readonly<Record<number, string>> = {
  2: 'lotwatch_starter_monthly',
  3: 'lotwatch_pro_monthly',
  4: 'lotwatch_elite_monthly',
};

export const lookupKeyOf = (planId: number): string => lookupKeys[planId] ?? '';

interface KnownPrice {
  lookup_key: string | null;
  metadata: Record<string, string>;
}

/** The plan of a price; null for a foreign price. A price that was replaced has lost its lookup key. */
function planOfPrice({ lookup_key, metadata }: KnownPrice): number | null {
  const named = Object.keys(lookupKeys).find((id) => lookupKeys[Number(id)] === lookup_key);
  const id = named ?? metadata.lotwatch_plan;
  return id !== undefined && id in lookupKeys ? Number(id) : null;
}

const MAX_INVOICES = 100;

/** Whether an invoice was paid with money, and not only with credit from an earlier payment. */
const isPaidWithMoney = ({ status, amount_paid }: Stripe.Invoice): boolean => status === 'paid' && amount_paid > 0;
const isUnpaid = ({ status }: Stripe.Invoice): boolean => status === 'open' || status === 'uncollectible';

/**
 * Reads the invoices of a running subscription, newest first, back to its last payment. That is mostly the latest invoice,
 * which is part of the subscription.
 */
async function invoicesOf(stripe: Stripe, subscription: Stripe.Subscription): Promise<Stripe.Invoice[]> {
  const latest = typeof subscription.latest_invoice === 'object' ? subscription.latest_invoice : null;
  if (latest && isPaidWithMoney(latest)) return [latest];
  const asked = { subscription: subscription.id, limit: MAX_INVOICES, expand: ['data.payments'] };
  return (await stripe.invoices.list(asked)).data;
}

/** When the oldest unpaid invoice after the last paid one was created; a Unix time. */
function unpaidSince(newestFirst: readonly Stripe.Invoice[]): number | undefined {
  const paid = newestFirst.findIndex(({ status }) => status === 'paid');
  const since = newestFirst.slice(0, paid < 0 ? newestFirst.length : paid);
  return since.findLast(isUnpaid)?.created;
}

/** Whether all of the last payment was returned to the buyer by refunds or lost disputes. */
async function isLastPaymentRefunded(stripe: Stripe, newestFirst: readonly Stripe.Invoice[]): Promise<boolean> {
  const payments = newestFirst.find(isPaidWithMoney)?.payments?.data.filter(({ status }) => status === 'paid') ?? [];
  for (const { payment } of payments) {
    const charge = await chargeOf(stripe, payment);
    if (!charge || !(await isChargeRefunded(stripe, charge))) return false;
  }
  return payments.length > 0;
}

/** Reads the charge of a payment, by its payment intent, which knows the refunds. */
async function chargeOf(stripe: Stripe, payment: Stripe.InvoicePayment.Payment): Promise<Stripe.Charge | null> {
  if (payment.charge) {
    return typeof payment.charge === 'string' ? stripe.charges.retrieve(payment.charge) : payment.charge;
  }
  if (!payment.payment_intent) return null;
  const id = typeof payment.payment_intent === 'string' ? payment.payment_intent : payment.payment_intent.id;
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  return typeof charge === 'string' ? stripe.charges.retrieve(charge) : charge;
}

/** Source: https://docs.stripe.com/api/disputes/object. While a bank decides, nothing is lost yet. */
async function isChargeRefunded(stripe: Stripe, { id, amount, amount_refunded, refunded, disputed }: Stripe.Charge) {
  if (refunded || !disputed) return refunded;
  const { data } = await stripe.disputes.list({ charge: id, limit: MAX_INVOICES });
  const lost = data.filter(({ status }) => status === 'lost').reduce((sum, dispute) => sum + dispute.amount, 0);
  return amount_refunded + lost >= amount;
}

const SECOND_MS = 1000;

export const fromUnix = (seconds: number): Date => new Date(seconds * SECOND_MS);

/** Stripe's statuses in our words. Source: https://docs.stripe.com/api/subscriptions/object */
function phaseOf(status: string): PaidSubscription['phase'] {
  if (status === 'active' || status === 'trialing') return 'active';
  if (status === 'past_due' || status === 'unpaid') return 'past_due';
  if (status === 'incomplete') return 'pending';
  return status === 'incomplete_expired' ? 'unpaid' : 'ended';
}

/** When it ends, unless it renews. A date that is set later than the period's end has no effect yet. */
function endOf(subscription: Stripe.Subscription, periodEnd: number): { cancels: boolean; periodEnd: Date } {
  const { cancel_at: day, cancel_at_period_end: withPeriod } = subscription;
  const ends = withPeriod || day === null ? periodEnd : Math.min(day, periodEnd);
  return { cancels: withPeriod || (day !== null && day <= periodEnd), periodEnd: fromUnix(ends) };
}

/**
 * Translates a subscription of Stripe's, of which `latest_invoice.payments` was expanded. Earlier invoices are read only
 * where the latest one is not enough.
 */
export async function readSubscription(stripe: Stripe, subscription: Stripe.Subscription): Promise<PaidSubscription> {
  const item = subscription.items.data.find(({ price }) => planOfPrice(price) !== null) ?? subscription.items.data[0];
  const phase = phaseOf(subscription.status);
  const runs = phase === 'active' || phase === 'past_due';
  const invoices = runs ? await invoicesOf(stripe, subscription) : [];
  const since = unpaidSince(invoices) ?? item?.current_period_start ?? subscription.created;
  return {
    id: subscription.id,
    itemId: item?.id ?? '',
    planId: item ? planOfPrice(item.price) : null,
    phase,
    ...endOf(subscription, item?.current_period_end ?? subscription.created),
    unpaidSince: phase === 'past_due' ? fromUnix(since) : null,
    isRefunded: await isLastPaymentRefunded(stripe, invoices),
  };
}
