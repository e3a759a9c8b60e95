import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../test/browser.ts';
import { makeTestApi, type TestApi } from '../../test/make-app.ts';
import { type FakePayments, makeFakePayments } from '../../test/payments/fake-payments.ts';

let api: TestApi;
let fake: FakePayments;
let buyer: Browser;
let buyerId = 0;
let people = 0;
beforeAll(async () => {
  fake = makeFakePayments();
  api = await makeTestApi({ payments: fake });
});
afterAll(() => api.close());
beforeEach(async () => {
  people += 1;
  buyer = makeBrowser(api.url);
  buyerId = await buyer.register(`buyer-${people}`);
  Object.assign(fake, { fault: null, delayMs: 0, writes: [], portalVisits: [] });
});

const subscription = 'planId planName status currentPeriodEnd graceEndsAt alertsToResume';
const subscribe = `mutation ($planId: ID!) { subscribe(planId: $planId) { subscription { ${subscription} } url sessionId message } }`;
const verify = `mutation ($sessionId: String!, $planId: ID) {
  verifySubscription(sessionId: $sessionId, planId: $planId) { message paid subscription { ${subscription} } }
}`;
const session =
  'query ($sessionId: String!) { checkoutSession(sessionId: $sessionId) { id status metadata { planId } } }';

async function choose(planId: number, who = buyer) {
  const { data, errors } = await who.gql(subscribe, { planId: String(planId) });
  if (errors.length > 0) throw new Error(`${errors[0]?.extensions.code}: ${errors[0]?.message}`);
  return data.subscribe;
}
const codeOf = async (query: string, variables: object, who = buyer) =>
  (await who.gql(query, variables as Record<string, unknown>)).errors[0]?.extensions.code;
const current = async (who = buyer) =>
  (await who.gql(`{ currentSubscription { ${subscription} } }`)).data.currentSubscription;
const planOf = async (id = buyerId) =>
  (await api.db.pool.query('select plan_id from users where id = $1', [id])).rows[0].plan_id;

/** Pays for a plan the way people do. @returns the subscription's id */
async function pay(planId: number, who = buyer): Promise<string> {
  const { sessionId } = await choose(planId, who);
  const id = fake.pay(sessionId);
  await who.gql(verify, { sessionId });
  return id;
}

