import type { Page } from 'playwright-core';
import { answering, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const listing = (source: string, from: number, to: number, status: string, prices: [number, number][]) => ({
  __typename: 'CarListing',
  source,
  status,
  url: null,
  price: prices.at(-1)?.[1] ?? null,
  listedAt: daysAgo(from),
  lastSeenAt: daysAgo(to),
  isCurrent: to === 0 && source === 'City cars',
  prices: prices.map(([ago, price]) => ({ __typename: 'PricePoint', price, seenAt: daysAgo(ago) })),
});

/** A car that was listed twice at one source and once at another. */
const carHistory = [
  listing('City cars', 62, 25, 'gone', [
    [62, 46_900],
    [48, 45_500],
    [33, 43_900],
  ]),
  listing('City cars', 20, 0, 'for_sale', [
    [20, 44_500],
    [6, 41_500],
  ]),
  listing('Corner lot', 12, 0, 'for_sale', [[12, 42_900]]),
];

/** Prices that fall with the mileage, with some noise. */
const comparableCars = {
  __typename: 'ComparableCars',
  n: 212,
  reason: null,
  points: Array.from({ length: 120 }, (_, index) => ({
    __typename: 'ComparableCar',
    title: `${2018 + (index % 6)} Toyota Supra 3.0`,
    year: 2018 + (index % 6),
    mileage: 1_500 + index * 610,
    price: Math.round(53_000 - index * 150 + Math.sin(index * 12.9) * 4_600 + (index % 6) * 700),
  })),
  band: Array.from({ length: 12 }, (_, step) => {
    const middle = 54_500 - step * 1_650;
    const range = { low: Math.round(middle * 0.86), middle, high: Math.round(middle * 1.15) };
    return { __typename: 'BandPoint', mileage: 1_000 + step * 6_700, ...range };
  }),
};

const openCharts = (page: Page) => page.getByRole('article').first().locator('summary').last().click();

const state = {
  who: 'user',
  path: ({ alerts }: Fixtures) => `/alert/${alerts.supra}`,
  texts: [],
  sizes: ['phone', 'desktop'],
  act: openCharts,
} as const;

export const carChartStates: readonly State[] = [
  {
    ...state,
    name: 'car-charts/filled',
    also: ['Price history', 'Listed again', 'No longer listed', 'Similar cars', 'This car', 'All cars in a table'],
    async prepare(page) {
      await answering(page, 'CarHistory', { carHistory });
      await answering(page, 'ComparableCars', { comparableCars });
    },
  },
  {
    ...state,
    name: 'car-charts/refused',
    also: [
      'The price has not changed since we first saw the car.',
      'Prices of cars like this one differ too much to tell a fair price.',
    ],
    async prepare(page) {
      await answering(page, 'CarHistory', { carHistory: carHistory.slice(2) });
      const nothing = { points: [], band: [] };
      await answering(page, 'ComparableCars', {
        comparableCars: { ...comparableCars, ...nothing, reason: 'wide_spread' },
      });
    },
  },
  {
    ...state,
    name: 'car-charts/loading',
    sizes: ['desktop'],
    also: ['Loading the price history', 'Loading similar cars'],
    prepare: (page) => holding(page, ['CarHistory', 'ComparableCars']),
  },
  {
    ...state,
    name: 'car-charts/failed',
    sizes: ['phone'],
    also: [/^The price history could not be loaded\./, /^Similar cars could not be loaded\./, 'Try again'],
    prepare: (page) => failing(page, ['CarHistory', 'ComparableCars'], INTERNAL_ERROR),
  },
];
