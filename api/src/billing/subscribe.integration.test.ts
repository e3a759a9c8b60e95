import { describe, expect, it } from 'vitest';
import { setUpBuyers } from '../../test/payments/payer.ts';
import { PaymentFault } from '../vendors/payments/payments.ts';
import { processDuePayments } from './process-due-payments.ts';

const here = setUpBuyers();

const subscription = 'planId planName status currentPeriodEnd graceEndsAt alertsToResume';
const subscribe = `mutation ($planId: ID!) { subscribe(planId: $planId) { subscription { ${subscription} } url sessionId message } }`;
const verify = `mutation ($sessionId: String!, $planId: ID) {
  verifySubscription(sessionId: $sessionId, planId: $planId) { message paid subscription { ${subscription} } }
}`;
const session =
  'query ($sessionId: String!) { checkoutSession(sessionId: $sessionId) { id status metadata { planId } } }';

async function choose(planId: number, who = here.buyer) {
  const { data, errors } = await who.gql(subscribe, { planId: String(planId) });
  if (errors.length > 0) throw new Error(`${errors[0]?.extensions.code}: ${errors[0]?.message}`);
  return data.subscribe;
}
const codeOf = async (query: string, variables: object, who = here.buyer) =>
  (await who.gql(query, variables as Record<string, unknown>)).errors[0]?.extensions.code;
const current = async (who = here.buyer) =>
  (await who.gql(`{ currentSubscription { ${subscription} } }`)).data.currentSubscription;
const planOf = async (id = here.buyerId) =>
  (await here.api.db.row('select plan_id from users where id = $1', [id])).plan_id;

/** Pays for a plan through its payment page. @returns the subscription's id */
async function pay(planId: number, who = here.buyer): Promise<string> {
  const { sessionId } = await choose(planId, who);
  const id = here.fake.pay(sessionId);
  await who.gql(verify, { sessionId });
  return id;
}

