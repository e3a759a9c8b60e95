import { expect, it } from 'vitest';
import type { PhoneTexts_UserFragment } from '../../../gql/graphql.ts';
import { likelyTexts, nextMonthText, phoneStep, phoneText } from './phone-step.ts';

const now = new Date('2026-12-31T23:00:00Z');
const texts = {
  __typename: 'TextState' as const,
  available: true,
  stopped: false,
  codeExpiresAt: null as string | null,
  usedThisMonth: 0,
  monthlyLimit: 100,
  from: null,
};
const user = (more: Partial<PhoneTexts_UserFragment> = {}, state: Partial<typeof texts> = {}) => ({
  __typename: 'User' as const,
  id: '2',
  phone: '+15125550123',
  phoneConfirmed: false,
  ...more,
  texts: { ...texts, ...state },
});

it.each([
  ['unavailable', user({}, { available: false })],
  ['free', user({ phoneConfirmed: true }, { monthlyLimit: 0 })],
  ['no-phone', user({ phone: null })],
  ['unconfirmed', user()],
  ['unconfirmed', user({}, { codeExpiresAt: '2026-12-31T22:59:00Z' })],
  ['code', user({}, { codeExpiresAt: '2026-12-31T23:09:00Z' })],
  ['confirmed', user({ phoneConfirmed: true })],
  ['stopped', user({ phoneConfirmed: true }, { stopped: true })],
] as const)('%s', (step, viewer) => expect(phoneStep(viewer, now)).toBe(step));

it('words', () => {
  expect(phoneText('+15125550123')).toBe('(512) 555-0123');
  expect(phoneText('+447911123456')).toBe('+447911123456');
  expect(phoneText('any words')).toBe('any words');
  expect(nextMonthText(now)).toBe('January 1');
});

it('is guessed from the account alone', () => {
  const guessed = (planId: string, phone: string | null, phoneConfirmed = false) =>
    phoneStep(likelyTexts({ id: '2', phone, phoneConfirmed, subscription: { planId } }), now);
  expect([guessed('1', '+15125550123', true), guessed('2', null), guessed('3', '1'), guessed('4', '1', true)]).toEqual([
    'free',
    'no-phone',
    'unconfirmed',
    'confirmed',
  ]);
});
