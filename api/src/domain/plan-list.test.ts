import { expect, it } from 'vitest';
import { planPriceText } from './plan-list.ts';

it.each([
  ['0.00', '0'],
  ['0', '0'],
  ['4.99', '4.99'],
  ['14.9', '14.90'],
  ['70', '70.00'],
])('returns a stored price of %s as %s', (stored, text) => {
  expect(planPriceText(stored)).toBe(text);
});
