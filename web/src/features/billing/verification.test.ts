import { expect, it } from 'vitest';
import { expectedPlanId, outcomeOf } from './verification.ts';

const verified = (planId: string, status = 'active', paid = true) => ({
  message: 'The last invoice is open.',
  paid,
  subscription: {
    planId,
    subscriptionPlanId: planId,
    planName: 'Pro',
    status,
    currentPeriodEnd: null,
    graceEndsAt: null,
    alertsToResume: 0,
  },
});
const notUpdated = expect.objectContaining({ isPaid: false, title: 'Payment Status' });

it('is paid once the paid plan is active', () => {
  expect(outcomeOf(verified('3'), undefined)).toEqual({ isPaid: true, planName: 'Pro' });
  expect(outcomeOf(verified('3'), '3')).toEqual({ isPaid: true, planName: 'Pro' });
});

it('is still processing while the plan is Free, or another than was paid', () => {
  expect(outcomeOf(verified('1'), undefined)).toEqual(notUpdated);
  expect(outcomeOf(verified('2'), '3')).toEqual(notUpdated);
});

it('shows the server’s message while the payment has not arrived', () => {
  const text = 'The last invoice is open.';
  expect(outcomeOf(verified('3', 'active', false), '3')).toEqual({ isPaid: false, title: 'Payment Status', text });
});

it('is paid although the plan was cancelled since, because it runs to the end of its period', () => {
  expect(outcomeOf(verified('3', 'canceling'), '3')).toEqual({ isPaid: true, planName: 'Pro' });
});

it('shows the server’s message as an issue while the paid plan is not active', () => {
  expect(outcomeOf(verified('3', 'past_due'), '3')).toEqual({
    isPaid: false,
    title: 'Verification Issue',
    text: 'The last invoice is open.',
  });
});

it.each([
  ['2', '2'],
  ['4', '4'],
  ['1', undefined],
  ['5', undefined],
  ['', undefined],
  ['2x', undefined],
  [null, undefined],
])('expects of an address with plan_id=%s the plan %s', (given, planId) => {
  expect(expectedPlanId(given)).toBe(planId);
});
