import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { AppError } from '../../base/errors.ts';
import { whenUsed } from '../../base/when-used.ts';
import type { NewCheckout, PaymentCheckout, Payments, PortalRequest } from './payments.ts';
import { fromUnix, lookupKeyOf, readSubscription } from './read-subscription.ts';
import {
  callStripe,
  isRefusedAddress,
  makeStripeClient,
  nullIfMissing,
  readStripeEvent,
  type StripeSettings,
} from './stripe-client.ts';

/** The mark of our portal configuration. */
export const PORTAL_MARK = 'portal';

const PAGE_SIZE = 100;

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'object' ? (reference?.id ?? null) : reference;

/** A new idempotency key for the retries of one call. */
const withIdempotencyKey = () => ({ idempotencyKey: randomUUID() });

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

async function portalParams(stripe: Stripe, visit: PortalRequest): Promise<Stripe.BillingPortal.SessionCreateParams> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: PAGE_SIZE });
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
  const stripe = whenUsed(() => makeStripeClient(settings));

  return {
    makeCustomer: ({ userId, username }, key) =>
      callStripe(async () => {
        // The address is left out: it may change or be refused, and the parameters of one key must stay the same.
        const params = { name: username, metadata: { lotwatch_user: String(userId) } };
        return (await stripe().customers.create(params, { idempotencyKey: key })).id;
      }),
    changeAddress: (id, email) =>
      callStripe(async () => {
        const write = (address: string) =>
          nullIfMissing(stripe().customers.update(id, { email: address }, withIdempotencyKey()));
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
      callStripe(async () => {
        const customer = await nullIfMissing(stripe().customers.retrieve(id));
        return customer !== null && !customer.deleted;
      }),
    deleteCustomer: (id) =>
      callStripe(async () => void (await nullIfMissing(stripe().customers.del(id, {}, withIdempotencyKey())))),
    startCheckout: (checkout, key) =>
      callStripe(async () => {
        const params = checkoutParams(checkout, await priceOf(stripe(), checkout.planId));
        return readCheckout(await stripe().checkout.sessions.create(params, { idempotencyKey: key }));
      }),
    readCheckout: (id) =>
      callStripe(async () => {
        const session = await nullIfMissing(stripe().checkout.sessions.retrieve(id));
        return session && readCheckout(session);
      }),
    expireCheckout: (id) =>
      callStripe(async () => {
        try {
          return readCheckout(await stripe().checkout.sessions.expire(id, {}, withIdempotencyKey()));
        } catch (error) {
          // Stripe refuses to expire a checkout that is over.
          const session = await nullIfMissing(stripe().checkout.sessions.retrieve(id));
          if (session?.status === 'open') throw error;
          return session && readCheckout(session);
        }
      }),
    readSubscriptions: (customer) =>
      callStripe(async () => {
        const expand = ['data.latest_invoice.payments'];
        const page = await nullIfMissing(
          stripe().subscriptions.list({ customer, status: 'all', limit: PAGE_SIZE, expand }),
        );
        return Promise.all((page?.data ?? []).map((one) => readSubscription(stripe(), one)));
      }),
    setCancels: (id, cancels) =>
      callStripe(async () => {
        const updated = await stripe().subscriptions.update(
          id,
          { cancel_at_period_end: cancels },
          withIdempotencyKey(),
        );
        // The portal of some accounts sets a day instead, which the switch alone does not clear.
        if (!cancels && updated.cancel_at !== null)
          await stripe().subscriptions.update(id, { cancel_at: '' }, withIdempotencyKey());
      }),
    endSubscription: (id) =>
      callStripe(async () => void (await nullIfMissing(stripe().subscriptions.cancel(id, {}, withIdempotencyKey())))),
    openPortal: (visit) =>
      callStripe(
        async () =>
          (await stripe().billingPortal.sessions.create(await portalParams(stripe(), visit), withIdempotencyKey())).url,
      ),
    customerOfCharge: (id) =>
      callStripe(async () => {
        const charge = await nullIfMissing(stripe().charges.retrieve(id));
        return charge && idOf(charge.customer);
      }),
    readEvent: (body, signature) => readStripeEvent(stripe(), settings.webhookSecret, body, signature),
  };
}
