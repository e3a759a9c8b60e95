import { expect, it } from 'vitest';
import { planPriceText } from './plan-list.ts';

it.each([
  ['0.00', '0'],
  ['0', '0'],
  ['4.99', '4.99'],
  ['14.9', '14.90'],
  ['70', '70.00'],
])('tells a price of %s as %s', (stored, told) => {
  expect(planPriceText(stored)).toBe(told);
});
