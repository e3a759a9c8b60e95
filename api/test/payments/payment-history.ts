import type { PaidSubscription } from '../../src/domain/billing/derive-plan.ts';
import { inDays } from './fake-payments.ts';

/** A year of a subscription: each step changes it, and Stripe sends several events about the change. */
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

/** The events of all steps. */
export const paymentEvents = paymentHistory.flatMap(({ types }, step) =>
  types.map((type, at) => ({ id: `evt_h${step}_${at}`, type, step })),
);
/** All changes up to a step. */
export function changesUntil(step: number): Partial<PaidSubscription> {
  return Object.assign({}, ...paymentHistory.slice(0, step + 1).map(({ change }) => change));
}

/** The list in random order, with about every third item repeated once or twice. */
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
