import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { type PlanRow, planList } from '../../domain/plan-list.ts';
import { lookupKeyOf } from './read-subscription.ts';
import { callStripe, makeStripeClient, type StripeSettings, stripePackage } from './stripe-client.ts';
import { PORTAL_MARK } from './stripe-payments.ts';

const CURRENCY = 'usd';
const CENTS = 100;
const ALL = 100;

interface SetUpOptions {
  stripe: StripeSettings;
  /** Without a trailing slash. */
  publicUrl: string;
  /** Called for everything that is created. */
  onMade(what: string): void;
}

interface Sold {
  product: string;
  price: string;
}

const productIdOf = ({ name }: PlanRow): string => `lotwatch_${name.toLowerCase()}`;
const centsOf = ({ price }: PlanRow): number => Math.round(Number(price) * CENTS);

async function makeProduct(stripe: Stripe, plan: PlanRow, onMade: SetUpOptions['onMade']): Promise<string> {
  const id = productIdOf(plan);
  const metadata = { lotwatch_plan: String(plan.id) };
  const params = { id, name: `LotWatch ${plan.name}`, description: plan.description, metadata };
  try {
    await stripe.products.create(params, { idempotencyKey: `lotwatch product ${id} ${randomUUID()}` });
    onMade(`product ${id}`);
  } catch (error) {
    const isThere = error instanceof stripePackage().errors.StripeError && error.code === 'resource_already_exists';
    if (!isThere) throw error;
  }
  return id;
}

const fits = (price: Stripe.Price, plan: PlanRow): boolean =>
  price.unit_amount === centsOf(plan) && price.currency === CURRENCY && price.recurring?.interval === 'month';

/** A price can't be changed: another amount is another price, and existing subscriptions keep the old one. */
async function makePrice(stripe: Stripe, plan: PlanRow, onMade: SetUpOptions['onMade']): Promise<Sold> {
  const lookupKey = lookupKeyOf(plan.id);
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [found] = data;
  if (found && fits(found, plan)) {
    return { product: typeof found.product === 'string' ? found.product : found.product.id, price: found.id };
  }
  const product = await makeProduct(stripe, plan, onMade);
  const params = {
    product,
    currency: CURRENCY,
    unit_amount: centsOf(plan),
    recurring: { interval: 'month' },
    lookup_key: lookupKey,
    transfer_lookup_key: true,
    nickname: `${plan.name}, monthly`,
    metadata: { lotwatch_plan: String(plan.id) },
  } satisfies Stripe.PriceCreateParams;
  const made = await stripe.prices.create(params, { idempotencyKey: `lotwatch price ${randomUUID()}` });
  onMade(`price ${lookupKey}`);
  return { product, price: made.id };
}

function portalFeatures(sold: readonly Sold[]) {
  return {
    customer_update: { enabled: true, allowed_updates: ['email', 'address', 'tax_id'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      proration_behavior: 'always_invoice',
      products: sold.map(({ product, price }) => ({ product, prices: [price] })),
    },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;
}

async function makePortal(stripe: Stripe, sold: readonly Sold[], { publicUrl, onMade }: SetUpOptions): Promise<void> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: ALL });
  const found = data.find(({ metadata }) => metadata?.lotwatch === PORTAL_MARK);
  const params = {
    business_profile: {
      privacy_policy_url: `${publicUrl}/privacy-policy`,
      terms_of_service_url: `${publicUrl}/terms`,
    },
    default_return_url: `${publicUrl}/subscription`,
    features: portalFeatures(sold),
    metadata: { lotwatch: PORTAL_MARK },
  };
  const key = { idempotencyKey: `lotwatch portal ${randomUUID()}` };
  if (found) await stripe.billingPortal.configurations.update(found.id, params, key);
  else {
    await stripe.billingPortal.configurations.create(params, key);
    onMade('portal configuration');
  }
}

/**
 * Creates at Stripe a product and a monthly price for each paid plan, found by its lookup key, and the configuration of
 * the customer portal. Another run creates nothing twice, and brings prices and portal up to date.
 * @throws PaymentFault
 */
export async function setUpStripe(options: SetUpOptions): Promise<void> {
  const stripe = makeStripeClient(options.stripe);
  await callStripe(async () => {
    const sold: Sold[] = [];
    for (const plan of planList.filter(({ price }) => Number(price) > 0)) {
      sold.push(await makePrice(stripe, plan, options.onMade));
    }
    await makePortal(stripe, sold, options);
  });
}
