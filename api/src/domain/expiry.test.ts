import { expect, it } from 'vitest';
import { daysRemaining, expiryFrom, isExpired } from './expiry.ts';

const now = new Date('2026-03-01T12:00:00Z');
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

it.each([
  [42 * 24, 42],
  [24.01, 2],
  [24, 1],
  [0.01, 1],
  [0, 0],
  [-100, 0],
])('%d hours remaining are %d days', (hours, days) => {
  expect(daysRemaining(inHours(hours), now)).toBe(days);
});

it('counts as expired at the very time of expiry', () => {
  expect(isExpired(now, now)).toBe(true);
  expect(isExpired(inHours(0.001), now)).toBe(false);
  expect(daysRemaining(expiryFrom(now), now)).toBe(42);
});
