import type { Queryable } from '../base/database.ts';
import type { ListingStatus } from '../domain/facts/listing-facts.ts';
import { lastSeen } from '../intake/last-seen.ts';

/**
 * An SQL condition: the source has since relisted the car of listing `listing` (an alias) and no longer shows the old
 * listing. Both dates are compared, because a source that is read newest first shows the relisting first. "offset 0"
 * keeps the planner from reading the index of everything that the source ever listed.
 */
const isSuperseded = (listing: string): string => `
  exists (select from (select * from listings where car_id = ${listing}.car_id offset 0) newer
           where newer.source = ${listing}.source and newer.id <> ${listing}.id
             and newer.seen_at > ${lastSeen(listing)}
             and coalesce(newer.listed_at, newer.seen_at) >= coalesce(${listing}.listed_at, ${listing}.seen_at))`;

/** Returns a source's name in words: `lot-of-bob` is "Lot of bob". */
export function sourceLabel(name: string): string {
  const words = name.replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Joins all listings of the car: `l` is the requested one, `o` each of them. "offset 0" as in `isSuperseded`. */
export const withCar = `
  from listings l
 cross join lateral (
   select * from listings where id = l.id
   union all
   select * from (select * from listings where car_id = l.car_id offset 0) c where id <> l.id) o`;

/** One listing of the car, whether the user may see its number or not. */
export interface CarOffer {
  id: number;
  /** Name of the source, as it is stored. */
  source: string;
  price: number | null;
  url: string | null;
  status: ListingStatus;
  createdAt: Date | null;
  isCurrent: boolean;
}

/**
 * Reads the offers of listings' cars by the listing's id as text: those for sale first, then by price, without gone and
 * relisted ones.
 */
export async function readCarOffers(db: Queryable, ids: readonly number[]): Promise<Map<string, CarOffer[]>> {
  const { rows } = await db.query<CarOffer & { listingId: number }>({
    name: 'load-offers',
    text: `
     select l.id as "listingId", o.id, o.source, o.price, o.url, o.status,
            coalesce(o.listed_at, o.seen_at) as "createdAt", o.id = l.id as "isCurrent"
       ${withCar}
      where l.id = any($1::int8[]) and o.status <> 'gone' and not ${isSuperseded('o')}
      order by 1, o.status <> 'for_sale', o.price nulls last, "createdAt" desc, o.id desc`,
    values: [ids],
  });
  const offers = new Map<string, CarOffer[]>();
  for (const { listingId, ...offer } of rows) {
    const list = offers.get(String(listingId));
    if (list) list.push(offer);
    else offers.set(String(listingId), [offer]);
  }
  return offers;
}

export interface PriceSeen {
  price: number | null;
  seenAt: Date;
}

/**
 * Reads the prices of listings' cars by the listing's id as text: at the listing's source under all ids of the car, oldest
 * first, without repeated equal prices.
 */
export async function readPriceHistories(db: Queryable, ids: readonly number[]): Promise<Map<string, PriceSeen[]>> {
  const { rows } = await db.query<PriceSeen & { listingId: number }>({
    name: 'load-price-histories',
    text: `select l.id as "listingId", case when p.listing_id is null then o.price else p.price end as price,
            coalesce(p.seen_at, o.seen_at) as "seenAt"
       ${withCar}
       left join price_changes p on p.listing_id = o.id
      where l.id = any($1::int8[]) and o.source = l.source
      order by l.id, 3, o.id`,
    values: [ids],
  });
  const histories = new Map<string, PriceSeen[]>();
  for (const { listingId, ...seen } of rows) {
    const history = histories.get(String(listingId));
    if (!history) histories.set(String(listingId), [seen]);
    else if (history.at(-1)?.price !== seen.price) history.push(seen);
  }
  return histories;
}

const RECENT = 50;

/**
 * Returns the listings of a user's newest matches, newest first, each car once: of its matching listings the cheapest
 * that is for sale.
 */
export async function readRecentListingIds(db: Queryable, userId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `with newest as (
       select l.id, coalesce(l.car_id, l.id) as car, l.price, l.status, m.matched_at, ${isSuperseded('l')} as is_past
         from alerts a
        cross join lateral (
          select listing_id, matched_at from matches
           where alert_id = a.id and user_id = $1 and alert_version = a.version
           order by position desc, listing_id desc limit $2) m
         join listings l on l.id = m.listing_id
        where a.user_id = $1)
     select (array_agg(id order by is_past, status <> 'for_sale', price nulls last, matched_at desc, id desc))[1] as id
       from newest group by car
      order by max(matched_at) desc, max(id) desc limit $3`,
    [userId, RECENT * 2, RECENT],
  );
  return rows.map((row) => row.id);
}
