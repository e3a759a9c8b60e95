import { expect, it } from 'vitest';
import { carFacts, verdictWords } from './explanation-words.ts';

const car = { id: '1', title: '2018 Toyota Camry', price: 15_400, place: 'Pasadena, CA', status: 'for_sale' } as const;

it.each([
  [car, '$15,400 · Pasadena, CA'],
  [{ ...car, place: null, price: null }, 'Price not stated'],
  [{ ...car, status: 'sold' as const }, '$15,400 · Pasadena, CA · Sold'],
])('the facts of a car: %j', (given, text) => {
  expect(carFacts(given)).toBe(text);
});

it.each([
  [
    { criterion: 'price', verdict: 'not_met', asked: 'up to $9,000', found: '$9,500' },
    ['Price', 'does not fit', '$9,500', 'up to $9,000'],
  ],
  [
    { criterion: 'color', verdict: 'not_stated', asked: 'Blue', found: null },
    ['Color', 'not stated', 'Not stated', 'Blue'],
  ],
  [{ criterion: 'image', verdict: 'met', asked: null, found: 'Photo' }, ['Photos', 'fits', 'Photo', 'Any']],
  [
    { criterion: 'image', verdict: 'not_met', asked: 'With a photo', found: null },
    ['Photos', 'does not fit', 'No photo', 'With a photo'],
  ],
] as const)('a verdict: %j', (verdict, words) => {
  expect(Object.values(verdictWords(verdict))).toEqual([...words]);
});
