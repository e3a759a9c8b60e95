import { ListingStatus } from '../facts/listing-facts.ts';

/** One listing of a car, as far as it says how long the car is for sale. */
export interface MarketListing {
  source: string;
  status: ListingStatus;
  /** When the seller listed it, else when it was first seen. */
  listedAt: Date;
  seenAt: Date;
  lastSeenAt: Date;
}

export interface MarketTime {
  /** Whole days since the car was first listed, until today or until its last listing ended. */
  daysOnMarket: number;
  /** How often it was listed again: at a source that had listed it before, or anywhere after its other listings had ended. */
  relists: number;
}

const dayMs = 24 * 3_600_000;
const hasEnded = ({ status }: MarketListing): boolean => status === ListingStatus.sold || status === ListingStatus.gone;

/**
 * For how long a car is on the market, over all of its listings. Two sources that offer it at the same time are no relist.
 * @param listings all listings of one car, at least one
 */
export function marketTime(listings: readonly MarketListing[], now: Date): MarketTime {
  const inOrder = listings.toSorted((a, b) => a.seenAt.getTime() - b.seenAt.getTime());
  const relists = inOrder.filter((listing, at) => {
    const earlier = inOrder.slice(0, at);
    return (
      earlier.some(({ source }) => source === listing.source) ||
      (at > 0 && earlier.every((other) => hasEnded(other) && other.lastSeenAt <= listing.seenAt))
    );
  }).length;
  const first = Math.min(...listings.map(({ listedAt }) => listedAt.getTime()));
  const last = listings.every(hasEnded)
    ? Math.max(...listings.map(({ lastSeenAt }) => lastSeenAt.getTime()))
    : now.getTime();
  return { daysOnMarket: Math.max(0, Math.floor((last - first) / dayMs)), relists };
}
