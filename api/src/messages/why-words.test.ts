import { describe, expect, it } from 'vitest';
import { type AlertCriteria, type ListingCriteria, verdictsFor } from '../domain/criteria/criteria.ts';
import { whyWords } from './why-words.ts';

const alert: AlertCriteria = {
  make: 'toyota',
  model: 'camry',
  yearMin: 2015,
  yearMax: null,
  priceMin: 10_000,
  priceMax: 20_000,
  color: 'silver',
  onlyWithImages: true,
  lat: 34.05,
  lng: -118.24,
  radius: 50,
};
const anything: AlertCriteria = { make: 'toyota', onlyWithImages: false, lat: 34.05, lng: -118.24, radius: 50 };
const camry: ListingCriteria = {
  make: 'toyota',
  model: 'camry',
  year: 2018,
  price: 15_400,
  color: 'silver',
  imageUrl: 'x',
  lat: 34.15,
  lng: -118.14,
};
const words = (asked: AlertCriteria, listing: ListingCriteria) => whyWords(verdictsFor(asked, listing), 8.83);

describe('why a car fits', () => {
  it('says each thing that the alert asks for, with what was asked', () => {
    expect(words(alert, camry)).toEqual({
      met: [
        'Toyota Camry, as asked',
        '2018 (asked: from 2015)',
        '$15,400 (asked: $10,000 to $20,000)',
        'Silver, as asked',
        'With a photo, as asked',
        '8.8 mi away (asked: within 50 mi)',
      ],
      notStated: [],
    });
  });
  it('says only what was asked', () => {
    expect(words(anything, camry)).toEqual({
      met: ['Toyota, as asked', '8.8 mi away (asked: within 50 mi)'],
      notStated: [],
    });
  });
  it('says what the seller does not state, and whether it was asked', () => {
    expect(words(alert, { ...camry, color: null }).notStated).toEqual(['Color not stated (asked: Silver)']);
    const bare = { ...camry, model: null, year: null, price: null, color: null, imageUrl: null };
    expect(words(anything, bare).notStated).toEqual([
      'Model not stated',
      'Year not stated',
      'Price not stated',
      'Color not stated',
    ]);
  });
});
