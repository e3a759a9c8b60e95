import { describe, expect, it } from 'vitest';
import { planList } from '../plan-list.ts';
import { type PlanEvent, planTransition } from './plan-transitions.ts';

/** The result of every possible transition; all others are refused. */
const listed: Readonly<Record<string, string>> = {
  '1 chosen 1': 'none',
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
  '1 paid 2': 'upgrade',
  '1 paid 3': 'upgrade',
  '1 paid 4': 'upgrade',
  '2 paid 2': 'none',
  '2 paid 3': 'upgrade',
  '2 paid 4': 'upgrade',
  '3 paid 2': 'downgrade',
  '3 paid 3': 'none',
  '3 paid 4': 'upgrade',
  '4 paid 2': 'downgrade',
  '4 paid 3': 'downgrade',
  '4 paid 4': 'none',
  ...Object.fromEntries(
    ['ended', 'refunded', 'lapsed'].flatMap((event) => [
      [`1 ${event} 1`, 'none'],
      [`2 ${event} 1`, 'downgrade'],
      [`3 ${event} 1`, 'downgrade'],
      [`4 ${event} 1`, 'downgrade'],
    ]),
  ),
};

const plans = planList.map(({ id }) => id);
const events: PlanEvent[] = ['chosen', 'paid', 'ended', 'refunded', 'lapsed'];
const all = plans.flatMap((from) => events.flatMap((event) => plans.map((to) => ({ from, event, to }))));

describe('every plan, to every plan, by every event', () => {
  it('makes 80 transitions, of which 40 are possible', () => {
    expect([all.length, Object.keys(listed).length]).toEqual([80, 40]);
  });

  it.each(all)('$from $event $to', ({ from, event, to }) => {
    const expected = listed[`${from} ${event} ${to}`];
    if (expected) expect(planTransition(from, to, event)).toBe(expected);
    else expect(() => planTransition(from, to, event)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });

  it.each([0, 5, -1, 1.5, Number.NaN])('%s is no plan', (odd) => {
    for (const event of events) {
      for (const plan of [...plans, odd]) {
        expect(() => planTransition(odd, plan, event)).toThrow('not possible');
        expect(() => planTransition(plan, odd, event)).toThrow('not possible');
      }
    }
  });
});
