import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { type FakePayments, inDays, makeFakePayments } from '../../../test/payments/fake-payments.ts';
import { changesUntil, paymentEvents, paymentHistory } from '../../../test/payments/payment-history.ts';
import { makeRandom, shuffledWithRepeats } from '../../../test/payments/random-orders.ts';
import { silentLog } from '../../base/log.ts';
import type { PaidSubscription } from '../../domain/billing/derive-plan.ts';
import { type Billing, makeBilling } from '../make-billing.ts';
import { seedPlans } from '../seed-plans.ts';
import { settleDuePayments } from './settle-due-payments.ts';
import { storeEvent } from './store-event.ts';

let db: TestDatabase;
let fake: FakePayments;
let billing: Billing;
let userId = 0;
let customerId = '';
let counter = 0;
beforeAll(async () => {
  db = await makeTestDatabase();
  await seedPlans(db.pool);
  fake = makeFakePayments();
  const settings = { stripe: null, publicUrl: 'http://localhost:4000', confirmEmail: false };
  billing = makeBilling({ settings, databaseUrl: db.url, log: silentLog, payments: fake });
});
afterAll(async () => {
  await billing.close();
  await db.close();
});
beforeEach(async () => {
  fake.fault = null;
  fake.subscriptions.clear();
  await db.pool.query('delete from mails');
  await db.pool.query('delete from billing_events');
  ({ userId, customerId } = await newCustomer());
});

async function newCustomer() {
  counter += 1;
  const { rows } = await db.pool.query<{ id: number }>(
    `insert into users (username, email, password_hash) values ($1, $1 || '@example.test', 'x') returning id`,
    [`payer-${counter}`],
  );
  const id = rows[0]?.id ?? 0;
  await db.pool.query('insert into billing_customers (user_id, customer_id) values ($1, $2)', [
    id,
    `cus_of_${counter}`,
  ]);
  return { userId: id, customerId: `cus_of_${counter}` };
}

function subscribe(over: Partial<PaidSubscription> = {}, of = customerId): string {
  const id = over.id ?? `sub_${of}`;
  const paid = { itemId: 'si', planId: 3, phase: 'active', cancels: false, periodEnd: inDays(30) } as const;
  fake.subscriptions.set(id, { ...paid, unpaidSince: null, isRefunded: false, ...over, id, customerId: of });
  return id;
}

let events = 0;
const tell = (type = 'customer.subscription.updated', of: string | null = customerId, id = `evt_${++events}`) =>
  storeEvent(db.pool, { id, type, objectId: 'x', customerId: of });
const settle = () => settleDuePayments(billing.parts, db.pool);
const stateOf = async (id = userId) => {
  const { rows } = await db.pool.query(
    `select u.plan_id as plan, c.status, c.subscription_id as subscription, c.current_period_end as "periodEnd",
            c.grace_ends_at as "graceEnd" from users u join billing_customers c on c.user_id = u.id where u.id = $1`,
    [id],
  );
  return rows[0];
};
const mails = async () =>
  (await db.pool.query('select kind, data from mails where user_id = $1 order by created_at, kind', [userId])).rows;
const unsettled = async () =>
  (await db.pool.query('select id, attempts, error from billing_events where settled_at is null order by id')).rows;

/** With ORDERS=1000 as many as in memory, in a minute. */
const ORDERS = Number(process.env.ORDERS ?? 30);

describe('a history of payments', () => {
  it('ends in one and the same state in every order with repeats, settled now and then', {
    timeout: 120_000,
  }, async () => {
    const random = makeRandom(20_261_122);
    const expected = {
      plan: 3,
      status: 'canceling',
      subscription: 'sub_of_all',
      periodEnd: expect.any(Date),
      graceEnd: null,
    };
    const ends = new Set<string>();
    const last = paymentHistory.length - 1;
    for (let run = 0; run < ORDERS; run += 1) {
      await db.pool.query('delete from billing_events');
      await db.pool.query('update users set plan_id = 1 where id = $1', [userId]);
      await db.pool.query(
        `update billing_customers set subscription_id = null, status = 'active', current_period_end = null,
                grace_ends_at = null, next_look_at = null where user_id = $1`,
        [userId],
      );
      let happened = 0;
      const order = shuffledWithRepeats(paymentEvents, random);
      for (const [at, { id, type, step }] of order.entries()) {
        // Nothing is told before it has happened; how much later, differs.
        happened = at === order.length - 1 ? last : Math.max(happened, step);
        subscribe({ id: 'sub_of_all', ...changesUntil(happened) });
        await tell(type, customerId, `${id}_${run}`);
        if (random() < 0.05) await settle();
      }
      await settle();
      const end = await stateOf();
      expect(end).toEqual(expected);
      ends.add(JSON.stringify(end));
    }
    expect(ends.size).toBe(1);
    expect(await unsettled()).toEqual([]);
  });

  it('leaves an event that came before as it was', async () => {
    subscribe();
    expect(await tell('invoice.paid', customerId, 'evt_twice')).toBe(true);
    expect(await tell('invoice.paid', customerId, 'evt_twice')).toBe(false);
    await settle();
    expect(await tell('invoice.paid', customerId, 'evt_twice')).toBe(false);
    expect(await unsettled()).toEqual([]);
  });

  it('that read an old state and one that read the new end with the new', async () => {
    const id = subscribe({ planId: 2 });
    const read = fake.readSubscriptions;
    let reads = 0;
    fake.readSubscriptions = async (of) => {
      const seen = await read(of);
      reads += 1;
      if (reads === 1) await new Promise((go) => setTimeout(go, 60));
      return seen;
    };
    await tell();
    const slow = settle();
    await new Promise((go) => setTimeout(go, 20));
    fake.change(id, { planId: 4 });
    await tell();
    await Promise.all([slow, settle()]);
    fake.readSubscriptions = read;
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 4 });
    expect(await unsettled()).toEqual([]);
  });
});