describe('from Free to a paid plan', () => {
  it('opens a payment page, which changes nothing until it is paid', async () => {
    const { url, sessionId, subscription: held, message } = await choose(2);
    expect({ url, held, message }).toEqual({ url: `https://pay.example/${sessionId}`, held: null, message: null });
    const open = await here.buyer.gql(verify, { sessionId, planId: '2' });
    expect(open.data.verifySubscription).toMatchObject({
      paid: false,
      message: 'We have not received your payment yet.',
      subscription: { planId: '1', status: 'active', currentPeriodEnd: null },
    });
    expect((await here.buyer.gql(session, { sessionId })).data.checkoutSession).toEqual({
      id: sessionId,
      status: 'open',
      metadata: { planId: '2' },
    });
    here.fake.pay(sessionId);
    expect(await planOf()).toBe(1);
    for (const planId of [undefined, '2']) {
      const { data } = await here.buyer.gql(verify, { sessionId, planId });
      expect(data.verifySubscription).toMatchObject({
        paid: true,
        message: 'You are on the Starter plan.',
        subscription: { planId: '2', planName: 'Starter', status: 'active', currentPeriodEnd: expect.any(String) },
      });
    }
    expect(await planOf()).toBe(2);
  });

  it('has one payment page for concurrent calls', async () => {
    here.fake.delayMs = 5;
    const asked = await Promise.all(Array.from({ length: 20 }, () => choose(3)));
    expect(new Set(asked.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(here.fake.writes.filter((name) => name === 'startCheckout')).toHaveLength(1);
    expect(here.fake.writes.filter((name) => name === 'makeCustomer')).toHaveLength(1);
    const open = [...here.fake.checkouts.values()].filter(({ id }) => id === asked[0]?.sessionId);
    expect(open).toHaveLength(1);
  });

  it('has one open payment page: the page for another plan is expired first', async () => {
    const first = await choose(2);
    const second = await choose(4);
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(here.fake.checkouts.get(first.sessionId)?.status).toBe('expired');
    const begun = ['makeCustomer', 'changeAddress', 'startCheckout'];
    expect(here.fake.writes).toEqual([...begun, 'expireCheckout', 'startCheckout']);
    const { data } = await here.buyer.gql(verify, { sessionId: first.sessionId });
    expect(data.verifySubscription).toMatchObject({ paid: false, subscription: { planId: '1' } });
  });

  it('finds the page whose answer was lost', async () => {
    const start = here.fake.startCheckout;
    here.fake.startCheckout = async (checkout, key) => {
      await start(checkout, key);
      here.fake.fault = 'silent';
      return start(checkout, key);
    };
    await expect(choose(2)).rejects.toThrow('VENDOR');
    Object.assign(here.fake, { startCheckout: start, fault: null });
    const mine = [...here.fake.checkouts.values()].at(-1);
    expect((await choose(2)).sessionId).toBe(mine?.id);
  });

  it('starts again with another idempotency key after a refusal', async () => {
    const start = here.fake.startCheckout;
    const keys: string[] = [];
    here.fake.startCheckout = async (checkout, key) => {
      keys.push(key);
      if (keys.length === 1) here.fake.fault = 'refuses';
      return start(checkout, key).finally(() => {
        here.fake.fault = null;
      });
    };
    await expect(choose(2)).rejects.toThrow('VENDOR');
    expect((await choose(2)).url).toMatch(/^https:/);
    expect(new Set(keys).size).toBe(2);
  });

  it('creates a new customer when the old one was deleted', async () => {
    await choose(2);
    here.fake.customers.clear();
    here.fake.checkouts.clear();
    const keys = here.fake.writes.length;
    expect((await choose(2)).url).toMatch(/^https:/);
    const again = ['makeCustomer', 'changeAddress', 'startCheckout'];
    expect(here.fake.writes.slice(keys)).toEqual(['startCheckout', ...again]);
  });

  it('opens another page for the same customer when the first one expired at once', async () => {
    const start = here.fake.startCheckout;
    here.fake.startCheckout = async (checkout, key) => {
      const opened = await start(checkout, key);
      return (await here.fake.expireCheckout(opened.id)) ?? opened;
    };
    await expect(choose(2)).rejects.toThrow('CONFLICT: Your plan has just changed. Please look at it again.');
    here.fake.startCheckout = start;
    await processDuePayments(here.api.billing, here.api.db.pool);
    expect(here.fake.writes).not.toContain('deleteCustomer');
    expect((await choose(2)).url).toMatch(/^https:/);
  });

  it('is refused while a bank still processes the first payment', async () => {
    const { sessionId } = await choose(2);
    const id = here.fake.pay(sessionId);
    here.fake.change(id, { phase: 'pending' });
    for (const planId of [2, 3]) {
      await expect(choose(planId)).rejects.toThrow('CONFLICT: Your payment is still being processed.');
    }
    expect(here.fake.writes.filter((name) => name === 'startCheckout')).toHaveLength(1);
    here.fake.change(id, { phase: 'unpaid' });
    expect((await choose(3)).url).toMatch(/^https:\/\/pay/);
  });

  it('is not paid twice when the page was paid meanwhile', async () => {
    const { sessionId } = await choose(2);
    here.fake.pay(sessionId);
    expect(await choose(2)).toMatchObject({ url: null, subscription: { planId: '2' } });
    expect((await choose(3)).url).toMatch(/^https:\/\/portal/);
    expect(here.fake.portalVisits).toMatchObject([{ change: { planId: 3 } }]);
  });
});

describe('a checkout', () => {
  it('of another user, or with an invented id, is not found and changes nothing', async () => {
    const { sessionId } = await choose(2);
    here.fake.pay(sessionId);
    const { browser: thief, id: thiefId } = await here.api.user(`thief-${here.people}`);
    for (const id of [sessionId, 'cs_test_madeup', sessionId.toUpperCase()]) {
      expect(await codeOf(verify, { sessionId: id }, thief)).toBe('NOT_FOUND');
      expect(await codeOf(session, { sessionId: id }, thief)).toBe('NOT_FOUND');
    }
    expect([await planOf(thiefId), await planOf()]).toEqual([1, 1]);
  });

  it('for another plan than expected is a conflict, and changes nothing', async () => {
    const { sessionId } = await choose(2);
    const written = async () => {
      const tables = ['billing_customers', 'billing_checkouts', 'mails'];
      const read = (table: string) =>
        here.api.db.pool.query(`select * from ${table} where user_id = $1 order by 1`, [here.buyerId]);
      return (await Promise.all(tables.map(read))).map(({ rows }) => rows);
    };
    const before = await written();
    here.fake.pay(sessionId);
    for (const planId of ['1', '3', '4']) expect(await codeOf(verify, { sessionId, planId })).toBe('CONFLICT');
    expect([await planOf(), await written()]).toEqual([1, before]);
    expect(await codeOf(verify, { sessionId, planId: '2' })).toBeUndefined();
    expect(await written()).not.toEqual(before);
  });

  it('that is complete but unpaid gives no plan', async () => {
    const { sessionId } = await choose(2);
    Object.assign(here.fake.checkouts.get(sessionId) ?? {}, { status: 'complete', isPaid: false });
    const { data } = await here.buyer.gql(verify, { sessionId, planId: '2' });
    expect(data.verifySubscription).toMatchObject({ paid: false, message: /still being processed/ });
    expect(await planOf()).toBe(1);
  });

  it('gets an error while the payment service is unavailable', async () => {
    const { sessionId } = await choose(2);
    here.fake.fault = 'silent';
    expect(await codeOf(verify, { sessionId })).toBe('VENDOR');
    expect(await codeOf(subscribe, { planId: '3' })).toBe('VENDOR');
    expect(await planOf()).toBe(1);
  });
});

describe('a paid plan', () => {
  it('is changed on Stripe’s confirmation page', async () => {
    const id = await pay(2);
    expect(await choose(4)).toMatchObject({
      url: expect.stringMatching(/portal/),
      sessionId: null,
      subscription: null,
    });
    expect(here.fake.portalVisits.at(-1)).toMatchObject({
      change: { subscriptionId: id, itemId: `si_${id}`, planId: 4 },
      returnUrl: 'http://localhost:4000/subscription',
    });
    expect(await planOf()).toBe(2);
    here.fake.change(id, { planId: 4 });
    expect(await choose(4)).toMatchObject({ url: null, subscription: { planId: '4' } });
  });

  it('is cancelled at the end of its period, which can be undone until then', async () => {
    const id = await pay(3);
    const given = await choose(1);
    expect(given).toMatchObject({ url: null, subscription: { planId: '3', status: 'canceling' } });
    expect(given.message).toMatch(/^Your Pro plan ends on \w+ \d+, \d{4}\./);
    expect(await choose(1)).toEqual(given);
    expect(here.fake.writes.filter((name) => name === 'setCancels')).toHaveLength(1);
    expect(await choose(3)).toMatchObject({ subscription: { planId: '3', status: 'active' } });
    expect(here.fake.subscriptions.get(id)?.cancels).toBe(false);
  });

  it('that is unpaid opens the payment page, and can be ended at once', async () => {
    const id = await pay(2);
    here.fake.change(id, { phase: 'past_due', unpaidSince: new Date() });
    for (const planId of [2, 3]) expect((await choose(planId)).url).toMatch(/portal/);
    expect(here.fake.portalVisits.map(({ change }) => change)).toEqual([undefined, undefined]);
    expect(await current()).toMatchObject({ planId: '2', status: 'past_due', graceEndsAt: expect.any(String) });
    expect(await choose(1)).toMatchObject({ subscription: { planId: '1', status: 'active', graceEndsAt: null } });
    expect(here.fake.subscriptions.get(id)?.phase).toBe('ended');
  });

  it('that was refunded is ended at Stripe, even after a failure of Stripe or of the process', async () => {
    const id = await pay(2);
    here.fake.change(id, { isRefunded: true });
    const end = here.fake.endSubscription;
    here.fake.endSubscription = () => Promise.reject(new PaymentFault(new Error('away'), false));
    await expect(choose(3)).rejects.toThrow('VENDOR');
    here.fake.endSubscription = end;
    expect([await planOf(), here.fake.subscriptions.get(id)?.phase]).toEqual([1, 'active']);
    const rows = await here.api.db.rows(
      `update billing_customers set next_check_at = next_check_at - interval '5 minutes' where user_id = $1
       returning next_check_at <= now() as due`,
      [here.buyerId],
    );
    expect(rows).toEqual([{ due: true }]);
    await processDuePayments(here.api.billing, here.api.db.pool);
    expect(here.fake.subscriptions.get(id)?.phase).toBe('ended');
  });

  it('has a portal, which users without payments have not', async () => {
    const portal = 'mutation { openBillingPortal }';
    expect(await codeOf(portal, {})).toBe('CONFLICT');
    await pay(2);
    expect((await here.buyer.gql(portal)).data.openBillingPortal).toMatch(/^https:\/\/portal/);
  });

  it('that was given by hand ends at once', async () => {
    await here.api.db.pool.query('update users set plan_id = 3 where id = $1', [here.buyerId]);
    expect(await choose(1)).toMatchObject({ subscription: { planId: '1' }, message: 'You are on the Free plan.' });
  });
});
