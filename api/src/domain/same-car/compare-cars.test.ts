import { describe, expect, it } from 'vitest';
import { cellOf, searchKey, vehicleKey } from '../criteria/search-columns.ts';
import { ListingStatus } from '../facts/listing-facts.ts';
import {
  type ComparedListing,
  candidateFilter,
  carLocks,
  compareCars,
  distinctiveWords,
  type GroupedListing,
  groupCars,
  SMALL_INCREASE_MILES,
  titleSimilarity,
} from './compare-cars.ts';

const seen: ComparedListing = {
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
type Change = Partial<ComparedListing>;
const compare = (newer: Change, older: Change = {}) =>
  compareCars({ ...seen, ...older }, { ...seen, ...later, ...newer });

describe('by mileage', () => {
  it.each<[string, Change, Change, string]>([
    ['equal, words in another order', { title: 'camry SE toyota 2018 - low miles', price: 13_000 }, {}, 'same'],
    ['equal, another seller’s words', { title: 'Camry in great shape, leather', source: 'other' }, {}, 'same'],
    ['equal, half the price, other words', { price: 7_000, title: 'Camry leather' }, {}, 'maybe'],
    ['slightly higher', { mileageMiles: 61_400, price: 16_500 }, {}, 'same'],
    ['slightly higher, another trim', { mileageMiles: 61_400, title: '2018 Toyota Camry XLE' }, {}, 'maybe'],
    ['slightly higher, color not stated', { mileageMiles: 61_400, color: null }, {}, 'maybe'],
    ['higher, but plausible in four days', { mileageMiles: 61_690 }, {}, 'maybe'],
    ['higher than plausible in four days', { mileageMiles: 61_700 }, {}, 'different'],
    ['lower', { mileageMiles: 61_001 }, {}, 'different'],
    ['slightly lower at another source', { mileageMiles: 61_001, source: 'other' }, {}, 'same'],
    ['much lower at another source', { mileageMiles: 60_901, source: 'other' }, {}, 'different'],
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
])('is a different car with %s, although the mileage is equal', (_name, newer) => {
  expect(compare(newer)).toBe('different');
});

it('decides by the VIN first, even if both are offered at the same time', () => {
  const far = { vin: VIN, lat: 40, price: 1, mileageMiles: null, title: 'Toyota' };
  expect(compare(far, { vin: VIN, lastSeenAt: new Date('2026-06-01T00:00:00Z') })).toBe('same');
  expect(compare({ vin: VIN }, { vin: '1HGCM82633A004353' })).toBe('different');
});

describe('of two listings that one source offers at the same time', () => {
  const stillSeen = { lastSeenAt: later.seenAt };
  it('lets the photos decide where facts would, and finds two cars where they would not', () => {
    expect(compare({}, stillSeen)).toBe('maybe');
    expect(compare({ mileageMiles: 61_500, title: 'Camry' }, stillSeen)).toBe('different');
  });
  it.each<[string, Change]>([
    ['on another source', { source: 'other' }],
    ['of a sold car', { status: ListingStatus.sold }],
    ['of a car that is gone', { status: ListingStatus.gone }],
  ])('the facts decide %s', (_name, older) => {
    expect(compare({}, { ...stillSeen, ...older })).toBe('same');
  });
  it('lets the photos decide if only one listing of a source states a VIN', () => {
    expect(compare({ vin: VIN })).toBe('maybe');
    expect(compare({ vin: VIN, source: 'other' })).toBe('same');
  });
});

it.each<[string, Change, Change]>([
  ['new cars without mileage', { mileageMiles: null, condition: 'new' }, { mileageMiles: null, condition: 'New' }],
  ['new cars with a few miles', { mileageMiles: 12 }, { mileageMiles: 12 }],
  ['this year’s cars without mileage', { year: 2025, mileageMiles: null }, { year: 2025, mileageMiles: null }],
  [
    'cars without mileage that were online minutes ago',
    { mileageMiles: null },
    { mileageMiles: null, lastSeenAt: new Date('2026-05-05T09:50:00Z') },
  ],
])('never links %s, of which a dealer may have several', (_name, newer, older) => {
  expect(compare(newer, older)).toBe('different');
});

const at = new Date('2026-05-01T10:00:00Z');
const listing = (id: number, car = id, color: string | null = null): GroupedListing => ({
  id,
  car,
  color,
  source: 'lot',
  status: ListingStatus.forSale,
  title: '',
  make: 'toyota',
  model: 'camry',
  year: 2018,
  price: null,
  mileageMiles: null,
  vin: null,
  transmission: null,
  condition: null,
  lat: null,
  lng: null,
  seenAt: at,
  lastSeenAt: at,
});
const group = (...args: Parameters<typeof groupCars>) => [...groupCars(...args)].sort(([a], [b]) => a - b);

it('gives a car the lowest id of its listings', () => {
  const [one, two, three] = [listing(1), listing(2), listing(3)];
  expect(
    group([
      [three, two],
      [two, one],
    ]),
  ).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  expect(group([[listing(9), listing(5, 2)]])).toEqual([
    [2, 2],
    [9, 2],
  ]);
});

it('merges two cars that are linked by a third listing', () => {
  expect(
    group([
      [listing(9), listing(3, 1)],
      [listing(9), listing(4, 2)],
    ]),
  ).toEqual([
    [1, 1],
    [2, 1],
    [9, 1],
  ]);
});

it('does not merge cars of which any listings contradict each other, and begins with the first pair', () => {
  const red = listing(1, 1, 'red');
  const blue = listing(2, 2, 'blue');
  const plain = listing(3);
  expect(
    group([
      [plain, blue],
      [plain, red],
    ]),
  ).toEqual([
    [2, 2],
    [3, 2],
  ]);
  expect(group([[plain, listing(7, 1)]], [red, listing(8, 3, 'blue')])).toEqual([]);
});

const car = { make: 'toyota', model: 'camry', year: 2018, mileageMiles: 60_000, lat: 34.01, lng: -118.99 };

it('searches the neighbouring cells too', () => {
  const key = (lat: number, lng: number) => searchKey(vehicleKey('toyota', 'camry'), cellOf(lat, lng));
  expect(candidateFilter(car)?.keys).toEqual(expect.arrayContaining([key(34.01, -118.99), key(33.9, -118.99)]));
  expect(candidateFilter({ ...car, mileageMiles: null })).toMatchObject({ mileageMin: 0, year: 2018 });
  expect([candidateFilter({ ...car, model: null }), candidateFilter({ ...car, lat: null })]).toEqual([null, null]);
});

it('gives any two listings that facts could link a lock in common', () => {
  for (let miles = 40_000; miles < 60_000; miles += 37) {
    const near = { ...car, mileageMiles: miles + SMALL_INCREASE_MILES };
    const common = carLocks({ ...car, mileageMiles: miles }).filter((lock) => carLocks(near).includes(lock));
    expect(common.length).toBeGreaterThan(0);
  }
  const vin = '1HGCM82633A004352';
  const bare = { ...car, model: null, mileageMiles: null };
  expect(carLocks({ ...bare, vin })).toEqual(carLocks({ ...bare, lat: null, vin }));
  expect(carLocks(bare)).toEqual([]);
});

it.each([
  ['2018 Toyota Camry SE', 'CAMRY se TOYOTA, 2018!! low miles', 'equal'],
  ['2018 Toyota Camry', '2018 Toyota Camry XLE leather', 'subset'],
  ['2018 Toyota Camry SE', '2018 Toyota Camry XLE', 'different'],
])('%s and %s are %s', (a, b, similarity) => {
  const words = (title: string) => distinctiveWords(title, [2018, 'toyota', 'camry', null]);
  expect(titleSimilarity(words(a), words(b))).toBe(similarity);
});
