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
