import type { Pool } from '../../base/database.ts';
import type { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { isSuperseded } from '../superseded.ts';
import { batch, type OwnKey, ownColumns, ownText } from './batch.ts';

/** A source's name in words: `lot-of-bob` is "Lot of bob". */
function sourceLabel(name: string): string {
  const words = name.replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The listings of one car: `l` is the one that was asked for, `o` each of them. "offset 0": see `isSuperseded`. */
const withCar = `
  from listings l
 cross join lateral (
   select * from listings where id = l.id
   union all
   select * from (select * from listings where car_id = l.car_id offset 0) c where id <> l.id) o`;

/** One listing of the car; whether the buyer may know its number is not asked here. */
export interface CarOffer {
  id: number;
  source: string;
  price: number | null;
  url: string | null;
  status: ListingStatus;
  createdAt: Date | null;
  isCurrent: boolean;
}

/** Where the car of a listing is offered, what is for sale and cheapest first; not what is gone or was listed anew. */
export function carOffersLoader(pool: Pool) {
  return batch<number, CarOffer[]>(async (ids) => {
    const { rows } = await pool.query<CarOffer & { listingId: number }>({
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
      const told = { ...offer, source: sourceLabel(offer.source) };
      const list = offers.get(String(listingId));
      if (list) list.push(told);
      else offers.set(String(listingId), [told]);
    }
    return offers;
  });
}

/** Whether a listing is a match of the buyer's own. */
export function isOwnLoader(pool: Pool) {
  return batch<OwnKey, true>(async (keys) => {
    const { rows } = await pool.query<OwnKey>({
      name: 'load-own',
      text: `select k.user_id as "userId", k.id from unnest($1::int8[], $2::int8[]) k (user_id, id)
       where exists (select from alerts a
              cross join lateral (
                select from matches where listing_id = k.id and alert_id = a.id and alert_version = a.version offset 0) m
              where a.user_id = k.user_id)`,
      values: ownColumns(keys),
    });
    return new Map(rows.map((row) => [ownText(row), true]));
  }, ownText);
}

export interface PriceSeen {
  price: number | null;
  seenAt: Date;
}

/** What a source asked for the car, under whatever id, oldest first; equal prices in a row stand once. */
export function priceHistoryLoader(pool: Pool) {
  return batch<number, PriceSeen[]>(async (ids) => {
    const { rows } = await pool.query<PriceSeen & { listingId: number }>({
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
  });
}
