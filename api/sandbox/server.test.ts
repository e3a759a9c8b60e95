import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxRig, startSandbox } from '../test/stripe/sandbox-rig.ts';

const DAY = 86_400;
let sandbox: SandboxRig;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startSandbox();
  const { hostname, port } = new URL(sandbox.url);
  stripe = new Stripe(sandbox.secretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
});
afterAll(() => sandbox.close());

const priceOf = async (plan: string): Promise<string> =>
  (await stripe.prices.list({ lookup_keys: [`lotwatch_${plan}_monthly`] })).data[0]?.id ?? '';

async function openCheckout(plan = 'starter', email = 'ada@example.com'): Promise<Stripe.Checkout.Session> {
  const customer = await stripe.customers.create({ email });
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: await priceOf(plan), quantity: 1 }],
    success_url: 'http://localhost:4000/subscription-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:4000/subscription?canceled=true',
  });
}

/** A paid subscription, and the address of its portal. */
async function subscribe(plan = 'starter'): Promise<{ id: string; customer: string; portal: string }> {
  const session = await openCheckout(plan);
  await sandbox.press(session.url ?? '', 'pay');
  const customer = String(session.customer);
  const [sub] = (await stripe.subscriptions.list({ customer })).data;
  const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: 'http://localhost:4000/back' });
  return { id: sub?.id ?? '', customer, portal: url };
}

const typesOf = async (object: string): Promise<string[]> =>
  (await stripe.events.list({ limit: 100 })).data
    .filter(({ data }) => JSON.stringify(data).includes(object))
    .map(({ type }) => type);

const latestInvoice = async (id: string): Promise<Stripe.Invoice> =>
  (await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.payments'] })).latest_invoice as Stripe.Invoice;

describe('the API', () => {
  it('requires its key', async () => {
    expect((await fetch(`${sandbox.url}/v1/customers`)).status).toBe(401);
    const headers = { authorization: 'Bearer sk_test_of_the_testz' };
    expect((await fetch(`${sandbox.url}/v1/customers`, { headers })).status).toBe(401);
  });

  it('answers a repeated key as before, and refuses it with other parameters', async () => {
    const idempotencyKey = 'user 12, customer';
    const made = await Promise.all(
      Array.from({ length: 20 }, () => stripe.customers.create({ name: 'bo' }, { idempotencyKey })),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    await expect(stripe.customers.create({ name: 'cy' }, { idempotencyKey })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
    // A refusal is not stored, so the key can be used again.
    const key = { idempotencyKey: 'second try' };
    await expect(stripe.products.create({ name: '' }, key)).rejects.toMatchObject({ statusCode: 400 });
    expect(await stripe.products.create({ name: 'Kept' }, key)).toMatchObject({ name: 'Kept' });
  });

  it.each([
    ['an unknown parameter', '/v1/customers', 'nick=1', 'parameter_unknown'],
    ['a nested one', '/v1/checkout/sessions', 'subscription_data[plan]=1', undefined],
    ['a missing one', '/v1/prices', 'currency=usd', 'parameter_missing'],
    ['one that is no number', '/v1/prices', 'currency=usd&product=p&unit_amount=five', 'parameter_invalid'],
    ['a name that pollutes', '/v1/customers', '__proto__[email]=a', undefined],
    ['a name that is too deep', '/v1/customers', `metadata${'[a]'.repeat(40)}=1`, undefined],
    ['too many', '/v1/customers', Array.from({ length: 1500 }, (_, at) => `metadata[k${at}]=1`).join('&'), undefined],
  ])('refuses %s and writes nothing', async (_what, path, body, code) => {
    const before = (await stripe.customers.list({ limit: 100 })).data.length;
    const answer = await fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${sandbox.secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { code?: string; type: string } };
    expect(error.type).toBe('invalid_request_error');
    if (code !== undefined) expect(error.code).toBe(code);
    expect((await stripe.customers.list({ limit: 100 })).data).toHaveLength(before);
  });

  it('refuses unknown ids, expansions and calls, and large bodies', async () => {
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    await expect(stripe.customers.list({ expand: ['data.shoes'] })).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.coupons.list()).rejects.toMatchObject({ statusCode: 404 });
    const large = await fetch(`${sandbox.url}/v1/customers`, { method: 'POST', body: 'x'.repeat(200_000) });
    expect(large.status).toBe(413);
  });

  it('lists in pages, newest first', async () => {
    for (const name of ['a', 'b', 'c']) await stripe.products.create({ name, description: 'paged' });
    const seen: string[] = [];
    for await (const { name, description } of stripe.products.list({ limit: 2 }))
      if (description === 'paged') seen.push(name);
    expect(seen).toEqual(['c', 'b', 'a']);
  });
});

describe('the pay page', () => {
  it('pays once, however often Pay is pressed, and redirects back with the session', async () => {
    const session = await openCheckout();
    const url = session.url ?? '';
    expect((await sandbox.show(url)).html).toContain('Test mode: nothing is charged');
    const back = await Promise.all(Array.from({ length: 5 }, () => sandbox.press(url, 'pay')));
    expect(new Set(back)).toEqual(new Set([`http://localhost:4000/subscription-success?session_id=${session.id}`]));
    expect((await stripe.subscriptions.list({ customer: String(session.customer) })).data).toHaveLength(1);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
    });
    expect((await sandbox.show(url)).html).toContain('Already paid');
    const types = await typesOf(String(session.customer));
    for (const type of ['checkout.session.completed', 'customer.subscription.created', 'invoice.paid'])
      expect(types.filter((one) => one === type)).toHaveLength(1);
  });

  it('stays open when the card is declined, and when the buyer goes back', async () => {
    const session = await openCheckout();
    const url = session.url ?? '';
    const again = await sandbox.press(url, 'decline');
    expect((await sandbox.show(again)).html).toContain('Your card was declined.');
    expect(await sandbox.press(url, 'cancel')).toBe('http://localhost:4000/subscription?canceled=true');
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
    });
    expect((await stripe.subscriptions.list({ customer: String(session.customer), status: 'all' })).data).toEqual([]);
    expect(await typesOf(String(session.customer))).toContain('payment_intent.payment_failed');
  });

  it('shows that a checkout has expired, and escapes texts', async () => {
    const session = await openCheckout('pro', '"><script>alert(1)</script>@example.com');
    expect((await sandbox.show(session.url ?? '')).html).not.toContain('<script>');
    await stripe.checkout.sessions.expire(session.id);
    expect((await sandbox.show(session.url ?? '')).html).toContain('This checkout has expired');
    await sandbox.press(session.url ?? '', 'pay');
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired' });
    expect((await sandbox.show('/dev/checkout/cs_test_unknown')).status).toBe(404);
    await expect(sandbox.press((await openCheckout()).url ?? '', 'rob')).rejects.toThrow('400');
  });
});

