import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpServer } from '../../../test/set-up.ts';
import { type CheckingProxy, checkWithDescription, startCheckingProxy } from '../../../test/stripe/request-checks.ts';
import { type SandboxRig, startSandbox } from '../../../test/stripe/sandbox-rig.ts';
import { PaymentFault, type Payments } from './payments.ts';
import { setUpStripe } from './set-up-stripe.ts';
import { makeStripePayments } from './stripe-payments.ts';

const HOUR = 3600;
const publicUrl = 'http://localhost:4000';

let sandbox: SandboxRig;
let proxy: CheckingProxy;
let payments: Payments;
let made: string[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ isBare: true });
  proxy = await startCheckingProxy(sandbox.url, checkWithDescription());
  payments = makeStripePayments(settings());
});
afterAll(async () => {
  await proxy.close();
  await sandbox.close();
});

const settings = () => ({ secretKey: sandbox.secretKey, webhookSecret: sandbox.webhookSecret, apiBase: proxy.url });
async function setUp(): Promise<string[]> {
  made = [];
  await setUpStripe({ stripe: settings(), publicUrl, onMade: (what) => made.push(what) });
  return made;
}
let people = 0;
async function customer(): Promise<string> {
  people += 1;
  return payments.makeCustomer({ userId: people, username: 'ada' }, `customer ${people}`);
}
async function checkout(customerId: string, planId: number, key: string = crypto.randomUUID()) {
  const addresses = { successUrl: `${publicUrl}/done?session_id={CHECKOUT_SESSION_ID}`, cancelUrl: `${publicUrl}/no` };
  return payments.startCheckout({ customerId, userId: people, planId, ...addresses }, key);
}
async function paid(planId: number) {
  const customerId = await customer();
  const { id, url } = await checkout(customerId, planId);
  await sandbox.press(url ?? '', 'pay');
  const [subscription] = await payments.readSubscriptions(customerId);
  if (!subscription) throw new Error('nothing was paid');
  return { customerId, sessionId: id, subscription };
}
const only = async (customerId: string) => (await payments.readSubscriptions(customerId))[0];

describe('an account at Stripe', () => {
  it('has no prices before it is set up', async () => {
    const customerId = await customer();
    await expect(checkout(customerId, 2)).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
  });

  it('is set up once, also after several runs', async () => {
    expect(await setUp()).toEqual([
      ...['starter', 'pro', 'elite'].flatMap((name) => [`product lotwatch_${name}`, `price lotwatch_${name}_monthly`]),
      'portal configuration',
    ]);
    expect(await setUp()).toEqual([]);
  });
});

describe('a subscription', () => {
  it('starts with a payment page, once for each key', async () => {
    const customerId = await customer();
    const first = await checkout(customerId, 2, 'one key');
    const again = await checkout(customerId, 2, 'one key');
    expect(again.id).toBe(first.id);
    expect(first).toMatchObject({ status: 'open', isPaid: false, customerId, planId: 2, url: expect.any(String) });
    expect(first.expiresAt.getTime()).toBeGreaterThan(Date.now() + 20 * HOUR * 1000);
    expect(await payments.readSubscriptions(customerId)).toEqual([]);
    await sandbox.press(first.url ?? '', 'pay');
    expect(await payments.readCheckout(first.id)).toMatchObject({ status: 'complete', isPaid: true, url: null });
    expect(await only(customerId)).toMatchObject({
      planId: 2,
      phase: 'active',
      cancels: false,
      unpaidSince: null,
      isRefunded: false,
    });
    expect(await payments.expireCheckout(first.id)).toMatchObject({ status: 'complete', isPaid: true });
  });

  it('can be cancelled and continued', async () => {
    const { customerId, subscription } = await paid(3);
    await payments.setCancels(subscription.id, true);
    expect(await only(customerId)).toMatchObject({ planId: 3, phase: 'active', cancels: true });
    await payments.setCancels(subscription.id, false);
    expect(await only(customerId)).toMatchObject({ cancels: false });
  });

  it('is changed on the page that confirms it', async () => {
    const { customerId, subscription } = await paid(2);
    const change = { subscriptionId: subscription.id, itemId: subscription.itemId, planId: 4 };
    const url = await payments.openPortal({ customerId, returnUrl: `${publicUrl}/subscription`, change });
    expect(await sandbox.press(url, 'confirm')).toBe(`${publicUrl}/subscription`);
    expect(await only(customerId)).toMatchObject({ planId: 4, phase: 'active' });
  });

  it('shows since when it is unpaid, and what was refunded', async () => {
    const { customerId } = await paid(2);
    const portal = await payments.openPortal({ customerId, returnUrl: `${publicUrl}/subscription` });
    await sandbox.press(portal, 'fail-next');
    await sandbox.press(portal, 'end-period');
    const unpaid = await only(customerId);
    expect(unpaid).toMatchObject({ planId: 2, phase: 'past_due', isRefunded: false });
    expect(Math.abs((unpaid?.unpaidSince?.getTime() ?? 0) - Date.now())).toBeLessThan(62 * 24 * HOUR * 1000);
    await sandbox.press(portal, 'pay-overdue');
    expect(await only(customerId)).toMatchObject({ phase: 'active', unpaidSince: null, isRefunded: false });
    await sandbox.press(portal, 'refund');
    expect(await only(customerId)).toMatchObject({ phase: 'active', isRefunded: true });
  });

  it('counts as refunded by its last payment, even if credit has paid an invoice since', async () => {
    const { customerId, subscription } = await paid(4);
    const change = { subscriptionId: subscription.id, itemId: subscription.itemId, planId: 2 };
    const portal = await payments.openPortal({ customerId, returnUrl: `${publicUrl}/subscription`, change });
    await sandbox.press(portal, 'confirm');
    expect(await only(customerId)).toMatchObject({ planId: 2, isRefunded: false });
    await sandbox.press(portal, 'refund');
    expect(await only(customerId)).toMatchObject({ planId: 2, phase: 'active', isRefunded: true });
  });

  it('can be ended at once, also a second time', async () => {
    const { customerId, subscription } = await paid(2);
    await payments.endSubscription(subscription.id);
    await payments.endSubscription(subscription.id);
    expect(await only(customerId)).toMatchObject({ phase: 'ended' });
  });

  it('ends with its customer, who may be deleted already', async () => {
    const { customerId } = await paid(2);
    expect(await payments.hasCustomer(customerId)).toBe(true);
    await payments.deleteCustomer(customerId);
    await payments.deleteCustomer(customerId);
    expect(await payments.hasCustomer(customerId)).toBe(false);
    expect((await payments.readSubscriptions(customerId)).filter(({ phase }) => phase !== 'ended')).toEqual([]);
    await expect(checkout(customerId, 2)).rejects.toMatchObject({ code: 'VENDOR', answered: true });
  });
});

