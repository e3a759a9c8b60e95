import type Stripe from 'stripe';

const MOST = 100;

/** What an invoice was paid with; credit of an earlier payment is none. */
const isPaidWithMoney = ({ status, amount_paid }: Stripe.Invoice): boolean => status === 'paid' && amount_paid > 0;
const isUnpaid = ({ status }: Stripe.Invoice): boolean => status === 'open' || status === 'uncollectible';

/**
 * The invoices of a subscription that runs, the newest first, as far back as its last payment. The latest stands in the
 * subscription; it mostly is that payment.
 */
export async function invoicesOf(stripe: Stripe, told: Stripe.Subscription): Promise<Stripe.Invoice[]> {
  const latest = typeof told.latest_invoice === 'object' ? told.latest_invoice : null;
  if (latest && isPaidWithMoney(latest)) return [latest];
  const asked = { subscription: told.id, limit: MOST, expand: ['data.payments'] };
  return (await stripe.invoices.list(asked)).data;
}

/** When the oldest invoice was made that nobody has paid since the last one that is paid; a Unix time. */
export function unpaidSince(newestFirst: readonly Stripe.Invoice[]): number | undefined {
  const paid = newestFirst.findIndex(({ status }) => status === 'paid');
  const since = newestFirst.slice(0, paid < 0 ? newestFirst.length : paid);
  return since.findLast(isUnpaid)?.created;
}

/** Whether all of the last payment went back to the buyer: as refunds, or by disputes that were lost. */
export async function isLastGivenBack(stripe: Stripe, newestFirst: readonly Stripe.Invoice[]): Promise<boolean> {
  const payments = newestFirst.find(isPaidWithMoney)?.payments?.data.filter(({ status }) => status === 'paid') ?? [];
  for (const { payment } of payments) {
    const charge = await chargeOf(stripe, payment);
    if (!charge || !(await isGivenBack(stripe, charge))) return false;
  }
  return payments.length > 0;
}

/** A payment names its payment intent, whose latest charge knows what was given back. */
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
async function isGivenBack(stripe: Stripe, { id, amount, amount_refunded, refunded, disputed }: Stripe.Charge) {
  if (refunded || !disputed) return refunded;
  const { data } = await stripe.disputes.list({ charge: id, limit: MOST });
  const lost = data.filter(({ status }) => status === 'lost').reduce((sum, dispute) => sum + dispute.amount, 0);
  return amount_refunded + lost >= amount;
}
