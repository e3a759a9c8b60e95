import { describe, expect, it } from 'vitest';
import type { ListingCard_ListingFragment } from '../../../gql/graphql.ts';
import { compareRows } from './compare-rows.ts';

type Car = ListingCard_ListingFragment;

const car = (change: Partial<Car>): Car => ({
  id: '1',
  carId: '1',
  title: 'Car',
  price: 10_000,
  photos: [],
  mileage: 50_000,
  transmission: 'automatic',
  trim: null,
  fuel: null,
  drive: null,
  body: null,
  titleStatus: null,
  color: 'blue',
  condition: null,
  location: { reverse_geocode: { city: 'Reno', state: 'NV' } },
  distance: 12.3,
  year: 2018,
  make: 'toyota',
  model: 'camry',
  isNew: false,
  viewed: false,
  saved: false,
  note: null,
  status: 'for_sale',
  marketplaceUrl: 'https://lot.example/',
  createdAt: '2026-01-01T00:00:00.000Z',
  alertIds: [],
  priceHistory: [],
  priceBand: null,
  daysOnMarket: 3,
  relists: 0,
  cautions: [],
  offers: [{ id: '1', source: 'Lot', price: 10_000, marketplaceUrl: 'https://lot.example/', status: 'for_sale' }],
  ...change,
});
const row = (name: string, ...cars: Car[]) => compareRows(cars).find((one) => one.name === name)?.cells;
const band = (middle: number) => ({
  low: middle - 2_000,
  middle,
  high: middle + 2_000,
  n: 40,
  rating: null,
  reason: null,
});

describe('a comparison', () => {
  it('marks the best value of a row in words, also where two cars have it', () => {
    expect(row('Price', car({ price: 9_000 }), car({ price: 8_000 }), car({ price: 8_000 }))).toEqual([
      { text: '$9,000' },
      { text: '$8,000', best: 'Lowest price' },
      { text: '$8,000', best: 'Lowest price' },
    ]);
    expect(row('Year', car({ year: 2016 }), car({ year: 2019 }))).toEqual([
      { text: '2016' },
      { text: '2019', best: 'Newest' },
    ]);
  });

  it('has rows for what some of the cars state of title, trim and drive', () => {
    expect(row('Title', car({ titleStatus: 'salvage' }), car({ titleStatus: 'clean' }), car({}))).toEqual([
      { text: 'Salvage title' },
      { text: 'Clean title' },
      { text: 'Not stated' },
    ]);
    expect(row('Drive', car({ drive: 'awd' }), car({ drive: 'other' }))).toEqual([
      { text: 'All-wheel drive' },
      { text: 'Not stated' },
    ]);
    expect(row('Trim', car({}), car({}))).toBeUndefined();
  });

  it('marks nothing where all are the same or only one is known', () => {
    expect(row('Mileage', car({}), car({}))).toEqual([{ text: '50,000 mi' }, { text: '50,000 mi' }]);
    expect(row('Mileage', car({ mileage: null }), car({}))).toEqual([{ text: 'Not stated' }, { text: '50,000 mi' }]);
    expect(row('Distance', car({ distance: null }), car({ distance: 0 }))).toEqual([
      { text: 'Not stated' },
      { text: '0 mi away' },
    ]);
  });

  it('compares prices with those of cars like each, and not with each other', () => {
    const cells = row(
      'Fair price',
      car({ price: 20_000, priceBand: band(25_000) }),
      car({ price: 9_000, priceBand: band(10_000) }),
      car({ price: 1_000 }),
    );
    expect(cells?.map(({ best }) => best)).toEqual(['Best against cars like it', undefined, undefined]);
    expect(cells?.[0]?.text).toBe(
      '8 of 10 cars like this one: $23,000 to $27,000 (middle $25,000), judged from 40 of its model',
    );
    expect(cells?.at(2)?.text).toBe('Not known');
  });

  it('says a day, offers and notes in words', () => {
    expect(row('Time on sale', car({ daysOnMarket: 1 }), car({ daysOnMarket: 0 }))).toEqual([
      { text: '1 day' },
      { text: 'Since today' },
    ]);
    const offer = { id: null, price: 1, marketplaceUrl: 'https://lot.example/', status: 'for_sale' as const };
    expect(
      row(
        'Offers',
        car({
          offers: [
            { ...offer, source: 'A' },
            { ...offer, source: 'B' },
          ],
        }),
      ),
    ).toEqual([{ text: '2 offers: A, B' }]);
    expect(row('Your note', car({ note: 'Rust' }), car({}))).toEqual([{ text: 'Rust' }, { text: '–' }]);
  });
});
