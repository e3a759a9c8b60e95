import { describe, expect, it } from 'vitest';
import { type AlertCriteria, Criterion, fits, type ListingCriteria, verdictsFor } from './criteria.ts';

const alert: AlertCriteria = {
  make: 'toyota',
  model: null,
  yearMin: null,
  yearMax: null,
  priceMin: null,
  priceMax: null,
  color: null,
  onlyWithImages: false,
  lat: 34.05,
  lng: -118.24,
  radius: 50,
};
const listing: ListingCriteria = {
  make: 'toyota',
  model: 'camry',
  year: 2018,
  price: 15_000,
  color: 'silver',
  imageUrl: 'https://photos.example/1.jpg',
  lat: 34.1,
  lng: -118.1,
};

const cases: [string, Partial<AlertCriteria>, Partial<ListingCriteria>, Criterion, string][] = [
  ['same make', {}, {}, Criterion.make, 'met'],
  ['another make', {}, { make: 'honda' }, Criterion.make, 'not_met'],
  ['the model asked', { model: 'camry' }, {}, Criterion.model, 'met'],
  ['another model', { model: 'corolla' }, {}, Criterion.model, 'not_met'],
  ['no model stated, one asked', { model: 'camry' }, { model: null }, Criterion.model, 'not_met'],
  ['no model stated, none asked', {}, { model: null }, Criterion.model, 'not_stated'],
  ['first year', { yearMin: 2018 }, {}, Criterion.year, 'met'],
  ['last year', { yearMax: 2018 }, {}, Criterion.year, 'met'],
  ['a year too old', { yearMin: 2019 }, {}, Criterion.year, 'not_met'],
  ['a year too new', { yearMax: 2017 }, {}, Criterion.year, 'not_met'],
  ['no year stated, bounded', { yearMax: 2020 }, { year: null }, Criterion.year, 'not_met'],
  ['no year stated, none asked', {}, { year: null }, Criterion.year, 'not_stated'],
  ['lowest price', { priceMin: 15_000 }, {}, Criterion.price, 'met'],
  ['highest price', { priceMax: 15_000 }, {}, Criterion.price, 'met'],
  ['a dollar too much', { priceMax: 14_999 }, {}, Criterion.price, 'not_met'],
  ['a dollar too little', { priceMin: 15_001 }, {}, Criterion.price, 'not_met'],
  ['no price stated, priceMin 0', { priceMin: 0 }, { price: null }, Criterion.price, 'not_stated'],
  ['no price stated, priceMin 1', { priceMin: 1 }, { price: null }, Criterion.price, 'not_met'],
  ['no price stated, priceMax', { priceMin: 0, priceMax: 50_000 }, { price: null }, Criterion.price, 'not_met'],
  ['no price stated, highest bound', { priceMax: 10_000_000 }, { price: null }, Criterion.price, 'not_met'],
  ['the color asked', { color: 'silver' }, {}, Criterion.color, 'met'],
  ['any color', { color: 'any' }, {}, Criterion.color, 'met'],
  ['another color', { color: 'red' }, {}, Criterion.color, 'not_met'],
  ['no color stated', { color: 'red' }, { color: null }, Criterion.color, 'not_stated'],
  ['other is a color', { color: 'red' }, { color: 'other' }, Criterion.color, 'not_met'],
  ['other is asked', { color: 'other' }, { color: 'other' }, Criterion.color, 'met'],
  ['a photo asked', { onlyWithImages: true }, {}, Criterion.image, 'met'],
  ['no photo, asked', { onlyWithImages: true }, { imageUrl: null }, Criterion.image, 'not_met'],
  ['no photo, not asked', {}, { imageUrl: null }, Criterion.image, 'not_stated'],
  ['near', { radius: 10 }, {}, Criterion.distance, 'met'],
  ['far', { radius: 5 }, {}, Criterion.distance, 'not_met'],
  ['no place', {}, { lat: null, lng: null }, Criterion.distance, 'not_met'],
];

describe('verdictsFor', () => {
  it.each(cases)('%s', (_name, asked, found, criterion, expected) => {
    const verdicts = verdictsFor({ ...alert, ...asked }, { ...listing, ...found });
    expect(verdicts.map((verdict) => verdict.criterion)).toEqual(Object.values(Criterion));
    expect(verdicts.find((verdict) => verdict.criterion === criterion)?.verdict).toBe(expected);
    expect(fits(verdicts)).toBe(expected !== 'not_met');
  });

  it('describes what was asked and what was found', () => {
    const asked = {
      model: 'camry',
      yearMin: 2015,
      priceMin: 0,
      priceMax: 50_000,
      color: 'silver',
      onlyWithImages: true,
    };
    expect(verdictsFor({ ...alert, ...asked }, listing).map(({ asked, found }) => [asked, found])).toEqual([
      ['Toyota', 'Toyota'],
      ['Camry', 'Camry'],
      ['from 2015', '2018'],
      ['up to $50,000', '$15,000'],
      ['Silver', 'Silver'],
      ['With a photo', 'Photo'],
      ['Within 50 miles', '8.7 miles'],
    ]);
    const nothing = verdictsFor(alert, { make: 'toyota' });
    expect(nothing.slice(1, 6).map(({ asked, found }) => [asked, found])).toEqual(Array(5).fill([null, null]));
  });
});
