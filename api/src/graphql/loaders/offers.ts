import type { Pool } from '../../base/database.ts';
import type { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { sourceLabel } from '../../domain/same-car/source-label.ts';
import { isSuperseded } from '../superseded.ts';
import { batch } from './batch.ts';

/** The listings of one car: `l` is the one that was asked for, `o` each of them. */
const withCar = `
  from listings l
 cross join lateral (
   select * from listings where id = l.id
   union all
   select * from listings where car_id = l.car_id and id <> l.id) o`;

export interface OfferSeen {
  id: number | null;
  source: string;
  price: number | null;
  url: string | null;
  status: ListingStatus;
  createdAt: Date | null;
  isCurrent: boolean;
}

/**
 * Where the car of a listing is offered, what is for sale and cheapest first. What is gone, or was listed anew by the
 * same source, is no offer. A listing that is no match of the buyer's own is told by source, price and address only.
 */
export function offersLoader(pool: Pool, userId: number) {
  return batch<number, OfferSeen[]>(async (ids) => {
    const { rows } = await pool.query<OfferSeen & { listingId: number; isOwn: boolean }>(
      `select * from (
         select l.id as "listingId", o.id, o.source, o.price, o.url, o.status,
                coalesce(o.listed_at, o.seen_at) as "createdAt", o.id = l.id as "isCurrent",
                exists (select from matches m join alerts a on a.id = m.alert_id and a.version = m.alert_version
                         where m.listing_id = o.id and a.user_id = $1) as "isOwn"
           ${withCar}
          where l.id = any($2::int8[]) and o.status <> 'gone' and not ${isSuperseded('o')}) offers
        where "isOwn" or "isCurrent" or status = 'for_sale'
        order by "listingId", status <> 'for_sale', price nulls last, "createdAt" desc, id desc`,
      [userId, ids],
    );
    const offers = new Map<string, OfferSeen[]>();
    for (const { listingId, isOwn, ...offer } of rows) {
      const isKnown = isOwn || offer.isCurrent;
      const told = { ...offer, source: sourceLabel(offer.source), ...(!isKnown && { id: null, createdAt: null }) };
      const list = offers.get(String(listingId));
      if (list) list.push(told);
      else offers.set(String(listingId), [told]);
    }
    return offers;
  });
}

export interface PriceSeen {
  price: number | null;
  seenAt: Date;
}

/** What a source asked for the car, under whatever id, oldest first; equal prices in a row stand once. */
export function priceHistoryLoader(pool: Pool) {
  return batch<number, PriceSeen[]>(async (ids) => {
    const { rows } = await pool.query<PriceSeen & { listingId: number }>(
      `select l.id as "listingId", case when p.listing_id is null then o.price else p.price end as price,
              coalesce(p.seen_at, o.seen_at) as "seenAt"
         ${withCar}
         left join price_changes p on p.listing_id = o.id
        where l.id = any($1::int8[]) and o.source = l.source
        order by l.id, 3, o.id`,
      [ids],
    );
    const histories = new Map<string, PriceSeen[]>();
    for (const { listingId, ...seen } of rows) {
      const history = histories.get(String(listingId));
      if (!history) histories.set(String(listingId), [seen]);
      else if (history.at(-1)?.price !== seen.price) history.push(seen);
    }
    return histories;
  });
}
