import type { PaidSubscription } from '../../src/domain/billing/derive-plan.ts';
import { inDays } from './fake-payments.ts';

/** A year with everything that happens to people: each step changes what holds, and tells of it in several events. */
export const paymentHistory: { types: string[]; change: Partial<PaidSubscription> }[] = [
  { types: ['checkout.session.completed', 'customer.subscription.created', 'invoice.paid'], change: { planId: 2 } },
  { types: ['customer.subscription.updated', 'invoice.paid'], change: { planId: 4 } },
  { types: ['customer.subscription.updated'], change: { cancels: true } },
  { types: ['customer.subscription.updated'], change: { cancels: false } },
  {
    types: ['invoice.payment_failed', 'customer.subscription.updated'],
    change: { phase: 'past_due', unpaidSince: inDays(-1) },
  },
  {
    types: ['invoice.paid', 'customer.subscription.updated'],
    change: { phase: 'active', unpaidSince: null, periodEnd: inDays(31) },
  },
  { types: ['customer.subscription.updated', 'invoice.paid'], change: { planId: 3 } },
  { types: ['customer.subscription.updated'], change: { cancels: true } },
];

/** What is told of it. */
export const paymentEvents = paymentHistory.flatMap(({ types }, step) =>
  types.map((type, at) => ({ id: `evt_h${step}_${at}`, type, step })),
);
/** What holds after a step. */
export function changesUntil(step: number): Partial<PaidSubscription> {
  return Object.assign({}, ...paymentHistory.slice(0, step + 1).map(({ change }) => change));
}

/** Random numbers from a seed: the same run can be had again. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same in another order, with every third or so a second and third time. */
export function shuffledWithRepeats<T>(all: readonly T[], random: () => number): T[] {
  const repeated = all.flatMap((one) =>
    Array.from({ length: random() < 0.35 ? 1 + Math.ceil(random() * 2) : 1 }, () => one),
  );
  for (let at = repeated.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [repeated[at], repeated[other]] = [repeated[other] as T, repeated[at] as T];
  }
  return repeated;
}
