import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inDays } from '../../test/payments/fake-payments.ts';
import { setUpPayer } from '../../test/payments/payer.ts';
import type { PaidSubscription } from '../domain/billing/derive-plan.ts';
import { PaymentFault } from '../vendors/payments/payments.ts';

const DAY_MS = 86_400_000;

const { here, subscribe, sendEvent, processDue, stateOf, mails } = setUpPayer();

describe('a plan ends', () => {
  beforeEach(async () => {
    subscribe();
    await sendEvent();
    await processDue();
    await here.db.pool.query('delete from mails');
    here.fake.writes = [];
  });
  const id = () => `sub_${here.customerId}`;

  it('at the end of its period, when it was cancelled', async () => {
    here.fake.change(id(), { cancels: true });
    await sendEvent();
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'canceling' });
    here.fake.change(id(), { phase: 'ended' });
    await sendEvent('customer.subscription.deleted');
    await processDue();
    expect(await stateOf()).toEqual({ plan: 1, status: 'active', subscription: null, periodEnd: null, graceEnd: null });
    expect((await mails()).map(({ kind }) => kind)).toEqual(['plan_ending', 'plan_changed']);
  });

  it('at once when the last payment was refunded, here and at Stripe', async () => {
    here.fake.change(id(), { isRefunded: true });
    await sendEvent('charge.refunded');
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 1, subscription: null });
    expect(here.fake.subscriptions.get(id())?.phase).toBe('ended');
    expect(await mails()).toMatchObject([{ kind: 'plan_changed', data: { event: 'refunded', fromPlanId: 3 } }]);
  });

  it('after seven unpaid days, with a mail at once and another before the end', async () => {
    here.fake.change(id(), { phase: 'past_due', unpaidSince: inDays(-1) });
    await sendEvent('invoice.payment_failed');
    await processDue();
    await sendEvent('customer.subscription.updated');
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'past_due' });
    expect(await mails()).toMatchObject([{ kind: 'payment_failed', data: { planId: 3 } }]);
    const pass = (days: number) => {
      here.fake.change(id(), { unpaidSince: inDays(-days) });
      return here.db.pool.query(
        `update billing_customers set grace_ends_at = $2, grace_notified_for = $2, next_check_at = now() where user_id = $1`,
        [here.userId, here.fake.subscriptions.get(id())?.unpaidSince && inDays(7 - days)],
      );
    };
    await pass(5.5);
    await processDue();
    await processDue();
    expect((await mails()).map(({ kind }) => kind).filter((kind) => kind === 'grace_ending')).toHaveLength(1);
    expect(await stateOf()).toMatchObject({ plan: 3 });
    await pass(7);
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 1, subscription: null, graceEnd: null });
    expect(here.fake.subscriptions.get(id())?.phase).toBe('ended');
    expect((await mails()).at(-1)).toMatchObject({ kind: 'plan_changed', data: { event: 'lapsed' } });
  });

  it('when its customer is deleted', async () => {
    here.fake.customers.delete(here.customerId);
    here.fake.subscriptions.clear();
    await sendEvent('customer.deleted');
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 1, subscription: null });
    const rows = await here.db.rows('select customer_id from billing_customers where user_id = $1', [here.userId]);
    expect(rows).toEqual([{ customer_id: null }]);
  });

  it('without an event, since subscriptions are checked after their period', async () => {
    await here.db.pool.query(
      "update billing_customers set next_check_at = now() - interval '1 minute' where user_id = $1",
      [here.userId],
    );
    here.fake.change(id(), { phase: 'ended' });
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 1 });
  });
});

