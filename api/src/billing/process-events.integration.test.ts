import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../lab/random.ts';
import { setUpPayer } from '../../test/payments/payer.ts';
import {
  changesUntil,
  paymentEvents,
  paymentHistory,
  shuffledWithRepeats,
} from '../../test/payments/payment-history.ts';
import { storeEvent } from './store-event.ts';

const { here, newCustomer, subscribe, sendEvent, processDue, stateOf } = setUpPayer();

const unprocessed = () =>
  here.db.rows('select id, attempts, error from billing_events where settled_at is null order by id');

/** ORDERS=1000 takes a minute. */
const ORDERS = Number(process.env.ORDERS ?? 30);

describe('a history of payments', () => {
  it('ends in the same state for every order of events, with repeats and partial processing', {
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
        // An event arrives after what it reports, by a random delay.
        happened = at === order.length - 1 ? last : Math.max(happened, step);
        subscribe({ id: 'sub_of_all', ...changesUntil(happened) });
        await sendEvent(type, here.customerId, `${id}_${run}`);
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

  it('ignores an event that was stored before', async () => {
    subscribe();
    expect(await sendEvent('invoice.paid', here.customerId, 'evt_twice')).toBe(true);
    expect(await sendEvent('invoice.paid', here.customerId, 'evt_twice')).toBe(false);
    await processDue();
    expect(await sendEvent('invoice.paid', here.customerId, 'evt_twice')).toBe(false);
    expect(await unprocessed()).toEqual([]);
  });

  it('ends in the new state when a reader of the old state is slower than one of the new state', async () => {
    const id = subscribe({ planId: 2 });
    const read = here.fake.readSubscriptions;
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    here.fake.readSubscriptions = async (of) => {
      const seen = await read(of);
      reads += 1;
      begun.resolve();
      if (reads === 1) await held.promise;
      return seen;
    };
    await sendEvent();
    const slow = processDue();
    await begun.promise;
    here.fake.change(id, { planId: 4 });
    await sendEvent();
    const next = processDue();
    // Without the lock it would finish before the slow one.
    await Promise.race([next, sleep(60)]);
    held.resolve();
    await Promise.all([slow, next]);
    expect(await stateOf()).toMatchObject({ plan: 4 });
    expect([reads, await unprocessed()]).toEqual([2, []]);
  });
});

describe('an event', () => {
  it('that a crashed process stored is processed by the next one', async () => {
    subscribe();
    await sendEvent();
    expect(await stateOf()).toMatchObject({ plan: 1 });
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'active' });
  });

  it('is retried with a growing backoff while Stripe is unavailable, and changes nothing', async () => {
    subscribe();
    await sendEvent();
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

  it('of an unknown customer is marked as processed, and its data are not kept', async () => {
    await sendEvent('invoice.paid', 'cus_of_nobody');
    await sendEvent('product.created', null);
    await processDue();
    const rows = await here.db.rows('select customer_id, object_id, settled_at from billing_events');
    const cleared = { customer_id: null, object_id: null, settled_at: expect.any(Date) };
    expect(rows).toEqual([cleared, cleared]);
  });

  it.each(['refund.created', 'charge.refund.updated', 'charge.dispute.closed'])(
    'of %s finds its customer by the charge',
    async (type) => {
      const id = subscribe();
      await sendEvent();
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

  it('of one customer does not delay those of another', async () => {
    const other = await newCustomer();
    subscribe();
    subscribe({ planId: 2 }, other.customerId);
    const read = here.fake.readSubscriptions;
    here.fake.readSubscriptions = (of) => (of === here.customerId ? Promise.reject(new Error('broken')) : read(of));
    await sendEvent();
    await sendEvent('invoice.paid', other.customerId);
    await processDue();
    here.fake.readSubscriptions = read;
    expect([await stateOf(), await stateOf(other.userId)]).toMatchObject([{ plan: 1 }, { plan: 2 }]);
  });
});
