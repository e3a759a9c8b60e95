import { describe, expect, it } from 'vitest';
import { ListingStatus } from '../facts/listing-facts.ts';
import { type CarSighting, compareCars } from './compare-cars.ts';

const seen: CarSighting = {
  source: 'lot',
  status: ListingStatus.forSale,
  title: '2018 Toyota Camry SE',
  make: 'toyota',
  model: 'camry',
  year: 2018,
  price: 15_000,
  mileageMiles: 61_234,
  vin: null,
  color: 'silver',
  transmission: 'automatic',
  condition: 'used',
  lat: 34.1,
  lng: -118.1,
  seenAt: new Date('2026-05-01T10:00:00Z'),
  lastSeenAt: new Date('2026-05-02T10:00:00Z'),
};
const later = {
  seenAt: new Date('2026-05-05T10:00:00Z'),
  lastSeenAt: new Date('2026-05-05T10:00:00Z'),
};
const VIN = '1HGCM82633A004352';
type Change = Partial<CarSighting>;
const compare = (newer: Change, older: Change = {}) =>
  compareCars({ ...seen, ...older }, { ...seen, ...later, ...newer });

describe('by the odometer', () => {
  it.each<[string, Change, Change, string]>([
    ['equal, words in another order', { title: 'camry SE toyota 2018 - low miles', price: 13_000 }, {}, 'same'],
    ['equal, another seller’s words', { title: 'Camry in great shape, leather', source: 'other' }, {}, 'same'],
    ['equal, half the price, other words', { price: 7_000, title: 'Camry leather' }, {}, 'maybe'],
    ['a few miles more', { mileageMiles: 61_400, price: 16_500 }, {}, 'same'],
    ['a few more, another trim', { mileageMiles: 61_400, title: '2018 Toyota Camry XLE' }, {}, 'maybe'],
    ['a few more, color not stated', { mileageMiles: 61_400, color: null }, {}, 'maybe'],
    ['what four days drive', { mileageMiles: 61_690 }, {}, 'maybe'],
    ['more than four days drive', { mileageMiles: 61_700 }, {}, 'different'],
    ['less', { mileageMiles: 61_001 }, {}, 'different'],
    ['a little less at another source', { mileageMiles: 61_001, source: 'other' }, {}, 'same'],
    ['much less at another source', { mileageMiles: 60_901, source: 'other' }, {}, 'different'],
    ['rounded, all else equal', { mileageMiles: 61_000 }, { mileageMiles: 61_000 }, 'same'],
    ['rounded, another price', { mileageMiles: 61_000, price: 14_000 }, { mileageMiles: 61_000 }, 'same'],
    ['rounded, half the price', { mileageMiles: 61_000, price: 7_500 }, { mileageMiles: 61_000 }, 'different'],
    [
      'rounded, another price, no words, color not stated',
      { mileageMiles: 61_000, price: 14_000, title: '2018 Toyota Camry', color: null },
      { mileageMiles: 61_000, title: 'Toyota Camry 2018' },
      'maybe',
    ],
    ['rounded by one of them', { mileageMiles: 61_000, price: 14_000 }, {}, 'maybe'],
    ['rounded, another trim', { mileageMiles: 61_000, title: '2018 Toyota Camry XLE' }, {}, 'different'],
    ['not stated', { mileageMiles: null }, {}, 'maybe'],
    ['not stated, another price', { mileageMiles: null, price: 18_000 }, {}, 'different'],
  ])('%s', (_name, newer, older, verdict) => {
    expect(compare(newer, older)).toBe(verdict);
  });
});

it.each<[string, Change]>([
  ['another year', { year: 2019 }],
  ['no model', { model: null }],
  ['another color', { color: 'blue' }],
  ['another transmission', { transmission: 'manual' }],
  ['31 miles away', { lat: 34.55 }],
  ['no place', { lat: null, lng: null }],
])('is another car with %s, whatever the odometer says', (_name, newer) => {
  expect(compare(newer)).toBe('different');
});

it('trusts a VIN above all else, also side by side', () => {
  const far = { vin: VIN, lat: 40, price: 1, mileageMiles: null, title: 'Toyota' };
  expect(compare(far, { vin: VIN, lastSeenAt: new Date('2026-06-01T00:00:00Z') })).toBe('same');
  expect(compare({ vin: VIN }, { vin: '1HGCM82633A004353' })).toBe('different');
});

describe('at one moment on one source', () => {
  const sideBySide = { lastSeenAt: later.seenAt };
  it('takes the photo for what facts would settle, and is two cars where they would not', () => {
    expect(compare({}, sideBySide)).toBe('maybe');
    expect(compare({ mileageMiles: 61_500, title: 'Camry' }, sideBySide)).toBe('different');
  });
  it.each<[string, Change]>([
    ['on another source', { source: 'other' }],
    ['of a sold car', { status: ListingStatus.sold }],
    ['of a car that is gone', { status: ListingStatus.gone }],
  ])('is no doubt %s', (_name, older) => {
    expect(compare({}, { ...sideBySide, ...older })).toBe('same');
  });
  it('is a doubt too that only one of them states a VIN', () => {
    expect(compare({ vin: VIN })).toBe('maybe');
    expect(compare({ vin: VIN, source: 'other' })).toBe('same');
  });
});

it.each<[string, Change, Change]>([
  ['new cars without an odometer', { mileageMiles: null, condition: 'new' }, { mileageMiles: null, condition: 'New' }],
  ['new cars with a few miles', { mileageMiles: 12 }, { mileageMiles: 12 }],
  ['this year’s cars that don’t say', { year: 2025, mileageMiles: null }, { year: 2025, mileageMiles: null }],
  [
    'cars that don’t say and were there a moment ago',
    { mileageMiles: null },
    { mileageMiles: null, lastSeenAt: new Date('2026-05-05T09:50:00Z') },
  ],
])('never links two of a dealer’s %s', (_name, newer, older) => {
  expect(compare(newer, older)).toBe('different');
});
