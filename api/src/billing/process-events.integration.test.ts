import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { setUpPayer } from '../../test/payments/payer.ts';
import {
  changesUntil,
  makeRandom,
  paymentEvents,
  paymentHistory,
  shuffledWithRepeats,
} from '../../test/payments/payment-history.ts';
import { storeEvent } from './store-event.ts';

const { here, newCustomer, subscribe, tell, processDue, stateOf } = setUpPayer();

const unprocessed = async () =>
  (await here.db.pool.query('select id, attempts, error from billing_events where settled_at is null order by id'))
    .rows;

/** With ORDERS=1000 as many as in memory, in a minute. */
const ORDERS = Number(process.env.ORDERS ?? 30);

describe('a history of payments', () => {
  it('ends in one and the same state in every order with repeats, processed in between', {
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
      await here.db.pool.query('delete from billing_events');
      await here.db.pool.query('update users set plan_id = 1 where id = $1', [here.userId]);
      await here.db.pool.query(
        `update billing_customers set subscription_id = null, status = 'active', current_period_end = null,
                grace_ends_at = null, next_check_at = null where user_id = $1`,
        [here.userId],
      );
      let happened = 0;
      const order = shuffledWithRepeats(paymentEvents, random);
      for (const [at, { id, type, step }] of order.entries()) {
        // Nothing is told before it has happened; how much later, differs.
        happened = at === order.length - 1 ? last : Math.max(happened, step);
        subscribe({ id: 'sub_of_all', ...changesUntil(happened) });
        await tell(type, here.customerId, `${id}_${run}`);
        if (random() < 0.05) await processDue();
      }
      await processDue();
      const end = await stateOf();
      expect(end).toEqual(expected);
      ends.add(JSON.stringify(end));
    }
    expect(ends.size).toBe(1);
    expect(await unprocessed()).toEqual([]);
  });

  it('leaves an event that came before as it was', async () => {
    subscribe();
    expect(await tell('invoice.paid', here.customerId, 'evt_twice')).toBe(true);
    expect(await tell('invoice.paid', here.customerId, 'evt_twice')).toBe(false);
    await processDue();
    expect(await tell('invoice.paid', here.customerId, 'evt_twice')).toBe(false);
    expect(await unprocessed()).toEqual([]);
  });

  it('that read an old state and one that read the new end with the new', async () => {
    const id = subscribe({ planId: 2 });
    const read = here.fake.readSubscriptions;
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    here.fake.readSubscriptions = async (of) => {
      const seen = await read(of);
      reads += 1;
      begun.resolve();
      if (reads === 1) await gate.promise;
      return seen;
    };
    await tell();
    const slow = processDue();
    await begun.promise;
    here.fake.change(id, { planId: 4 });
    await tell();
    const next = processDue();
    // Without the lock it would be done before the one that is slow.
    await Promise.race([next, sleep(60)]);
    gate.resolve();
    await Promise.all([slow, next]);
    expect(await stateOf()).toMatchObject({ plan: 4 });
    expect([reads, await unprocessed()]).toEqual([2, []]);
  });
});

describe('what was stored', () => {
  it('but not processed by who has crashed is processed by the next', async () => {
    subscribe();
    await tell();
    expect(await stateOf()).toMatchObject({ plan: 1 });
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'active' });
  });

  it('waits with growing patience while Stripe is away, and changes nothing', async () => {
    subscribe();
    await tell();
    here.fake.fault = 'silent';
    const before = await stateOf();
    expect(await processDue()).toBeGreaterThan(0);
    expect(await processDue()).toBeLessThanOrEqual(10_000);
    expect(await unprocessed()).toMatchObject([{ attempts: 1, error: 'silent' }]);
    expect(await stateOf()).toEqual(before);
    here.fake.fault = null;
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 1 });
    await here.db.pool.query('update billing_events set next_try_at = now()');
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 3 });
    expect(await unprocessed()).toEqual([]);
  });

  it('of nobody is processed, and not kept', async () => {
    await tell('invoice.paid', 'cus_of_nobody');
    await tell('product.created', null);
    await processDue();
    const { rows } = await here.db.pool.query('select customer_id, object_id, settled_at from billing_events');
    const forgotten = { customer_id: null, object_id: null, settled_at: expect.any(Date) };
    expect(rows).toEqual([forgotten, forgotten]);
  });

  it.each(['refund.created', 'charge.refund.updated', 'charge.dispute.closed'])(
    'of %s finds its customer by the charge',
    async (type) => {
      const id = subscribe();
      await tell();
      await processDue();
      expect(await stateOf()).toMatchObject({ plan: 3 });
      here.fake.customers.clear();
      here.fake.customers.add(here.customerId);
      here.fake.change(id, { isRefunded: true });
      await storeEvent(here.db.pool, { id: `evt_of_${type}`, type, objectId: 'ch_1', customerId: null });
      await processDue();
      expect(await stateOf()).toMatchObject({ plan: 1 });
    },
  );

  it('of one customer does not hold up another', async () => {
    const other = await newCustomer();
    subscribe();
    subscribe({ planId: 2 }, other.customerId);
    const read = here.fake.readSubscriptions;
    here.fake.readSubscriptions = (of) => (of === here.customerId ? Promise.reject(new Error('broken')) : read(of));
    await tell();
    await tell('invoice.paid', other.customerId);
    await processDue();
    here.fake.readSubscriptions = read;
    expect([await stateOf(), await stateOf(other.userId)]).toMatchObject([{ plan: 1 }, { plan: 2 }]);
  });
});
