import { expect, it } from 'vitest';
import { ListingStatus } from '../facts/listing-facts.ts';
import { type GroupedSighting, groupCars } from './compare-cars.ts';

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
