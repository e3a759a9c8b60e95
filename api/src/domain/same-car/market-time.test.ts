import { expect, it } from 'vitest';
import { ListingStatus } from '../facts/listing-facts.ts';
import { type MarketListing, marketTime } from './market-time.ts';

const { forSale, gone, sold, pending } = ListingStatus;
const now = new Date('2026-07-01T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
/** A listing that began and was last seen so many days ago. */
const offer = (source: string, first: number, last: number, status = forSale): MarketListing => ({
  source,
  status,
  listedAt: daysAgo(first),
  seenAt: daysAgo(first),
  lastSeenAt: daysAgo(last),
});

it.each<[string, MarketListing[], number, number]>([
  ['a new car', [offer('a', 0.9, 0)], 0, 0],
  ['a car that was seen yesterday and is for sale', [offer('a', 30, 1)], 30, 0],
  ['a pending car', [offer('a', 30, 1, pending)], 30, 0],
  ['a sold car', [offer('a', 30, 10, sold)], 20, 0],
  [
    'a car that its source listed three times',
    [offer('a', 2, 0), offer('a', 60, 31, gone), offer('a', 30, 3, gone)],
    60,
    2,
  ],
  ['a car that its source shows twice', [offer('a', 20, 0), offer('a', 5, 0)], 20, 1],
  ['two sources at the same time', [offer('a', 20, 0), offer('b', 5, 0)], 20, 0],
  ['two sources at the same time, of which one ended later', [offer('a', 20, 2, sold), offer('b', 5, 0)], 20, 0],
  ['another source after the first ended', [offer('a', 20, 10, gone), offer('b', 5, 0)], 20, 1],
  ['a car that was sold after a relist', [offer('a', 20, 10, gone), offer('a', 9, 5, sold)], 15, 1],
])('counts the days and relists of %s', (_what, listings, daysOnMarket, relists) => {
  expect(marketTime(listings, now)).toEqual({ daysOnMarket, relists });
  expect(marketTime(listings.toReversed(), now)).toEqual({ daysOnMarket, relists });
});

it('counts from the day on which the seller listed it, and never less than none', () => {
  expect(marketTime([{ ...offer('a', 1, 0), listedAt: daysAgo(40) }], now).daysOnMarket).toBe(40);
  expect(marketTime([{ ...offer('a', 1, 3, gone) }], now).daysOnMarket).toBe(0);
});
