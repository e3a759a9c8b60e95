import { describe, expect, it } from 'vitest';
import { planList } from '../plan-list.ts';
import { type PlanEvent, planMove } from './plan-moves.ts';

/** What must come of every move that can be, from plan to plan by event; all others are refused. */
const listed: Readonly<Record<string, string>> = {
  '1 chosen 1': 'stays',
  '1 chosen 2': 'checkout',
  '1 chosen 3': 'checkout',
  '1 chosen 4': 'checkout',
  '2 chosen 1': 'cancel',
  '2 chosen 2': 'keep',
  '2 chosen 3': 'change',
  '2 chosen 4': 'change',
  '3 chosen 1': 'cancel',
  '3 chosen 2': 'change',
  '3 chosen 3': 'keep',
  '3 chosen 4': 'change',
  '4 chosen 1': 'cancel',
  '4 chosen 2': 'change',
  '4 chosen 3': 'change',
  '4 chosen 4': 'keep',
  '1 paid 2': 'rises',
  '1 paid 3': 'rises',
  '1 paid 4': 'rises',
  '2 paid 2': 'stays',
  '2 paid 3': 'rises',
  '2 paid 4': 'rises',
  '3 paid 2': 'falls',
  '3 paid 3': 'stays',
  '3 paid 4': 'rises',
  '4 paid 2': 'falls',
  '4 paid 3': 'falls',
  '4 paid 4': 'stays',
  ...Object.fromEntries(
    ['ended', 'refunded', 'lapsed'].flatMap((event) => [
      [`1 ${event} 1`, 'stays'],
      [`2 ${event} 1`, 'falls'],
      [`3 ${event} 1`, 'falls'],
      [`4 ${event} 1`, 'falls'],
    ]),
  ),
};

const plans = planList.map(({ id }) => id);
const events: PlanEvent[] = ['chosen', 'paid', 'ended', 'refunded', 'lapsed'];
const all = plans.flatMap((from) => events.flatMap((event) => plans.map((to) => ({ from, event, to }))));

describe('every plan, to every plan, by every event', () => {
  it('is 80 moves, of which 40 can be', () => {
    expect([all.length, Object.keys(listed).length]).toEqual([80, 40]);
  });

  it.each(all)('$from $event $to', ({ from, event, to }) => {
    const expected = listed[`${from} ${event} ${to}`];
    if (expected) expect(planMove(from, to, event)).toBe(expected);
    else expect(() => planMove(from, to, event)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });

  it.each([0, 5, -1, 1.5, Number.NaN])('plan %s is none', (odd) => {
    for (const event of events) {
      for (const plan of [...plans, odd]) {
        expect(() => planMove(odd, plan, event)).toThrow('not possible');
        expect(() => planMove(plan, odd, event)).toThrow('not possible');
      }
    }
  });
});
