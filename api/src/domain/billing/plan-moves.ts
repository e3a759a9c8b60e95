import { AppError } from '../../base/errors.ts';
import { planList } from '../plan-list.ts';

/** What moves a plan: the user chose one; Stripe says that one is paid, has ended, was refunded, or stayed unpaid. */
export type PlanEvent = 'chosen' | 'paid' | 'ended' | 'refunded' | 'lapsed';

/**
 * What a move does. By the user: nothing, start a checkout, confirm a change, cancel, or keep what was about to end.
 * By Stripe: nothing, or the plan grows or shrinks.
 */
type PlanMove = 'stays' | 'checkout' | 'change' | 'cancel' | 'keep' | 'rises' | 'falls';

const no = null;

/** From (Free, Starter, Pro, Elite, downwards) to (the same, rightwards). What stands at `no` can't happen. */
const moves: Readonly<Record<PlanEvent, readonly (readonly (PlanMove | null)[])[]>> = {
  chosen: [
    ['stays', 'checkout', 'checkout', 'checkout'],
    ['cancel', 'keep', 'change', 'change'],
    ['cancel', 'change', 'keep', 'change'],
    ['cancel', 'change', 'change', 'keep'],
  ],
  paid: [
    [no, 'rises', 'rises', 'rises'],
    [no, 'stays', 'rises', 'rises'],
    [no, 'falls', 'stays', 'rises'],
    [no, 'falls', 'falls', 'stays'],
  ],
  ended: [
    ['stays', no, no, no],
    ['falls', no, no, no],
    ['falls', no, no, no],
    ['falls', no, no, no],
  ],
  refunded: [
    ['stays', no, no, no],
    ['falls', no, no, no],
    ['falls', no, no, no],
    ['falls', no, no, no],
  ],
  lapsed: [
    ['stays', no, no, no],
    ['falls', no, no, no],
    ['falls', no, no, no],
    ['falls', no, no, no],
  ],
};

const placeOf = (planId: number): number => planList.findIndex(({ id }) => id === planId);

/**
 * What an event does to who is on one plan and comes to another.
 * @throws AppError CONFLICT for a move that is not in the table
 */
export function planMove(from: number, to: number, event: PlanEvent): PlanMove {
  const move = moves[event][placeOf(from)]?.[placeOf(to)];
  if (!move) throw new AppError('CONFLICT', 'This change of plan is not possible.');
  return move;
}
