import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../../lab/random.ts';
import {
  changesUntil,
  paymentEvents,
  paymentHistory,
  shuffledWithRepeats,
} from '../../../test/payments/payment-history.ts';
import { derivePlan, type PaidSubscription } from './derive-plan.ts';

const now = new Date('2026-03-10T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);

function subscription(over: Partial<PaidSubscription> = {}): PaidSubscription {
  return {
    id: 'sub_1',
    itemId: 'si_1',
    planId: 2,
    phase: 'active',
    cancels: false,
    periodEnd: inDays(20),
    unpaidSince: null,
    isRefunded: false,
    ...over,
  };
}
const unpaid = (days: number, over: Partial<PaidSubscription> = {}) =>
  subscription({ phase: 'past_due', unpaidSince: inDays(-days), ...over });

const nothing = { subscription: null, currentPeriodEnd: null, graceEndsAt: null, toCancel: [] };
const free = { planId: 1, status: 'active', ...nothing };

describe('a plan', () => {
  it.each([2, 3, 4])('%i is in force while it is paid, until the period ends', (planId) => {
    const paid = subscription({ planId });
    expect(derivePlan([paid], now)).toEqual({
      planId,
      status: 'active',
      subscription: paid,
      currentPeriodEnd: inDays(20),
      graceEndsAt: null,
      event: 'paid',
      toEnd: [],
      toCancel: [],
    });
  });

  it('stays in force to the end of the period after a cancellation', () => {
    expect(derivePlan([subscription({ cancels: true })], now)).toMatchObject({ planId: 2, status: 'canceling' });
    expect(derivePlan([subscription({ phase: 'ended', cancels: true })], now)).toEqual({
      ...free,
      event: 'ended',
      toEnd: [],
    });
  });

  it('is kept for exactly seven days unpaid', () => {
    const kept = { planId: 2, status: 'past_due', graceEndsAt: inDays(1), event: 'paid', toEnd: [] };
    expect(derivePlan([unpaid(6)], now)).toMatchObject(kept);
    expect(derivePlan([unpaid(6, { cancels: true })], now)).toMatchObject(kept);
    expect(derivePlan([unpaid(7)], new Date(now.getTime() - 1))).toMatchObject({ planId: 2 });
    expect(derivePlan([unpaid(7)], now)).toEqual({ ...free, event: 'lapsed', toEnd: ['sub_1'] });
  });

  it('ends at once when the last payment was refunded, past due or not', () => {
    for (const one of [subscription({ isRefunded: true }), unpaid(1, { isRefunded: true })]) {
      expect(derivePlan([one], now)).toEqual({ ...free, event: 'refunded', toEnd: ['sub_1'] });
    }
    const over = subscription({ isRefunded: true, phase: 'ended' });
    expect(derivePlan([over], now)).toMatchObject({ planId: 1, event: 'ended', toEnd: [] });
  });

  it('is the largest of several that are in force', () => {
    const many = [
      subscription({ id: 'a', planId: 4, phase: 'ended' }),
      subscription({ id: 'b', planId: 4, isRefunded: true }),
      subscription({ id: 'c', planId: 4, phase: 'past_due', unpaidSince: inDays(-9) }),
      subscription({ id: 'd', planId: 2 }),
      subscription({ id: 'e', planId: 3, periodEnd: inDays(5) }),
      subscription({ id: 'f', planId: 3, periodEnd: inDays(9) }),
      subscription({ id: 'g', planId: 4, phase: 'pending' }),
      subscription({ id: 'h', planId: null }),
      subscription({ id: 'i', planId: 4, phase: 'unpaid' }),
    ];
    expect(derivePlan(many, now)).toMatchObject({ planId: 3, currentPeriodEnd: inDays(9), toEnd: ['b', 'c'] });
    expect(derivePlan(many.toReversed(), now)).toEqual(derivePlan(many, now));
  });

  it.each<[string, Partial<PaidSubscription>[], string[]]>([
    [
      'of two that renew the smaller is cancelled',
      [
        { id: 'a', planId: 2 },
        { id: 'b', planId: 3 },
      ],
      ['a'],
    ],
    [
      'of two equal ones that renew the one that ends sooner is cancelled',
      [{ id: 'a', periodEnd: inDays(3) }, { id: 'b' }],
      ['a'],
    ],
    [
      'none is cancelled when only one of two renews',
      [
        { id: 'a', planId: 2 },
        { id: 'b', planId: 4, cancels: true },
      ],
      [],
    ],
    [
      'of three the smaller of two that renew is cancelled',
      [{ id: 'a' }, { id: 'b', planId: 4, cancels: true }, { id: 'c', planId: 3 }],
      ['a'],
    ],
    [
      'none is cancelled when the other is past due',
      [{ id: 'a' }, { id: 'b', planId: 4, phase: 'past_due', unpaidSince: inDays(-1) }],
      [],
    ],
    ['none is cancelled when the other is refunded', [{ id: 'a' }, { id: 'b', planId: 4, isRefunded: true }], []],
    ['none is cancelled when the other belongs to no plan', [{ id: 'a' }, { id: 'b', planId: null }], []],
  ])('is paid for only once: %s', (_what, several, toCancel) => {
    const all = several.map(subscription);
    expect(derivePlan(all, now)?.toCancel).toEqual(toCancel);
    expect(derivePlan(all.toReversed(), now)?.toCancel).toEqual(toCancel);
  });

  it('is not derived from subscriptions that were never paid or belong to no plan', () => {
    expect(derivePlan([], now)).toBeNull();
    const never = [
      subscription({ phase: 'pending' }),
      subscription({ phase: 'unpaid' }),
      subscription({ planId: null }),
    ];
    expect(derivePlan(never, now)).toBeNull();
  });
});

it('is the same after the events of a payment history in 1,000 orders with repeats', () => {
  const random = makeRandom(8);
  const last = paymentHistory.length - 1;
  const ends = new Set<string>();
  const between = new Set<string>();
  const before = subscription({ id: 'sub_0', planId: 4, phase: 'ended' });
  for (let run = 0; run < 1_000; run += 1) {
    const order = shuffledWithRepeats(paymentEvents, random);
    let happened = 0;
    let state: unknown = null;
    for (const [at, { step }] of order.entries()) {
      happened = at === order.length - 1 ? last : Math.max(happened, step);
      const reported = [subscription(changesUntil(happened)), before];
      state = derivePlan(random() < 0.5 ? reported : reported.toReversed(), new Date());
      between.add(JSON.stringify(state));
    }
    ends.add(JSON.stringify(state));
  }
  expect([...ends].map((end) => JSON.parse(end))).toMatchObject([{ planId: 3, status: 'canceling', toEnd: [] }]);
  // One step restores an earlier state: a cancellation that is undone.
  expect(between.size).toBe(paymentHistory.length - 1);
});
