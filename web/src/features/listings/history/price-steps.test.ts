import { expect, it } from 'vitest';
import { type CarListing, priceEvents, priceSteps } from './price-steps.ts';

const now = new Date('2026-07-01T00:00:00Z');
const listing = (over: Partial<CarListing>): CarListing => ({
  source: 'Lot',
  status: 'for_sale',
  url: 'https://lot.example/1',
  price: 9_000,
  listedAt: '2026-06-01T00:00:00Z',
  lastSeenAt: '2026-06-30T00:00:00Z',
  isCurrent: false,
  prices: [{ price: 9_000, seenAt: '2026-06-01T00:30:00Z' }],
  ...over,
});
const ended = listing({
  status: 'gone',
  url: null,
  price: 8_500,
  lastSeenAt: '2026-06-10T00:00:00Z',
  prices: [
    { price: 9_000, seenAt: '2026-06-01T23:00:00Z' },
    { price: null, seenAt: '2026-06-03T00:00:00Z' },
    { price: 8_500, seenAt: '2026-06-05T00:00:00Z' },
  ],
});
const again = listing({
  listedAt: '2026-06-12T00:00:00Z',
  isCurrent: true,
  prices: [{ price: 9_100, seenAt: '2026-06-12T00:00:00Z' }],
});

it('draws each listing from the first price that we saw until it ended, or until now', () => {
  const steps = priceSteps([ended, again], now).map(({ points, ...rest }) => ({
    ...rest,
    points: points.map(({ at, price }) => `${at.toISOString().slice(5, 10)} ${price}`),
  }));
  expect(steps).toEqual([
    { source: 'Lot', isCurrent: false, hasEnded: true, points: ['06-01 9000', '06-05 8500', '06-10 8500'] },
    { source: 'Lot', isCurrent: true, hasEnded: false, points: ['06-12 9100', '07-01 9100'] },
  ]);
  expect(
    priceSteps([listing({ price: null, prices: [{ price: null, seenAt: '2026-06-02T00:00:00Z' }] })], now),
  ).toEqual([]);
});

it('says what happened to the price, over all listings', () => {
  const sold = listing({
    source: 'Market',
    status: 'sold',
    listedAt: '2026-06-04T00:00:00Z',
    prices: [{ price: 9_000, seenAt: '2026-06-04T00:05:00Z' }],
  });
  expect(
    priceEvents([ended, sold, again]).map(({ at, source, what, price }) =>
      [at.toISOString().slice(5, 10), source, what, price].join(' '),
    ),
  ).toEqual([
    '06-01 Lot Listed 9000',
    '06-03 Lot Price removed ',
    '06-04 Market Listed 9000',
    '06-05 Lot Price stated 8500',
    '06-10 Lot No longer listed 8500',
    '06-12 Lot Listed again 9100',
    '06-30 Market Sold 9000',
  ]);
});

it('invents no price for the time before we first saw a car', () => {
  const old = listing({
    listedAt: '2025-11-27T00:00:00Z',
    prices: [{ price: 34_320, seenAt: '2026-06-30T12:00:00Z' }],
  });
  const shown = priceEvents([old]).map(({ at, what, price }) => `${at.toISOString().slice(0, 10)} ${what} ${price}`);
  expect(shown).toEqual(['2026-06-30 First seen by us 34320']);
  expect(priceSteps([old], now)[0]?.points[0]?.at.toISOString()).toBe('2026-06-30T12:00:00.000Z');
});
