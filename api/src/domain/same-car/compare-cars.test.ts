import { describe, expect, it } from 'vitest';
import { cellOf, searchKey, vehicleKey } from '../criteria/search-columns.ts';
import { ListingStatus } from '../facts/listing-facts.ts';
import { photoAddress } from '../photo-paths.ts';
import { carLocks, carProbe, readVin } from './car-probe.ts';
import {
  type CarSighting,
  compareCars,
  distinctiveWords,
  GROWN_A_LITTLE_MILES,
  type GroupedSighting,
  groupCars,
  likenessOf,
} from './compare-cars.ts';

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
  it('takes the photo for what facts would resolve, and is two cars where they would not', () => {
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

const at = new Date('2026-05-01T10:00:00Z');
const listing = (id: number, car = id, color: string | null = null): GroupedSighting => ({
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

it('gives a car the lowest number of its listings', () => {
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

it('joins two cars that a third shows to be one', () => {
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

it('leaves cars apart while any of their listings contradicts another, the surest pair first', () => {
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

it('looks for a car also across the border of its cell', () => {
  const key = (lat: number, lng: number) => searchKey(vehicleKey('toyota', 'camry'), cellOf(lat, lng));
  expect(carProbe(car)?.keys).toEqual(expect.arrayContaining([key(34.01, -118.99), key(33.9, -118.99)]));
  expect(carProbe({ ...car, mileageMiles: null })).toMatchObject({ mileageMin: 0, year: 2018 });
  expect([carProbe({ ...car, model: null }), carProbe({ ...car, lat: null })]).toEqual([null, null]);
});

it('holds one lock in common for any two that facts could link', () => {
  for (let miles = 40_000; miles < 60_000; miles += 37) {
    const near = { ...car, mileageMiles: miles + GROWN_A_LITTLE_MILES };
    const common = carLocks({ ...car, mileageMiles: miles }).filter((lock) => carLocks(near).includes(lock));
    expect(common.length).toBeGreaterThan(0);
  }
  const vin = '1HGCM82633A004352';
  const bare = { ...car, model: null, mileageMiles: null };
  expect(carLocks({ ...bare, vin })).toEqual(carLocks({ ...bare, lat: null, vin }));
  expect(carLocks(bare)).toEqual([]);
});

it.each([
  ['1hgcm82633a004352 ', '1HGCM82633A004352'],
  ['1HGCM82633A00435', null],
  ['1HGCM82633A00435O', null],
  ['00000000000000000', null],
  ['N/A', null],
  [null, null],
])('reads the VIN %j as %j', (text, vin) => expect(readVin(text)).toBe(vin));

it.each([
  ['2018 Toyota Camry SE', 'CAMRY se TOYOTA, 2018!! low miles', 'equal'],
  ['2018 Toyota Camry', '2018 Toyota Camry XLE leather', 'within'],
  ['2018 Toyota Camry SE', '2018 Toyota Camry XLE', 'apart'],
])('%s and %s are %s', (a, b, likeness) => {
  const words = (title: string) => distinctiveWords(title, [2018, 'toyota', 'camry', null]);
  expect(likenessOf(words(a), words(b))).toBe(likeness);
});

const inside = { url: 'http://10.0.0.5:81/items', allowPrivateNetwork: true };
it.each([
  ['https://photos.example/1.jpg', null, { url: 'https://photos.example/1.jpg', allowPrivateNetwork: false }],
  ['/p/1.jpg', inside, { url: 'http://10.0.0.5:81/p/1.jpg', allowPrivateNetwork: true }],
  ['http://10.0.0.5:82/1.jpg', inside, { url: 'http://10.0.0.5:82/1.jpg', allowPrivateNetwork: true }],
  ['http://10.0.0.6/1.jpg', inside, { url: 'http://10.0.0.6/1.jpg', allowPrivateNetwork: false }],
  ['/p/1.jpg', null, null],
  ['data:image/png;base64,AA', inside, null],
  ['file:///etc/passwd', inside, null],
])('reads the photo %s of %j at %j', (image, source, address) => {
  expect(photoAddress(image, source)).toEqual(address);
});