describe('a subscription', () => {
  it('changes its plan at once and charges or credits the difference', async () => {
    const { id, customer, portal } = await subscribe('pro');
    await sandbox.press(portal, 'change', { price: await priceOf('elite') });
    expect(await latestInvoice(id)).toMatchObject({ amount_paid: 5500, billing_reason: 'subscription_update' });
    await sandbox.press(portal, 'change', { price: await priceOf('starter') });
    expect(await latestInvoice(id)).toMatchObject({ amount_paid: 0, total: -6500, status: 'paid' });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -6500 });
    await sandbox.press(portal, 'end-period');
    expect(await latestInvoice(id)).toMatchObject({ amount_paid: 0, total: 499, ending_balance: -6001 });
    await expect(sandbox.press(portal, 'change', { price: 'price_unknown' })).rejects.toThrow('400');
  });

  it('ends with its period when requested, and not when the request was withdrawn', async () => {
    const { id, portal } = await subscribe();
    await sandbox.press(portal, 'cancel');
    const sub = await stripe.subscriptions.retrieve(id);
    expect(sub).toMatchObject({ status: 'active', cancel_at_period_end: true });
    expect(sub.cancel_at).toBe(sub.items.data[0]?.current_period_end);
    await sandbox.press(portal, 'resume');
    await sandbox.press(portal, 'end-period');
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active', cancel_at_period_end: false });
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await sandbox.press(portal, 'end-period');
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    await expect(stripe.subscriptions.update(id, { cancel_at_period_end: false })).rejects.toMatchObject({
      code: 'resource_missing',
    });
    expect((await sandbox.show(portal)).html).toContain('Your subscription has ended');
  });

  it('is past due after a failed payment until it is paid, and ends when it never is', async () => {
    const { id, portal } = await subscribe();
    await sandbox.press(portal, 'fail-next');
    await sandbox.press(portal, 'end-period');
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
    expect(await latestInvoice(id)).toMatchObject({ status: 'open', attempt_count: 1 });
    await sandbox.press(portal, 'pay-overdue');
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
    expect(await sandbox.press(portal, 'pay-overdue')).toContain('nothing-open');
    await sandbox.press(portal, 'fail-next');
    await sandbox.press(portal, 'end-period');
    await sandbox.press(portal, 'end-period');
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
  });

  it('can be refunded once in full', async () => {
    const { id, portal } = await subscribe('elite');
    await sandbox.press(portal, 'refund');
    const payment = (await latestInvoice(id)).payments?.data[0]?.payment;
    const intent = await stripe.paymentIntents.retrieve(String(payment?.payment_intent), { expand: ['latest_charge'] });
    expect(intent.latest_charge).toMatchObject({ refunded: true, amount_refunded: 6999 });
    await expect(sandbox.press(portal, 'refund')).rejects.toThrow('already been refunded');
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({ statusCode: 400 });
    expect(await typesOf(intent.id)).toEqual(expect.arrayContaining(['charge.refunded', 'refund.created']));
  });

  it('renews by itself when its month is over, and an open checkout expires after a day', async () => {
    const { id } = await subscribe();
    const open = await openCheckout();
    const before = (await stripe.subscriptions.retrieve(id)).items.data[0]?.current_period_end ?? 0;
    sandbox.passTime(32 * DAY);
    const after = await stripe.subscriptions.retrieve(id);
    expect(after.items.data[0]?.current_period_end).toBeGreaterThan(before + 27 * DAY);
    expect(await latestInvoice(id)).toMatchObject({ billing_reason: 'subscription_cycle', status: 'paid' });
    expect(await stripe.checkout.sessions.retrieve(open.id)).toMatchObject({ status: 'expired' });
  });
});
