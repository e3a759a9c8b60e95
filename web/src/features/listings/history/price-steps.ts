import type { CarHistoryQuery } from '../../../gql/graphql.ts';

export type CarListing = CarHistoryQuery['carHistory'][number];

export interface PricePoint {
  at: Date;
  price: number;
}

/** The prices of one listing, from when we first saw one until it ended or until now. */
export interface PriceSteps {
  source: string;
  isCurrent: boolean;
  hasEnded: boolean;
  points: PricePoint[];
}

const hasEnded = ({ status }: CarListing) => status === 'sold' || status === 'gone';

/** The steps of each listing that stated a price. Times without one are left out. */
export function priceSteps(listings: readonly CarListing[], now: Date): PriceSteps[] {
  return listings.flatMap((listing) => {
    const stated = listing.prices.flatMap(({ price, seenAt }) =>
      price == null ? [] : { at: new Date(seenAt), price },
    );
    const [first] = stated;
    const last = stated.at(-1);
    if (!first || !last) return [];
    const end = hasEnded(listing) ? new Date(listing.lastSeenAt) : now;
    const points = end > last.at ? [...stated, { at: end, price: last.price }] : stated;
    return { source: listing.source, isCurrent: listing.isCurrent, hasEnded: hasEnded(listing), points };
  });
}

export interface PriceEvent {
  at: Date;
  source: string;
  what: string;
  price: number | null;
  url: string | null;
}

/** A source is read within a day of most listings; what a car cost before that, nobody has seen. */
const SEEN_WITHIN_MS = 86_400_000;

const wasSeenSoon = (listedAt: string, seenAt: string | undefined): boolean =>
  seenAt === undefined || Date.parse(seenAt) - Date.parse(listedAt) < SEEN_WITHIN_MS;

/**
 * What happened to the car's price as far as we saw it, oldest first: each listing, each change, and each end. A car that
 * was listed long before we saw it begins with our first sight of it.
 */
export function priceEvents(listings: readonly CarListing[]): PriceEvent[] {
  const listed = new Set<string>();
  const events = listings.flatMap((listing): PriceEvent[] => {
    const { source, url = null, prices } = listing;
    const isListing = wasSeenSoon(listing.listedAt, prices[0]?.seenAt);
    const began = listed.has(source) ? 'Listed again' : isListing ? 'Listed' : 'First seen by us';
    listed.add(source);
    const changes = prices.map(({ price = null, seenAt }, index): PriceEvent => {
      const before = prices[index - 1]?.price ?? null;
      const what =
        index === 0
          ? began
          : price === null
            ? 'Price removed'
            : before === null
              ? 'Price stated'
              : price < before
                ? 'Price lowered'
                : 'Price raised';
      return { at: new Date(index === 0 && isListing ? listing.listedAt : seenAt), source, what, price, url };
    });
    const ended = { at: new Date(listing.lastSeenAt), source, price: listing.price ?? null, url };
    if (listing.status === 'sold') changes.push({ ...ended, what: 'Sold' });
    if (listing.status === 'gone') changes.push({ ...ended, what: 'No longer listed' });
    return changes;
  });
  return events.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
