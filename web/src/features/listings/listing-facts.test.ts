import { describe, expect, it } from 'vitest';
import { listingFacts, placeText } from './listing-facts.ts';

describe('listingFacts', () => {
  it('says mileage, transmission, color and condition', () => {
    expect(
      listingFacts({ mileage: 62_140, transmission: 'automatic', color: 'silver', condition: 'used_good' }),
    ).toEqual(['62K mi', 'Automatic', 'Silver', 'Used, good']);
  });

  it('says N/A for each that is missing', () => {
    expect(listingFacts({ mileage: null, transmission: null, color: null, condition: null })).toEqual([
      'Mileage N/A',
      'Transmission N/A',
      'Color N/A',
      'Condition N/A',
    ]);
  });

  it('takes a mileage of 0 as stated', () => {
    expect(listingFacts({ mileage: 0 })[0]).toBe('0 mi');
  });

  it.each([
    ['Used - Like New', 'Used, like new'],
    ['EXCELLENT', 'Excellent'],
    ['new', 'New'],
    ['used', 'Used'],
  ])('shows the condition %s as %s', (condition, shown) => {
    expect(listingFacts({ condition })[3]).toBe(shown);
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
