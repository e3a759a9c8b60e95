import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDownPayment, isForeignAmount, readAmount, statedPrice, statesNoPrice } from './price.ts';

describe('price', () => {
  test.each([
    ['$12,600', 12600],
    ['12600.00', 12600],
    ['US$ 12,600.50', 12600.5],
    ['18000 USD', 18000],
    ['$12.6k', 12600],
    ['$12.600', 12600],
    ['1,234,567', 1234567],
    ['-5', -5],
    ['$-5', -5],
    ['- $5,000', 5000],
    ['12.600,50', 12600.5],
    ['12 600', 12600],
    ["12'600.00", 12600],
    ['12\u00a0600 $', 12600],
    ['$4500-$5000', 4500],
    ['4500–5000', 4500],
    ['1.2e4', 12000],
    ['1.2M', 1_200_000],
    ['1e9999', null],
    ['NaN', null],
    ['Free', null],
    ['call', null],
    ['', null],
  ])('%j is %s', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  test.each([0, 0.4, 1, 11, 123, 1234, 12345, 123456, 111111, 1111111, 999999])('%d is no stated price', (amount) => {
    expect(statedPrice(amount)).toEqual({ price: null });
  });

  test.each([
    [12600, 12600],
    [12600.5, 12601],
    [2222, 2222],
    [12, 12],
    [9999, 9999],
    [10_000_000, 10_000_000],
  ])('%d is $%d', (amount, price) => {
    expect(statedPrice(amount)).toEqual({ price });
  });

  test.each([-1, 10_000_001, Number.NaN, Number.POSITIVE_INFINITY])('%d is a fault', (amount) => {
    expect(statedPrice(amount)).toHaveProperty('fault');
  });

  test.each([
    ['€6,695', true],
    ['£500', true],
    ['C$5,000', true],
    ['5000 CAD', true],
    ['5000 eur', true],
    ['5.000 euros', true],
    ['MX$50,000', true],
    ['R$ 20.000', true],
    ['₹500,000', true],
    ['usd 5000', false],
    ['5000 cash', false],
    ['＄5000', false],
    ['$5,000', false],
    ['US$5,000', false],
    ['5,000 USD', false],
    ['5000 OBO', false],
    ['39733CAD', true],
    ['180000 SGD', true],
    ['18000USD', false],
    ['ALL for $5000', false],
  ])('%j is in a foreign currency: %s', (text, foreign) => {
    expect(isForeignAmount(text)).toBe(foreign);
  });
});

test.each([
  ['Free', true],
  ['Call for price', true],
  ['N/A', true],
  ['obo', true],
  ['', true],
  ['$', true],
  ['abc', false],
  ['NaN', false],
  ['freezer', false],
  ['5000', false],
])('%j states no price: %s', (text, none) => {
  expect(statesNoPrice(text)).toBe(none);
});

describe('a down payment or monthly rate is no price', () => {
  test.each([
    [1500, '2018 Toyota Camry $1500 down'],
    [1500, '2018 Camry 1,500 DOWN'],
    [500, '$500 Down Payment 2015 Nissan Altima'],
    [500, '2015 Nissan Altima down payment'],
    [500, 'Price is down payment. Drive today!'],
    [800, 'Only $800 drive off'],
    [1000, '2016 Jetta, 1000 de enganche'],
    [1000, 'Enganche desde $1,000 y pagos bajos'],
    [299, '2019 Civic LX $299/mo'],
    [350, '2019 Civic 350 a month'],
    [350, 'Only $350 per month'],
    [99, 'payments $99 weekly'],
    [750, 'down payment: $750, total 13900'],
    [1500, 'As low as $1.5k down'],
    [999, 'in house finance $999 dn'],
    [400, 'DOWN: $400'],
    [340, '$999 down, $340 a month'],
  ])('$%d: %s', (price, text) => {
    expect(isDownPayment(price, text)).toBe(true);
    expect(isDownPayment(price, 'A car', null, text)).toBe(true);
  });
});

describe('the full price is no down payment', () => {
  test.each([
    [14_995, '2018 Camry $1500 down, finance available'],
    [12_600, 'Down payment from $500, payments $299/mo'],
    [8900, 'Or finance it: 10% down payment'],
    [2500, 'Cash only, no down payment plans'],
    [2500, 'Zero down payment needed'],
    [4200, 'Marked down from 4500'],
    [4200, '4500 down to 4200'],
    [3000, 'Fold down seats, drives down the road fine'],
    [1800, 'Breaks down sometimes'],
    [2000, 'Insured for a month'],
    [1500, ''],
    [1500, '2012 Ford Focus'],
    [9000, 'I paid $300 a month for it'],
    [2400, '$0 down'],
  ])('$%d: %s', (price, text) => {
    expect(isDownPayment(price, text)).toBe(false);
  });
});

test('a text of any kind and length gets an answer', () => {
  const part = fc.constantFrom('$', '1', ',', ' ', 'down', 'payment', '/mo', 'enganche', 'no', 'of', '0'.repeat(50));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 3000 }), fc.nat(), (parts, price) => {
      expect(typeof isDownPayment(price, parts.join(''))).toBe('boolean');
    }),
    { numRuns: 50 },
  );
});

test('any text has a finite amount or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const amount = readAmount(text);
      expect(amount === null || Number.isFinite(amount)).toBe(true);
      isForeignAmount(text);
    }),
    { numRuns: 100 },
  );
});
