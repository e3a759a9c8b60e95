import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDownPayment } from './price.ts';

describe('what is paid first or by the month is no price', () => {
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

describe('what a car costs is its price', () => {
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

test('any text is answered, however long', () => {
  const part = fc.constantFrom('$', '1', ',', ' ', 'down', 'payment', '/mo', 'enganche', 'no', 'of', '0'.repeat(50));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 3000 }), fc.nat(), (parts, price) => {
      expect(typeof isDownPayment(price, parts.join(''))).toBe('boolean');
    }),
    { numRuns: 100 },
  );
});
