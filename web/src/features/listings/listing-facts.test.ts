import { describe, expect, it } from 'vitest';
import { isDemoTitle, listingFacts, placeText, priceBefore, titleWithoutDemo } from './listing-facts.ts';

describe('listingFacts', () => {
  it('lists mileage, transmission, color and condition', () => {
    expect(
      listingFacts({ mileage: 62_140, transmission: 'automatic', color: 'silver', condition: 'used_good' }),
    ).toEqual({ mileage: '62K mi', stated: ['Automatic', 'Silver', 'Used, good'], missing: null });
  });

  it.each([
    [{}, 'Mileage, transmission, color and condition N/A'],
    [{ mileage: 9, transmission: 'manual' }, 'Color and condition N/A'],
    [{ transmission: 'manual', color: 'red', condition: 'used' }, 'Mileage N/A'],
  ])('names what is missing from %j', (stated, missing) => {
    expect(listingFacts(stated).missing).toBe(missing);
  });

  it('treats a mileage of 0 as stated', () => {
    expect(listingFacts({ mileage: 0 }).mileage).toBe('0 mi');
  });

  it.each([
    ['Used - Like New', 'Used, like new'],
    ['EXCELLENT', 'Excellent condition'],
    ['Fair', 'Fair condition'],
    ['Fair condition', 'Fair condition'],
    ['new', 'New condition'],
    ['used', 'Used'],
  ])('shows the condition %s as %s', (condition, shown) => {
    expect(listingFacts({ condition }).stated).toEqual([shown]);
  });
});

describe('placeText', () => {
  it.each([
    [{ reverse_geocode: { city: 'Pasadena', state: 'CA' } }, 'Pasadena, CA'],
    [{ reverse_geocode: { city: 'Pasadena', state: null } }, 'Pasadena'],
    [{ reverse_geocode: { city: '' } }, 'Location unavailable'],
    [null, 'Location unavailable'],
  ])('%j is %s', (location, shown) => {
    expect(placeText(location)).toBe(shown);
  });
});

const points = (...prices: (number | null)[]) => prices.map((price, day) => ({ price, seenAt: `2026-11-0${day + 1}` }));

it.each([
  ['nothing changed', points(9000), 9000, null],
  ['it fell', points(9000, 8000), 8000, { price: 9000, seenAt: '2026-11-01', isLower: true }],
  ['it rose', points(8000, 9000), 9000, { price: 8000, seenAt: '2026-11-01', isLower: false }],
  ['it fell twice', points(9000, 8500, 8000), 8000, { price: 8500, seenAt: '2026-11-02', isLower: true }],
  ['none was stated in between', points(9000, null, 8000), 8000, { price: 9000, seenAt: '2026-11-01', isLower: true }],
  ['none is stated now', points(9000, null), null, null],
])('when %s', (_name, history, price, before) => {
  expect(priceBefore(history, price)).toEqual(before);
});

it('takes the word of the demo marketplace from the end of a title, and from no other place', () => {
  expect(titleWithoutDemo('2018 Toyota Camry · SE Sedan 4D · Demo')).toBe('2018 Toyota Camry · SE Sedan 4D');
  expect(isDemoTitle('2018 Toyota Camry · Demo')).toBe(true);
  for (const title of ['2018 Toyota Camry Demo', 'Camry · Demo car', '· Demolition derby Camry']) {
    expect([titleWithoutDemo(title), isDemoTitle(title)]).toEqual([title, false]);
  }
});
