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
    expect(verdicts.map((verdict) => verdict.criterion)).toEqual(Object.values(Criterion).slice(0, 7));
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

const filtered: [string, Partial<AlertCriteria>, Partial<ListingCriteria>, Criterion, string, string?][] = [
  ['one of several models', { models: ['corolla', 'camry'] }, {}, Criterion.model, 'met'],
  ['the own model or another', { model: 'corolla', models: ['camry'] }, {}, Criterion.model, 'met'],
  ['none of several models', { models: ['corolla', 'rav4'] }, {}, Criterion.model, 'not_met'],
  ['several models, none stated', { models: ['corolla', 'camry'] }, { model: null }, Criterion.model, 'not_met'],
  [
    'another make that is asked for',
    { models: ['camry', 'honda/civic'] },
    { make: 'honda', model: 'civic' },
    Criterion.make,
    'met',
  ],
  [
    'its model is another make’s',
    { models: ['civic', 'honda/fit'] },
    { make: 'honda', model: 'civic' },
    Criterion.model,
    'not_met',
  ],
  ['mileage at the bound', { mileageMax: 90_000 }, { mileage: 90_000 }, Criterion.mileage, 'met'],
  ['a mile too much', { mileageMax: 90_000 }, { mileage: 90_001 }, Criterion.mileage, 'not_met'],
  ['no mileage stated, bounded', { mileageMax: 90_000 }, { mileage: null }, Criterion.mileage, 'not_met'],
  ['the transmission', { transmission: 'manual' }, { transmission: 'manual' }, Criterion.transmission, 'met'],
  [
    'another transmission',
    { transmission: 'manual' },
    { transmission: 'automatic' },
    Criterion.transmission,
    'not_met',
  ],
  ['no transmission stated', { transmission: 'manual' }, {}, Criterion.transmission, 'not_stated'],
  ['a fuel nobody asks for', { fuel: 'gas' }, { fuel: 'other' }, Criterion.fuel, 'not_met'],
  ['no salvage asked, salvage', { titleStatus: 'clean' }, { titleStatus: 'salvage' }, Criterion.titleStatus, 'not_met'],
  ['no salvage asked, not stated', { titleStatus: 'clean' }, {}, Criterion.titleStatus, 'not_stated'],
  ['two-wheel drive may be front', { drive: 'fwd' }, { drive: '2wd' }, Criterion.drive, 'not_stated'],
  ['two-wheel drive is not all', { drive: 'awd' }, { drive: '2wd' }, Criterion.drive, 'not_met'],
  ['the body', { body: 'truck' }, { body: 'truck' }, Criterion.body, 'met'],
  ['a dealer', { seller: 'private' }, { seller: 'dealer' }, Criterion.seller, 'not_met'],
  ['an excluded phrase', { excludeWords: ['as is'] }, { title: 'Camry, AS-IS' }, Criterion.excludeWords, 'not_met'],
  ['an excluded word within another', { excludeWords: ['ex'] }, { title: 'Accord EXL' }, Criterion.excludeWords, 'met'],
  ['a required word', { requireWords: ['v6', 'xle'] }, { title: 'Camry XLE (V6)' }, Criterion.requireWords, 'met'],
  [
    'one of two required words',
    { requireWords: ['v6', 'xle'] },
    { title: 'Camry XLE' },
    Criterion.requireWords,
    'not_met',
  ],
  ['a price must be stated', { priceStated: true }, { price: null }, Criterion.price, 'not_met'],
  [
    'a price need not be stated',
    { priceStated: false, priceMax: 9_000 },
    { price: null },
    Criterion.price,
    'not_stated',
  ],
  ['a stated price still has its bounds', { priceStated: false, priceMax: 9_000 }, {}, Criterion.price, 'not_met'],
  [
    'a good price',
    { belowFairPrice: true },
    { bandLow: 14_000, bandMiddle: 17_000, bandHigh: 20_000 },
    Criterion.belowFairPrice,
    'met',
  ],
  [
    'a fair price',
    { belowFairPrice: true },
    { bandLow: 13_000, bandMiddle: 15_500, bandHigh: 19_000 },
    Criterion.belowFairPrice,
    'not_met',
  ],
  ['no band', { belowFairPrice: true }, {}, Criterion.belowFairPrice, 'not_met'],
];

describe('filters', () => {
  it.each(filtered)('%s', (_name, asked, found, criterion, expected) => {
    const verdicts = verdictsFor({ ...alert, ...asked }, { ...listing, ...found });
    expect(verdicts.find((verdict) => verdict.criterion === criterion)?.verdict).toBe(expected);
    expect(fits(verdicts)).toBe(expected !== 'not_met');
  });

  it('have a verdict only where an alert asks for them, in words', () => {
    expect(verdictsFor(alert, listing)).toHaveLength(7);
    const asked = { mileageMax: 90_000, drive: '4wd', titleStatus: 'clean', excludeWords: ['as is', 'parts'] };
    const found = { mileage: 61_234, drive: '2wd', title: 'Camry for parts' };
    const verdicts = verdictsFor({ ...alert, ...asked }, { ...listing, ...found });
    expect(verdicts.slice(7).map((verdict) => [verdict.asked, verdict.found])).toEqual([
      ['Up to 90,000 miles', '61,234 miles'],
      ['Four-wheel drive', 'Two-wheel drive'],
      ['Clean title', null],
      ['Without “as is”, “parts”', '“parts” in title or trim'],
    ]);
  });
});
