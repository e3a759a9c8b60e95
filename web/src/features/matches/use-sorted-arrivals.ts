import { useState } from 'react';
import type { AlertMatchesQuery, ListFilter } from '../../gql/graphql.ts';
import { type ArrivedListing, lastArrival, liveArrivals } from '../../lib/state/live-arrivals.ts';
import { useStore } from '../../lib/state/store.ts';
import { priceBefore } from '../listings/listing-facts.ts';

const meets = {
  new: ({ isNew }) => isNew,
  price_drop: ({ price, priceHistory }) => priceBefore(priceHistory, price)?.isLower ?? false,
  saved: ({ saved }) => saved,
  below_fair_price: ({ priceBand }) => priceBand?.rating === 'great' || priceBand?.rating === 'good',
} as const satisfies Record<ListFilter, (listing: ArrivedListing) => boolean>;

/**
 * Counts the cars that arrived since a list was read that live matches can't be added to, because it is sorted or filtered.
 * @returns `countFrom` begins a new count after this arrival
 */
export function useSortedArrivals(
  alertId: string,
  only: readonly ListFilter[],
  nodes: AlertMatchesQuery['matches']['nodes'],
): { count: number; countFrom: (number: number) => void } {
  const [from, setFrom] = useState(lastArrival);
  const arrivals = useStore(liveArrivals);
  const known = new Set(nodes.map(({ listing }) => listing.id));
  const cars = arrivals.filter(
    ({ number, alertId: of, listing }) =>
      number > from && of === alertId && !known.has(listing.id) && only.every((filter) => meets[filter](listing)),
  );
  return {
    count: new Set(cars.map(({ listing }) => listing.carId)).size,
    countFrom: setFrom,
  };
}
