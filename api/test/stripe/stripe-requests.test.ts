import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpStripe } from '../../src/vendors/payments/set-up-stripe.ts';
import type { StripeSettings } from '../../src/vendors/payments/stripe-client.ts';
import { makeStripePayments } from '../../src/vendors/payments/stripe-payments.ts';
import {
  type CheckingProxy,
  checkWithDescription,
  checkWithMock,
  newerThanDescription,
  type RequestCheck,
  type StripeMock,
  shapeFaults,
  startCheckingProxy,
  startStripeMock,
} from './request-checks.ts';
import { type SandboxRig, startSandbox } from './sandbox-rig.ts';

let mock: StripeMock | null = null;
async function startMock(): Promise<void> {
  mock = await startStripeMock();
  if (mock) process.stderr.write('\nRequests to Stripe are checked by stripe-mock and by the copied description.\n');
  else {
    process.stderr.write(
      '\n!!! NOT TESTED: requests to Stripe against stripe-mock (it needs Go). They are checked by a copy of ' +
        `Stripe's description of 2023 only; newer than it, and so unchecked: ${newerThanDescription.join(', ')} !!!\n\n`,
    );
  }
}

async function paidCheckout(stripe: Stripe, sandbox: SandboxRig, lookupKey: string) {
  const customer = await stripe.customers.create(
    { name: 'ada', email: 'ada@example.com', metadata: { lotwatch_user: '7' } },
    { idempotencyKey: 'customer 7' },
  );
  const { data: prices } = await stripe.prices.list({
    lookup_keys: [lookupKey],
    active: true,
    expand: ['data.product'],
    limit: 10,
  });
  const metadata = { planId: '2', userId: '7' };
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    client_reference_id: '7',
    line_items: [{ price: prices[0]?.id, quantity: 1 }],
    success_url: 'http://localhost:4000/subscription-success?session_id={CHECKOUT_SESSION_ID}&plan_id=2',
    cancel_url: 'http://localhost:4000/subscription?canceled=true',
    metadata,
    subscription_data: { metadata },
  });
  await sandbox.press(session.url ?? '', 'decline');
  await sandbox.press(session.url ?? '', 'pay');
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'customer'] });
  return { customer: customer.id, paid, sub: paid.subscription as Stripe.Subscription };
}

/** A subscription from checkout to its end, with every kind of request that LotWatch makes. */
async function wholeFlow(stripe: Stripe, sandbox: SandboxRig): Promise<void> {
  const { customer, paid, sub } = await paidCheckout(stripe, sandbox, 'lotwatch_starter_monthly');
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', metadata: { planId: '2' } });
  const { data: pro } = await stripe.prices.list({ lookup_keys: ['lotwatch_pro_monthly'], limit: 1 });
  const { data: configurations } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const portal = await stripe.billingPortal.sessions.create({
    customer,
    configuration: configurations.find((one) => one.is_default)?.id,
    return_url: 'http://localhost:4000/subscription',
    flow_data: {
      type: 'subscription_update_confirm',
      subscription_update_confirm: {
        subscription: sub.id,
        items: [{ id: sub.items.data[0]?.id ?? '', price: pro[0]?.id, quantity: 1 }],
      },
      after_completion: { type: 'redirect', redirect: { return_url: 'http://localhost:4000/subscription?changed' } },
    },
  });
  expect(await sandbox.press(portal.url, 'confirm')).toBe('http://localhost:4000/subscription?changed');
  await stripe.subscriptions.update(sub.id, { cancel_at_period_end: true });
  await stripe.subscriptions.update(sub.id, { cancel_at_period_end: false });
  await stripe.billingPortal.sessions.create({ customer, return_url: 'http://localhost:4000/subscription' });
  await sandbox.press(portal.url, 'fail-next');
  await sandbox.press(portal.url, 'end-period');
  const expand = ['data.latest_invoice.payments'];
  const overdue = await stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand });
  expect(overdue.data.map(({ status }) => status)).toEqual(['past_due']);
  await sandbox.press(portal.url, 'pay-overdue');
  const [stored] = (await stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand })).data;
  const invoice = stored?.latest_invoice as Stripe.Invoice;
  expect([stored?.status, invoice.status]).toEqual(['active', 'paid']);
  const payment = invoice.payments?.data[0]?.payment;
  const intentId = String(payment?.payment_intent);
  await sandbox.press(portal.url, 'refund');
  const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] });
  expect(intent.latest_charge).toMatchObject({ refunded: true, amount_refunded: 1499, amount: 1499 });
  await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intentId } });
  await stripe.charges.retrieve((intent.latest_charge as Stripe.Charge).id);
  const [event] = (await stripe.events.list({ type: 'charge.refunded' })).data;
  await stripe.events.retrieve(event?.id ?? '');
  expect(await stripe.subscriptions.cancel(sub.id)).toMatchObject({ status: 'canceled' });
  await stripe.invoices.list({ customer });
  await stripe.customers.del(customer);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
}