describe('an unpaid plan', () => {
  const id = () => `sub_${here.customerId}`;
  const says = async (patch: Partial<PaidSubscription>) => {
    here.fake.change(id(), patch);
    await sendEvent();
    await processDue();
  };
  const kinds = async () => (await mails()).map(({ kind }) => kind);
  beforeEach(async () => {
    subscribe();
    await sendEvent();
    await processDue();
    await here.db.pool.query('delete from mails');
  });

  it('continues when it is paid within its grace, and gets a new grace and mail when it is unpaid again', async () => {
    await says({ phase: 'past_due', unpaidSince: inDays(-6) });
    expect(await kinds()).toEqual(['payment_failed', 'grace_ending']);
    await says({ phase: 'active', unpaidSince: null });
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'active', graceEnd: null });
    await here.db.pool.query('delete from mails');
    const since = inDays(-1);
    await says({ phase: 'past_due', unpaidSince: since });
    const graceEnd = new Date(since.getTime() + 7 * DAY_MS);
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'past_due', graceEnd });
    expect(await mails()).toMatchObject([{ kind: 'payment_failed', data: { graceEndsAt: graceEnd.toISOString() } }]);
    await says({ phase: 'active', unpaidSince: null });
    await processDue();
    expect(await kinds()).toEqual(['payment_failed']);
  });

  it('ends with its grace when it is cancelled meanwhile', async () => {
    await says({ phase: 'past_due', unpaidSince: inDays(-2) });
    await says({ cancels: true });
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'past_due' });
    await says({ unpaidSince: inDays(-7) });
    expect([await stateOf(), here.fake.subscriptions.get(id())?.phase]).toMatchObject([{ plan: 1 }, 'ended']);
    expect(await kinds()).toEqual(['payment_failed', 'plan_changed']);
  });

  it('ends at once when it is ended at Stripe', async () => {
    await says({ phase: 'past_due', unpaidSince: inDays(-2) });
    await says({ phase: 'ended' });
    expect(await stateOf()).toMatchObject({ plan: 1, status: 'active', graceEnd: null });
    expect((await mails()).at(-1)).toMatchObject({ kind: 'plan_changed', data: { event: 'ended' } });
  });

  it('ends by the clock of the database, not of the process', async () => {
    const early = { phase: 'past_due', unpaidSince: new Date(Date.now() - 7 * DAY_MS + 60_000) } as const;
    vi.useFakeTimers({ toFake: ['Date'], now: inDays(30) });
    await says(early).finally(() => vi.useRealTimers());
    expect(await stateOf()).toMatchObject({ plan: 3, status: 'past_due' });
  });
});

describe('a second plan', () => {
  it('is not renewed: the smaller one ends with its paid period', async () => {
    subscribe({ planId: 2 });
    await sendEvent();
    await processDue();
    const second = subscribe({ id: `sub_more_${here.customerId}`, planId: 4 });
    await sendEvent();
    await processDue();
    expect(await stateOf()).toMatchObject({ plan: 4, status: 'active', subscription: second });
    const all = [...here.fake.subscriptions.values()].map(({ planId, phase, cancels }) => [planId, phase, cancels]);
    expect(all).toEqual([
      [2, 'active', true],
      [4, 'active', false],
    ]);
    here.fake.writes = [];
    await sendEvent();
    await processDue();
    expect(here.fake.writes).toEqual([]);
  });

  it('whose renewal can’t be cancelled is tried again, and delays nothing else', async () => {
    const first = subscribe({ planId: 2 });
    await sendEvent();
    await processDue();
    subscribe({ id: `sub_more_${here.customerId}`, planId: 4 });
    const { setCancels } = here.fake;
    here.fake.setCancels = () => Promise.reject(new PaymentFault(new Error('managed by a schedule'), true));
    await sendEvent();
    await processDue();
    here.fake.setCancels = setCancels;
    expect(await stateOf()).toMatchObject({ plan: 4 });
    expect(here.fake.subscriptions.get(first)?.cancels).toBe(false);
    await here.db.pool.query("update billing_customers set next_check_at = next_check_at - interval '5 minutes'");
    await processDue();
    expect(here.fake.subscriptions.get(first)?.cancels).toBe(true);
  });
});
