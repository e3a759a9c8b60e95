import type Stripe from 'stripe';
import type { PaidSubscription } from '../../domain/billing/derive-plan.ts';
import { planOfPrice } from './price-keys.ts';

const SECOND_MS = 1000;

export const fromUnix = (seconds: number): Date => new Date(seconds * SECOND_MS);

/** Stripe's statuses in our words. Source: https://docs.stripe.com/api/subscriptions/object */
function phaseOf(status: string): PaidSubscription['phase'] {
  if (status === 'active' || status === 'trialing') return 'active';
  if (status === 'past_due' || status === 'unpaid') return 'past_due';
  if (status === 'incomplete' || status === 'incomplete_expired') return 'pending';
  return 'ended';
}

const isUnpaid = ({ status }: Stripe.Invoice): boolean => status === 'open' || status === 'uncollectible';

/** Payments of an invoice name a payment intent, whose latest charge knows what was given back. */
async function isRefunded(stripe: Stripe, invoice: Stripe.Invoice): Promise<boolean> {
  const paid = invoice.payments?.data.filter(({ status }) => status === 'paid') ?? [];
  if (invoice.amount_paid === 0 || paid.length === 0) return false;
  for (const { payment } of paid) {
    const charge = await chargeOf(stripe, payment);
    if (!charge?.refunded) return false;
  }
  return true;
}

async function chargeOf(stripe: Stripe, payment: Stripe.InvoicePayment.Payment): Promise<Stripe.Charge | null> {
  if (payment.charge) {
    return typeof payment.charge === 'string' ? stripe.charges.retrieve(payment.charge) : payment.charge;
  }
  if (!payment.payment_intent) return null;
  const id = typeof payment.payment_intent === 'string' ? payment.payment_intent : payment.payment_intent.id;
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  return typeof charge === 'string' ? stripe.charges.retrieve(charge) : charge;
}

/** A subscription of Stripe's, whose `latest_invoice.payments` was asked for, in our words. */
export async function readSubscription(stripe: Stripe, told: Stripe.Subscription): Promise<PaidSubscription> {
  const item = told.items.data.find(({ price }) => planOfPrice(price) !== null) ?? told.items.data[0];
  const phase = phaseOf(told.status);
  const invoice = typeof told.latest_invoice === 'object' ? told.latest_invoice : null;
  const periodStart = item?.current_period_start ?? told.created;
  const unpaidSince = invoice && isUnpaid(invoice) ? invoice.created : periodStart;
  const mayBeRefunded = invoice !== null && (phase === 'active' || phase === 'past_due');
  return {
    id: told.id,
    itemId: item?.id ?? '',
    planId: item ? planOfPrice(item.price) : null,
    phase,
    cancels: told.cancel_at_period_end || told.cancel_at !== null,
    periodEnd: fromUnix(item?.current_period_end ?? told.created),
    unpaidSince: phase === 'past_due' ? fromUnix(unpaidSince) : null,
    isRefunded: mayBeRefunded && (await isRefunded(stripe, invoice)),
  };
}