/** The requests that set up an account at Stripe. */
async function setUp(stripe: Stripe): Promise<void> {
  const product = await stripe.products.create({
    id: 'lotwatch_trial',
    name: 'LotWatch Trial',
    description: 'For the test',
    metadata: { lotwatch_plan: '9' },
  });
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 100,
    recurring: { interval: 'month' },
    lookup_key: 'lotwatch_trial_monthly',
    transfer_lookup_key: true,
    nickname: 'Trial, monthly',
    metadata: { lotwatch_plan: '9' },
  });
  const business_profile = {
    privacy_policy_url: 'http://localhost:4000/privacy',
    terms_of_service_url: 'http://localhost:4000/terms',
  };
  const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
    customer_update: { enabled: true, allowed_updates: ['email'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      proration_behavior: 'always_invoice',
      products: [{ product: product.id, prices: [price.id] }],
    },
  };
  const made = await stripe.billingPortal.configurations.create({
    business_profile,
    default_return_url: 'http://localhost:4000/subscription',
    metadata: { lotwatch: 'portal' },
    features,
  });
  await stripe.billingPortal.configurations.update(made.id, { features, metadata: { lotwatch: 'portal' } });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://localhost:4000/subscription-success',
  });
  expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null });
}

/** Each call of the payment client, at least once. */
async function lotWatchAsks(stripe: StripeSettings, sandbox: SandboxRig): Promise<void> {
  const publicUrl = 'http://localhost:4000';
  for (const _time of ['first', 'again']) await setUpStripe({ stripe, publicUrl, onMade: () => {} });
  const payments = makeStripePayments(stripe);
  const customerId = await payments.makeCustomer({ userId: 7, username: 'ada' }, 'customer of 7');
  for (const email of ['ada@example.com', null, 'ada@work.example']) {
    expect(await payments.changeAddress(customerId, email)).toBe(true);
  }
  const successUrl = `${publicUrl}/subscription-success?session_id={CHECKOUT_SESSION_ID}`;
  const wanted = { customerId, userId: 7, planId: 2, successUrl, cancelUrl: `${publicUrl}/subscription?canceled` };
  const givenUp = await payments.startCheckout(wanted, 'first checkout');
  expect(await payments.expireCheckout(givenUp.id)).toMatchObject({ status: 'expired' });
  const { id, url } = await payments.startCheckout(wanted, 'second checkout');
  await sandbox.press(url ?? '', 'pay');
  expect(await payments.readCheckout(id)).toMatchObject({ isPaid: true, planId: 2 });
  const [held] = await payments.readSubscriptions(customerId);
  const subscriptionId = held?.id ?? '';
  for (const cancels of [true, false]) await payments.setCancels(subscriptionId, cancels);
  const returnUrl = `${publicUrl}/subscription`;
  const change = { subscriptionId, itemId: held?.itemId ?? '', planId: 3 };
  await sandbox.press(await payments.openPortal({ customerId, returnUrl, change }), 'confirm');
  const smaller = { ...change, planId: 2 };
  await sandbox.press(await payments.openPortal({ customerId, returnUrl, change: smaller }), 'confirm');
  await sandbox.press(await payments.openPortal({ customerId, returnUrl }), 'refund');
  // Credit paid for the smaller plan, so the refund is of the payment before.
  expect(await payments.readSubscriptions(customerId)).toMatchObject([{ planId: 2, isRefunded: true }]);
  await payments.endSubscription(subscriptionId);
  await payments.deleteCustomer(customerId);
  expect(await payments.hasCustomer(customerId)).toBe(false);
}

