import type Stripe from 'stripe';
import type { PaidSubscription } from '../../domain/billing/derive-plan.ts';
import { planOfPrice } from './price-keys.ts';
import { invoicesOf, isLastGivenBack, unpaidSince } from './read-invoices.ts';

const SECOND_MS = 1000;

export const fromUnix = (seconds: number): Date => new Date(seconds * SECOND_MS);

/** Stripe's statuses in our words. Source: https://docs.stripe.com/api/subscriptions/object */
function phaseOf(status: string): PaidSubscription['phase'] {
  if (status === 'active' || status === 'trialing') return 'active';
  if (status === 'past_due' || status === 'unpaid') return 'past_due';
  if (status === 'incomplete') return 'pending';
  return status === 'incomplete_expired' ? 'unpaid' : 'ended';
}

/** When it is over, unless it renews. A day that is set later than the period's end takes nothing away yet. */
function endOf(told: Stripe.Subscription, periodEnd: number): { cancels: boolean; periodEnd: Date } {
  const { cancel_at: day, cancel_at_period_end: withPeriod } = told;
  const ends = withPeriod || day === null ? periodEnd : Math.min(day, periodEnd);
  return { cancels: withPeriod || (day !== null && day <= periodEnd), periodEnd: fromUnix(ends) };
}

/**
 * A subscription of Stripe's, whose `latest_invoice.payments` was asked for, in our words. Only where the latest invoice
 * does not say it all, those before are read.
 */
export async function readSubscription(stripe: Stripe, told: Stripe.Subscription): Promise<PaidSubscription> {
  const item = told.items.data.find(({ price }) => planOfPrice(price) !== null) ?? told.items.data[0];
  const phase = phaseOf(told.status);
  const runs = phase === 'active' || phase === 'past_due';
  const invoices = runs ? await invoicesOf(stripe, told) : [];
  const since = unpaidSince(invoices) ?? item?.current_period_start ?? told.created;
  return {
    id: told.id,
    itemId: item?.id ?? '',
    planId: item ? planOfPrice(item.price) : null,
    phase,
    ...endOf(told, item?.current_period_end ?? told.created),
    unpaidSince: phase === 'past_due' ? fromUnix(since) : null,
    isRefunded: await isLastGivenBack(stripe, invoices),
  };
}
