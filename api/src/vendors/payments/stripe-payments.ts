import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { AppError } from '../../base/errors.ts';
import type { NewCheckout, PaymentCheckout, Payments, PortalVisit } from './payments.ts';
import { fromUnix, lookupKeyOf, readSubscription } from './read-subscription.ts';
import {
  askStripe,
  isRefusedAddress,
  makeStripeClient,
  orMissing,
  readStripeEvent,
  type StripeSettings,
} from './stripe-client.ts';

/** The mark of our portal configuration. */
export const PORTAL_MARK = 'portal';

const MOST = 100;

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'object' ? (reference?.id ?? null) : reference;

/** A new idempotency key for the retries of one call. */
const onceOnly = () => ({ idempotencyKey: randomUUID() });

function statusOf({ status }: Stripe.Checkout.Session): PaymentCheckout['status'] {
  if (status === 'complete') return 'complete';
  return status === 'expired' ? 'expired' : 'open';
}

function readCheckout(session: Stripe.Checkout.Session): PaymentCheckout {
  return {
    id: session.id,
    status: statusOf(session),
    isPaid: session.status === 'complete' && session.payment_status !== 'unpaid',
    customerId: idOf(session.customer),
    planId: Number(session.metadata?.planId ?? 0),
    url: session.url,
    expiresAt: fromUnix(session.expires_at),
  };
}

async function priceOf(stripe: Stripe, planId: number): Promise<string> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKeyOf(planId)], active: true, limit: 1 });
  if (data[0]) return data[0].id;
  throw new AppError('NOT_CONFIGURED', 'Payments are not set up', {
    cause: new Error(`No price at Stripe has the lookup key ${lookupKeyOf(planId)}: run npm run stripe:setup.`),
  });
}

function checkoutParams({ customerId, userId, planId, ...addresses }: NewCheckout, price: string) {
  const metadata = { planId: String(planId), userId: String(userId) };
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: String(userId),
    line_items: [{ price, quantity: 1 }],
    success_url: addresses.successUrl,
    cancel_url: addresses.cancelUrl,
    metadata,
    subscription_data: { metadata },
  } satisfies Stripe.Checkout.SessionCreateParams;
}

async function portalParams(stripe: Stripe, visit: PortalVisit): Promise<Stripe.BillingPortal.SessionCreateParams> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: MOST });
  const ours = data.find(({ metadata }) => metadata?.lotwatch === PORTAL_MARK);
  const { customerId, returnUrl, change } = visit;
  const params = { customer: customerId, return_url: returnUrl, ...(ours && { configuration: ours.id }) };
  if (!change) return params;
  const item = { id: change.itemId, price: await priceOf(stripe, change.planId), quantity: 1 };
  return {
    ...params,
    flow_data: {
      type: 'subscription_update_confirm',
      subscription_update_confirm: { subscription: change.subscriptionId, items: [item] },
      after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
    },
  };
}

/** Payments through Stripe's official client. @throws PaymentFault where Stripe can't or won't */
export function makeStripePayments(settings: StripeSettings): Payments {
  const stripe = makeStripeClient(settings);
  const { sessions } = stripe.checkout;

  return {
    makeCustomer: ({ userId, username }, key) =>
      askStripe(async () => {
        // The address is left out: it may change or be refused, and the parameters of one key must stay the same.
        const params = { name: username, metadata: { lotwatch_user: String(userId) } };
        return (await stripe.customers.create(params, { idempotencyKey: key })).id;
      }),
    changeAddress: (id, email) =>
      askStripe(async () => {
        const write = (address: string) => orMissing(stripe.customers.update(id, { email: address }, onceOnly()));
        try {
          await write(email ?? '');
          return true;
        } catch (error) {
          if (email === null || !isRefusedAddress(error)) throw error;
          await write('');
          return false;
        }
      }),
    hasCustomer: (id) =>
      askStripe(async () => {
        const customer = await orMissing(stripe.customers.retrieve(id));
        return customer !== null && !customer.deleted;
      }),
    deleteCustomer: (id) => askStripe(async () => void (await orMissing(stripe.customers.del(id, {}, onceOnly())))),
    startCheckout: (checkout, key) =>
      askStripe(async () => {
        const params = checkoutParams(checkout, await priceOf(stripe, checkout.planId));
        return readCheckout(await sessions.create(params, { idempotencyKey: key }));
      }),
    readCheckout: (id) =>
      askStripe(async () => {
        const session = await orMissing(sessions.retrieve(id));
        return session && readCheckout(session);
      }),
    expireCheckout: (id) =>
      askStripe(async () => {
        try {
          return readCheckout(await sessions.expire(id, {}, onceOnly()));
        } catch (error) {
          // Stripe refuses to expire a checkout that is over.
          const session = await orMissing(sessions.retrieve(id));
          if (session?.status === 'open') throw error;
          return session && readCheckout(session);
        }
      }),
    readSubscriptions: (customer) =>
      askStripe(async () => {
        const expand = ['data.latest_invoice.payments'];
        const page = await orMissing(stripe.subscriptions.list({ customer, status: 'all', limit: MOST, expand }));
        return Promise.all((page?.data ?? []).map((one) => readSubscription(stripe, one)));
      }),
    setCancels: (id, cancels) =>
      askStripe(async () => {
        const updated = await stripe.subscriptions.update(id, { cancel_at_period_end: cancels }, onceOnly());
        // The portal of some accounts sets a day instead, which the switch alone does not clear.
        if (!cancels && updated.cancel_at !== null)
          await stripe.subscriptions.update(id, { cancel_at: '' }, onceOnly());
      }),
    endSubscription: (id) =>
      askStripe(async () => void (await orMissing(stripe.subscriptions.cancel(id, {}, onceOnly())))),
    openPortal: (visit) =>
      askStripe(
        async () => (await stripe.billingPortal.sessions.create(await portalParams(stripe, visit), onceOnly())).url,
      ),
    customerOfCharge: (id) =>
      askStripe(async () => {
        const charge = await orMissing(stripe.charges.retrieve(id));
        return charge && idOf(charge.customer);
      }),
    readEvent: (body, signature) => readStripeEvent(stripe, settings.webhookSecret, body, signature),
  };
}