/** Building stripe-mock takes half a minute, so only `npm run test:all` does it. */
const tags = { 'stripe-mock': 'long', description: [] };

for (const by of ['stripe-mock', 'description'] as const)
  describe(`Stripe's client before the sandbox, checked by ${by}`, { tags: tags[by] }, () => {
    let sandbox: SandboxRig;
    let proxy: CheckingProxy;
    let stripe: Stripe;
    let check: RequestCheck | null;
    beforeAll(async () => {
      if (by === 'stripe-mock') await startMock();
      check = by === 'description' ? checkWithDescription() : mock && checkWithMock(mock.url);
      if (!check) return;
      sandbox = await startSandbox();
      proxy = await startCheckingProxy(sandbox.url, check);
      const { hostname, port } = new URL(proxy.url);
      stripe = new Stripe(sandbox.secretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
    }, 180_000);
    afterAll(async () => {
      await proxy?.close();
      await sandbox?.close();
      mock?.stop();
      mock = null;
    });

    it('makes only requests that Stripe accepts, and gets answers in the shapes of Stripe', async ({ skip }) => {
      if (!check) return skip();
      await setUp(stripe);
      await wholeFlow(stripe, sandbox);
      expect(proxy.rejected).toEqual([]);
      expect([...proxy.misshapen]).toEqual([]);
      expect([...proxy.requests.values()].reduce((sum, n) => sum + n, 0)).toBeGreaterThan(25);
    });

    it('makes only requests that Stripe accepts, from the setup to the deletion', async ({ skip }) => {
      if (!check) return skip();
      const bare = await startSandbox({ isBare: true });
      const own = await startCheckingProxy(bare.url, check);
      const { secretKey, webhookSecret } = bare;
      await lotWatchAsks({ secretKey, webhookSecret, apiBase: own.url }, bare);
      expect(own.rejected).toEqual([]);
      expect([...own.misshapen]).toEqual([]);
      await own.close();
      await bare.close();
    });

    it.for([
      ['unknown', 'POST', '/v1/customers', 'email=a%40b.example&nickname=ada'],
      ['unknown and nested', 'POST', '/v1/checkout/sessions', 'mode=subscription&subscription_data[plan]=2'],
      ['mistyped', 'POST', '/v1/subscriptions/sub_1', 'cancel_at_period_end=soon'],
      ['of a wrong name', 'GET', '/v1/prices', 'lookup_key=lotwatch_pro_monthly'],
      ['outside its list', 'POST', '/v1/checkout/sessions', 'mode=rent'],
    ] as const)('is refused a parameter that is %s', async ([what, method, path, form], { skip }) => {
      if (!check) return skip();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      // stripe-mock checks the top level only.
      const isSeen = by === 'description' || what !== 'unknown and nested';
      expect((await check({ method, path, form, headers })) !== null).toBe(isSeen);
      const ours = await fetch(`${sandbox.url}${path}${method === 'GET' ? `?${form}` : ''}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${sandbox.secretKey}` },
        ...(method === 'POST' && { body: form }),
      });
      expect(ours.status).toBe(400);
    });
  });

const charge = { id: 'ch_1', object: 'charge', amount: 499, refunded: false, metadata: { any: 'thing' } };

it('no fault is found in objects of Stripe, in lists and in expanded ids', () => {
  expect(shapeFaults({ object: 'list', url: '/v1/charges', has_more: false, data: [charge] })).toEqual([]);
  expect(shapeFaults({ id: 'pi_1', object: 'payment_intent', latest_charge: charge })).toEqual([]);
  expect(shapeFaults({ id: 'cus_1', object: 'customer', deleted: true })).toEqual([]);
});

it('fields that Stripe lacks and fields of another type are found at every depth', () => {
  expect(shapeFaults({ ...charge, plan: 2, amount: '499' })).toEqual([
    '(charge).amount: string instead of number',
    '(charge).plan: unknown to Stripe',
  ]);
  const invoice = { object: 'invoice', charge: 'ch_1', parent: { subscription_details: { plan: '2' } } };
  expect(shapeFaults({ object: 'list', data: [invoice] })).toEqual([
    '.data[](invoice).charge: unknown to Stripe',
    '.data[](invoice).parent.subscription_details.plan: unknown to Stripe',
  ]);
  expect(shapeFaults({ object: 'bill' })).toHaveLength(1);
});
