import type { Queryable } from '../base/database.ts';
import type { ListingStatus } from '../domain/facts/listing-facts.ts';
import { lastSeen } from '../intake/last-seen.ts';
import { sourceLabel, withCar } from './car-offers.ts';

/** One listing of a car with all of its prices. */
export interface CarListing {
  source: string;
  status: ListingStatus;
  /** The listing's own page, while its source shows it. */
  url: string | null;
  price: number | null;
  listedAt: Date;
  lastSeenAt: Date;
  isCurrent: boolean;
  /** Oldest first; the first one has the time at which the listing was first seen. */
  prices: { price: number | null; seenAt: Date }[];
}

/** Most listings of a car that are read, the newest. */
export const MAX_LISTINGS = 30;
/** Most prices of a listing that are read, the newest. */
export const MAX_PRICES = 50;

interface Row extends Omit<CarListing, 'prices'> {
  seenAt: Date;
  prices: { price: number | null; seenAt: string }[] | null;
}

/** Reads all listings of a listing's car, whether they are still there or not; the one that was listed first comes first. */
export async function readCarHistory(db: Queryable, listingId: number): Promise<CarListing[]> {
  const { rows } = await db.query<Row>({
    name: 'read-car-history',
    text: `select o.source, o.status, case when o.status <> 'gone' then o.url end as url, o.price,
            coalesce(o.listed_at, o.seen_at) as "listedAt", o.seen_at as "seenAt", ${lastSeen('o')} as "lastSeenAt",
            o.id = l.id as "isCurrent",
            (select json_agg(json_build_object('price', p.price, 'seenAt', p.seen_at) order by p.seen_at)
               from (select price, seen_at from price_changes where listing_id = o.id
                      order by seen_at desc limit ${MAX_PRICES}) p) as prices
       ${withCar}
      where l.id = $1
      order by o.id = l.id desc, o.seen_at desc, o.id desc limit ${MAX_LISTINGS}`,
    values: [listingId],
  });
  return rows
    .toSorted((a, b) => a.listedAt.getTime() - b.listedAt.getTime())
    .map(({ seenAt, prices, ...listing }) => ({
      ...listing,
      source: sourceLabel(listing.source),
      prices: prices?.map((one) => ({ price: one.price, seenAt: new Date(one.seenAt) })) ?? [
        { price: listing.price, seenAt },
      ],
    }));
}