describe('what was stored', () => {
  it('but not settled by who has crashed is settled by the next', async () => {
    subscribe();
    await tell();
    expect(await stateOf()).toMatchObject({ plan: 1 });
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'active' });
  });

  it('waits with growing patience while Stripe is away, and changes nothing', async () => {
    subscribe();
    await tell();
    fake.fault = 'silent';
    const before = await stateOf();
    expect(await settle()).toBeGreaterThan(0);
    expect(await settle()).toBeLessThanOrEqual(10_000);
    expect(await unsettled()).toMatchObject([{ attempts: 1, error: 'silent' }]);
    expect(await stateOf()).toEqual(before);
    fake.fault = null;
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 1 });
    await db.pool.query('update billing_events set next_try_at = now()');
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 3 });
    expect(await unsettled()).toEqual([]);
  });

  it('of nobody is settled, and not kept', async () => {
    await tell('invoice.paid', 'cus_of_nobody');
    await tell('product.created', null);
    await settle();
    const { rows } = await db.pool.query('select customer_id, object_id, settled_at from billing_events');
    for (const row of rows) expect(row).toEqual({ customer_id: null, object_id: null, settled_at: expect.any(Date) });
  });

  it('of a refund finds its customer by the charge', async () => {
    const id = subscribe();
    await settle();
    fake.customers.clear();
    fake.customers.add(customerId);
    fake.change(id, { isRefunded: true });
    await storeEvent(db.pool, { id: 'evt_refund', type: 'refund.created', objectId: 'ch_1', customerId: null });
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 1 });
  });

  it('of one customer does not hold up another', async () => {
    const other = await newCustomer();
    subscribe();
    subscribe({ planId: 2 }, other.customerId);
    const read = fake.readSubscriptions;
    fake.readSubscriptions = (of) => (of === customerId ? Promise.reject(new Error('broken')) : read(of));
    await tell();
    await tell('invoice.paid', other.customerId);
    await settle();
    fake.readSubscriptions = read;
    expect([await stateOf(), await stateOf(other.userId)]).toMatchObject([{ plan: 1 }, { plan: 2 }]);
  });
});

describe('a plan ends', () => {
  beforeEach(async () => {
    subscribe();
    await tell();
    await settle();
    await db.pool.query('delete from mails');
    fake.writes = [];
  });
  const id = () => `sub_${customerId}`;

  it('with its period, when it was cancelled', async () => {
    fake.change(id(), { cancels: true });
    await tell();
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'canceling' });
    fake.change(id(), { phase: 'ended' });
    await tell('customer.subscription.deleted');
    await settle();
    expect(await stateOf()).toEqual({ plan: 1, status: 'active', subscription: null, periodEnd: null, graceEnd: null });
    expect((await mails()).map(({ kind }) => kind)).toEqual(['plan_ending', 'plan_changed']);
  });

  it('at once when the last payment was given back, here and at Stripe', async () => {
    fake.change(id(), { isRefunded: true });
    await tell('charge.refunded');
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 1, subscription: null });
    expect(fake.subscriptions.get(id())?.phase).toBe('ended');
    expect(await mails()).toMatchObject([{ kind: 'plan_changed', data: { event: 'refunded', fromPlanId: 3 } }]);
  });

  it('after seven days unpaid, with a mail at once and one before the end', async () => {
    fake.change(id(), { phase: 'past_due', unpaidSince: inDays(-1) });
    await tell('invoice.payment_failed');
    await settle();
    await tell('customer.subscription.updated');
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'past_due' });
    expect(await mails()).toMatchObject([{ kind: 'payment_failed', data: { planId: 3 } }]);
    const pass = (days: number) => {
      fake.change(id(), { unpaidSince: inDays(-days) });
      return db.pool.query(
        `update billing_customers set grace_ends_at = $2, told_grace = $2, next_look_at = now() where user_id = $1`,
        [userId, fake.subscriptions.get(id())?.unpaidSince && inDays(7 - days)],
      );
    };
    await pass(5.5);
    await settle();
    await settle();
    expect((await mails()).map(({ kind }) => kind).filter((kind) => kind === 'grace_ending')).toHaveLength(1);
    expect(await stateOf()).toMatchObject({ plan: 3 });
    await pass(7);
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 1, subscription: null, graceEnd: null });
    expect(fake.subscriptions.get(id())?.phase).toBe('ended');
    expect((await mails()).at(-1)).toMatchObject({ kind: 'plan_changed', data: { event: 'lapsed' } });
  });

  it('with its customer', async () => {
    fake.customers.delete(customerId);
    fake.subscriptions.clear();
    await tell('customer.deleted');
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 1, subscription: null });
    const { rows } = await db.pool.query('select customer_id from billing_customers where user_id = $1', [userId]);
    expect(rows).toEqual([{ customer_id: null }]);
  });

  it('though no event said so: a period that is over is looked at', async () => {
    await db.pool.query("update billing_customers set next_look_at = now() - interval '1 minute' where user_id = $1", [
      userId,
    ]);
    fake.change(id(), { phase: 'ended' });
    await settle();
    expect(await stateOf()).toMatchObject({ plan: 1 });
  });
});