it('an address is set, cleared, and refused when it is invalid', async () => {
  const customerId = await customer();
  const emailOf = async () => {
    const headers = { authorization: `Bearer ${sandbox.secretKey}` };
    return (
      (await (await fetch(`${sandbox.url}/v1/customers/${customerId}`, { headers })).json()) as { email: unknown }
    ).email;
  };
  expect(await payments.changeAddress(customerId, 'ada@example.test')).toBe(true);
  expect(await emailOf()).toBe('ada@example.test');
  expect(await payments.changeAddress(customerId, 'ada@nowhere')).toBe(false);
  expect(await emailOf()).toBeNull();
  expect(await payments.changeAddress(customerId, 'ada@example.test')).toBe(true);
  expect(await payments.changeAddress(customerId, null)).toBe(true);
  expect(await emailOf()).toBeNull();
  expect(await payments.changeAddress('cus_nothing', 'ada@example.test')).toBe(true);
});

it('an unknown id is null, not an error', async () => {
  expect(await payments.readCheckout('cs_test_nothing')).toBeNull();
  expect(await payments.expireCheckout('cs_test_nothing')).toBeNull();
  expect(await payments.customerOfCharge('ch_nothing')).toBeNull();
  expect(await payments.hasCustomer('cus_nothing')).toBe(false);
});

it('sends no request that Stripe’s own description refuses', () => {
  expect(proxy.rejected).toEqual([]);
});

describe('a server that fails', () => {
  let keys: (string | undefined)[] = [];
  let answer: number | null = null;
  const server = setUpServer((request, response) => {
    keys.push(request.headers['idempotency-key'] as string | undefined);
    if (answer !== null) response.writeHead(answer, { 'content-type': 'application/json' }).end('{"error": {}}');
  });
  const faulty = () => makeStripePayments({ ...settings(), apiBase: server.url, timeoutMs: 60 });

  it.each([
    ['is silent', null, false],
    ['fails', 503, true],
  ])('and %s gets three tries with the same key for every write', async (_what, status, answered) => {
    answer = status;
    keys = [];
    const person = { userId: 1, username: 'ada' };
    const writes: [string, (payments: Payments) => Promise<unknown>][] = [
      ['customer', (one) => one.makeCustomer(person, 'the key')],
      ['cancel', (one) => one.setCancels('sub_1', true)],
      ['address', (one) => one.changeAddress('cus_1', 'ada@example.test')],
      ['end', (one) => one.endSubscription('sub_1')],
      ['delete', (one) => one.deleteCustomer('cus_1')],
    ];
    await Promise.all(
      writes.map(async ([name, write]) => {
        const fault = await write(faulty()).catch((error: unknown) => error);
        expect([name, fault]).toEqual([name, expect.any(PaymentFault)]);
        expect((fault as PaymentFault).answered).toBe(answered);
      }),
    );
    expect(keys).toHaveLength(15);
    expect(new Set(keys).size).toBe(5);
    expect(keys).not.toContain(undefined);
  });
});
