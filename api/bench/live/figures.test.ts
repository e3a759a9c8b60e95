import { expect, it } from 'vitest';
import type { TestListing } from '../../test/matching/match-rows.ts';
import { makeOracle } from '../rig/oracle.ts';
import { alertOf, itemForAll, itemForGroup, makeGroups } from './cars.ts';
import { latenciesOf, median, percentilesOf, tally } from './figures.ts';

const pushed = new Map([
  [1, { receivedAt: 100, to: [0, 1] }],
  [2, { receivedAt: 200, to: [2] }],
]);
const delivered = (carNumber: number, subscriber: number, at = 0) => ({ carNumber, subscriber, at });

it('counts what was missed, doubled and delivered to strangers', () => {
  expect(tally([{ pushed, delivered: [delivered(1, 0), delivered(1, 1), delivered(2, 2)] }])).toEqual({
    missed: 0,
    doubled: 0,
    strangers: 0,
  });
  const bad = [delivered(1, 0), delivered(1, 0), delivered(2, 1), delivered(9, 0)];
  expect(tally([{ pushed, delivered: bad }])).toEqual({ missed: 2, doubled: 1, strangers: 2 });
});

it('measures the time from push to delivery', () => {
  expect(latenciesOf({ pushed, delivered: [delivered(2, 2, 260), delivered(1, 0, 110)] })).toEqual([10, 60]);
  expect(percentilesOf([1, 2, 3, 4])).toEqual({ p50Ms: 3, p95Ms: 4, p99Ms: 4 });
  expect(median([9, 1, 5])).toBe(5);
});

it('makes cars that fit a single group, and cars that fit all', () => {
  const groups = makeGroups(1000);
  expect(groups.map(({ members }) => members.length)).toEqual(Array.from({ length: 100 }, () => 10));
  const oracle = makeOracle(groups.map(alertOf));
  const listingOf = (item: ReturnType<typeof itemForAll>): TestListing => ({
    make: 'toyota',
    model: 'camry',
    year: Number(item.marketplace_listing_title.slice(0, 4)),
    price: Number(item.listing_price.amount),
    color: item.vehicle_exterior_color,
    imageUrl: null,
    lat: item.location.latitude,
    lng: item.location.longitude,
  });
  for (const carNumber of [1, 899, 12_345]) {
    for (const [at, group] of groups.entries()) {
      expect(oracle.fittingAlerts(listingOf(itemForGroup(carNumber, group)))).toEqual([at]);
    }
    expect(oracle.fittingAlerts(listingOf(itemForAll(carNumber)))).toHaveLength(groups.length);
  }
});
