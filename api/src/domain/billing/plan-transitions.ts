import { AppError } from '../../base/errors.ts';
import { planList } from '../plan-list.ts';

/** What can change a plan: a user's choice, or Stripe's report that one is paid, has ended, was refunded or lapsed. */
export type PlanEvent = 'chosen' | 'paid' | 'ended' | 'refunded' | 'lapsed';

/**
 * What happens. For a user's choice: nothing, a checkout, a change of the subscription, its cancellation, or the end of
 * its cancellation (`keep`). For Stripe's events: nothing, an upgrade or a downgrade.
 */
type PlanTransition = 'none' | 'checkout' | 'change' | 'cancel' | 'keep' | 'upgrade' | 'downgrade';

const no = null;

/** Rows are the plan before, columns the plan after: Free, Starter, Pro, Elite. `no` is impossible. */
const transitions: Readonly<Record<PlanEvent, readonly (readonly (PlanTransition | null)[])[]>> = {
  chosen: [
    ['none', 'checkout', 'checkout', 'checkout'],
    ['cancel', 'keep', 'change', 'change'],
    ['cancel', 'change', 'keep', 'change'],
    ['cancel', 'change', 'change', 'keep'],
  ],
  paid: [
    [no, 'upgrade', 'upgrade', 'upgrade'],
    [no, 'none', 'upgrade', 'upgrade'],
    [no, 'downgrade', 'none', 'upgrade'],
    [no, 'downgrade', 'downgrade', 'none'],
  ],
  ended: [
    ['none', no, no, no],
    ['downgrade', no, no, no],
    ['downgrade', no, no, no],
    ['downgrade', no, no, no],
  ],
  refunded: [
    ['none', no, no, no],
    ['downgrade', no, no, no],
    ['downgrade', no, no, no],
    ['downgrade', no, no, no],
  ],
  lapsed: [
    ['none', no, no, no],
    ['downgrade', no, no, no],
    ['downgrade', no, no, no],
    ['downgrade', no, no, no],
  ],
};

const indexOf = (planId: number): number => planList.findIndex(({ id }) => id === planId);

/**
 * What happens when an event changes the plan from one to another.
 * @throws AppError CONFLICT for an impossible change
 */
export function planTransition(from: number, to: number, event: PlanEvent): PlanTransition {
  const transition = transitions[event][indexOf(from)]?.[indexOf(to)];
  if (!transition) throw new AppError('CONFLICT', 'This change of plan is not possible.');
  return transition;
}