describe('from Free to a paid plan', () => {
  it('leads to a payment page, which changes nothing until it is paid', async () => {
    const { url, sessionId, subscription: held, message } = await choose(2);
    expect({ url, held, message }).toEqual({ url: `https://pay.example/${sessionId}`, held: null, message: null });
    const open = await buyer.gql(verify, { sessionId, planId: '2' });
    expect(open.data.verifySubscription).toMatchObject({
      paid: false,
      message: 'We have not received your payment yet.',
      subscription: { planId: '1', status: 'active', currentPeriodEnd: null },
    });
    expect((await buyer.gql(session, { sessionId })).data.checkoutSession).toEqual({
      id: sessionId,
      status: 'open',
      metadata: { planId: '2' },
    });
    fake.pay(sessionId);
    expect(await planOf()).toBe(1);
    for (const planId of [undefined, '2']) {
      const { data } = await buyer.gql(verify, { sessionId, planId });
      expect(data.verifySubscription).toMatchObject({
        paid: true,
        message: 'You are on the Starter plan.',
        subscription: { planId: '2', planName: 'Starter', status: 'active', currentPeriodEnd: expect.any(String) },
      });
    }
    expect(await planOf()).toBe(2);
  });

  it('has one page, however many ask at a time', async () => {
    fake.delayMs = 5;
    const asked = await Promise.all(Array.from({ length: 20 }, () => choose(3)));
    expect(new Set(asked.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(fake.writes.filter((name) => name === 'startCheckout')).toHaveLength(1);
    expect(fake.writes.filter((name) => name === 'makeCustomer')).toHaveLength(1);
    const open = [...fake.checkouts.values()].filter(({ id }) => id === asked[0]?.sessionId);
    expect(open).toHaveLength(1);
  });

  it('has one page for all plans: the one before is made useless first', async () => {
    const first = await choose(2);
    const second = await choose(4);
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(fake.checkouts.get(first.sessionId)?.status).toBe('expired');
    expect(fake.writes).toEqual(['makeCustomer', 'startCheckout', 'expireCheckout', 'startCheckout']);
    const { data } = await buyer.gql(verify, { sessionId: first.sessionId });
    expect(data.verifySubscription).toMatchObject({ paid: false, subscription: { planId: '1' } });
  });

  it('finds what was begun when the answer was lost', async () => {
    const start = fake.startCheckout;
    fake.startCheckout = async (checkout, key) => {
      await start(checkout, key);
      fake.fault = 'silent';
      return start(checkout, key);
    };
    await expect(choose(2)).rejects.toThrow('VENDOR');
    Object.assign(fake, { startCheckout: start, fault: null });
    const mine = [...fake.checkouts.values()].at(-1);
    expect((await choose(2)).sessionId).toBe(mine?.id);
  });

  it('starts anew after a refusal, with another key', async () => {
    const start = fake.startCheckout;
    const keys: string[] = [];
    fake.startCheckout = async (checkout, key) => {
      keys.push(key);
      if (keys.length === 1) fake.fault = 'refuses';
      return start(checkout, key).finally(() => {
        fake.fault = null;
      });
    };
    await expect(choose(2)).rejects.toThrow('VENDOR');
    expect((await choose(2)).url).toMatch(/^https:/);
    expect(new Set(keys).size).toBe(2);
    fake.startCheckout = start;
  });

  it('becomes a new customer when the old one was deleted', async () => {
    await choose(2);
    fake.customers.clear();
    fake.checkouts.clear();
    const keys = fake.writes.length;
    expect((await choose(2)).url).toMatch(/^https:/);
    expect(fake.writes.slice(keys)).toEqual(['startCheckout', 'makeCustomer', 'startCheckout']);
  });

  it('that was paid in the meantime is not paid twice', async () => {
    const { sessionId } = await choose(2);
    fake.pay(sessionId);
    expect(await choose(2)).toMatchObject({ url: null, subscription: { planId: '2' } });
    expect((await choose(3)).url).toMatch(/^https:\/\/portal/);
    expect(fake.portalVisits).toMatchObject([{ change: { planId: 3 } }]);
  });
});

describe('a checkout', () => {
  it('of somebody else, or made up, is not found and gives nothing', async () => {
    const { sessionId } = await choose(2);
    fake.pay(sessionId);
    const thief = makeBrowser(api.url);
    const thiefId = await thief.register(`thief-${people}`);
    for (const id of [sessionId, 'cs_test_madeup', sessionId.toUpperCase()]) {
      expect(await codeOf(verify, { sessionId: id }, thief)).toBe('NOT_FOUND');
      expect(await codeOf(session, { sessionId: id }, thief)).toBe('NOT_FOUND');
    }
    expect([await planOf(thiefId), await planOf()]).toEqual([1, 1]);
  });

  it('for another plan than expected is a conflict, and writes nothing', async () => {
    const { sessionId } = await choose(2);
    fake.pay(sessionId);
    for (const planId of ['1', '3', '4']) expect(await codeOf(verify, { sessionId, planId })).toBe('CONFLICT');
    expect(await planOf()).toBe(1);
    const { rows } = await api.db.pool.query(
      'select synced_at from billing_customers where subscription_id is not null',
    );
    expect(rows.filter(({ synced_at }) => synced_at === null)).toEqual([]);
  });

  it('that is complete but not yet paid gives no plan', async () => {
    const { sessionId } = await choose(2);
    Object.assign(fake.checkouts.get(sessionId) ?? {}, { status: 'complete', isPaid: false });
    const { data } = await buyer.gql(verify, { sessionId, planId: '2' });
    expect(data.verifySubscription).toMatchObject({ paid: false, message: /still being processed/ });
    expect(await planOf()).toBe(1);
  });

  it('says so while the payment service is away', async () => {
    const { sessionId } = await choose(2);
    fake.fault = 'silent';
    expect(await codeOf(verify, { sessionId })).toBe('VENDOR');
    expect(await codeOf(subscribe, { planId: '3' })).toBe('VENDOR');
    expect(await planOf()).toBe(1);
  });
});

describe('a paid plan', () => {
  it('is changed on the page that confirms it', async () => {
    const id = await pay(2);
    expect(await choose(4)).toMatchObject({
      url: expect.stringMatching(/portal/),
      sessionId: null,
      subscription: null,
    });
    expect(fake.portalVisits.at(-1)).toMatchObject({
      change: { subscriptionId: id, itemId: `si_${id}`, planId: 4 },
      returnUrl: 'http://localhost:4000/subscription',
    });
    expect(await planOf()).toBe(2);
    fake.change(id, { planId: 4 });
    expect(await choose(4)).toMatchObject({ url: null, subscription: { planId: '4' } });
  });

  it('is given up at the end of its period, and taken back until then', async () => {
    const id = await pay(3);
    const given = await choose(1);
    expect(given).toMatchObject({ url: null, subscription: { planId: '3', status: 'canceling' } });
    expect(given.message).toMatch(/^Your Pro plan ends on \w+ \d+, \d{4}\./);
    expect(await choose(1)).toEqual(given);
    expect(fake.writes.filter((name) => name === 'setCancels')).toHaveLength(1);
    expect(await choose(3)).toMatchObject({ subscription: { planId: '3', status: 'active' } });
    expect(fake.subscriptions.get(id)?.cancels).toBe(false);
  });

  it('that is unpaid leads to the payment, and is given up at once', async () => {
    const id = await pay(2);
    fake.change(id, { phase: 'past_due', unpaidSince: new Date() });
    for (const planId of [2, 3]) expect((await choose(planId)).url).toMatch(/portal/);
    expect(fake.portalVisits.map(({ change }) => change)).toEqual([undefined, undefined]);
    expect(await current()).toMatchObject({ planId: '2', status: 'past_due', graceEndsAt: expect.any(String) });
    expect(await choose(1)).toMatchObject({ subscription: { planId: '1', status: 'active', graceEndsAt: null } });
    expect(fake.subscriptions.get(id)?.phase).toBe('ended');
  });

  it('has a portal; who never paid has none', async () => {
    const portal = 'mutation { openBillingPortal }';
    expect(await codeOf(portal, {})).toBe('CONFLICT');
    await pay(2);
    expect((await buyer.gql(portal)).data.openBillingPortal).toMatch(/^https:\/\/portal/);
  });

  it('that was given by hand is given back at once', async () => {
    await api.db.pool.query('update users set plan_id = 3 where id = $1', [buyerId]);
    expect(await choose(1)).toMatchObject({ subscription: { planId: '1' }, message: 'You are on the Free plan.' });
  });
});
