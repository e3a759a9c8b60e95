import type { Queryable } from '../base/database.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { isNewsToBuyer } from './new-cars.ts';

/** What a listing is to one buyer. */
export interface ListingForBuyer {
  alertIds: number[];
  /** The buyer's alerts that match this listing or another one of the same car. */
  carAlertIds: number[];
  /** Miles to the nearest of the buyer's matching alerts; null without a match. */
  distance: number | null;
  viewed: boolean;
  saved: boolean;
  /** Whether one of the buyer's alerts has dismissed the car, under this listing or another one of it. */
  hidden: boolean;
  isNew: boolean;
}

/**
 * The columns of `ListingForBuyer`, and their joins to `k (user_id, id)`, the buyer and the listing. A buyer has few
 * alerts and a listing may match thousands, so "offset 0" makes the planner begin with the buyer's.
 */
export const listingForBuyer = {
  columns: `
    coalesce(mine.ids, '{}') as "alertIds", coalesce(of_car.ids, mine.ids, '{}') as "carAlertIds", mine.distance,
    v.user_id is not null as viewed, s.user_id is not null as saved,
    coalesce(of_car.hidden, mine.hidden, false) as hidden,
    v.user_id is null and coalesce(mine.is_news, false) as "isNew"`,
  joins: `
    left join lateral (
      select array_agg(a.id::int4 order by m.distance_miles, a.id) filter (where m.is_shown) as ids,
             min(m.distance_miles) filter (where m.is_shown)::float8 as distance,
             bool_or(m.is_shown and ${isNewsToBuyer('m', 'a', '(select seen_at from listings where id = k.id)')}) as is_news,
             bool_or(not m.is_shown) as hidden
        from alerts a
       cross join lateral (
         select distance_miles, matched_at, alert_version = a.version as is_shown from matches
          where listing_id = k.id and alert_id = a.id and user_id = k.user_id and alert_version in (a.version, ${DISMISSED}) offset 0) m
       where a.user_id = k.user_id) mine on true
    left join lateral (
      select array_agg(id::int4 order by distance, id) filter (where distance is not null) as ids,
             bool_or(is_hidden) as hidden
        from (select a.id, min(m.distance_miles) filter (where m.is_shown) as distance,
                     bool_or(not m.is_shown) as is_hidden
                from listings this
                join listings o on o.car_id = this.car_id
               cross join lateral (select id, version from alerts where user_id = k.user_id offset 0) a
               cross join lateral (
                 select distance_miles, alert_version = a.version as is_shown from matches
                  where listing_id = o.id and alert_id = a.id and user_id = k.user_id and alert_version in (a.version, ${DISMISSED}) offset 0) m
               where this.id = k.id group by a.id) each) of_car on true
    left join listing_views v on v.listing_id = k.id and v.user_id = k.user_id
    left join saved_listings s on s.listing_id = k.id and s.user_id = k.user_id and s.removed_at is null`,
} as const;

/** A buyer and a listing's id. */
export interface BuyerListing {
  userId: number;
  id: number;
}

const columnsOf = (keys: readonly BuyerListing[]): [number[], number[]] => [
  keys.map(({ userId }) => userId),
  keys.map(({ id }) => id),
];

/** Reads what listings are to buyers, for keys that differ. */
export async function readListingsForBuyers(
  db: Queryable,
  keys: readonly BuyerListing[],
): Promise<(ListingForBuyer & BuyerListing)[]> {
  const { rows } = await db.query<ListingForBuyer & BuyerListing>({
    name: 'load-listings-for-buyer',
    text: `
      select k.user_id as "userId", k.id, ${listingForBuyer.columns}
        from unnest($1::int8[], $2::int8[]) k (user_id, id) ${listingForBuyer.joins}`,
    values: columnsOf(keys),
  });
  return rows;
}

/** Reads which of these listings are matches of their buyers. */
export async function readMatchedListings(db: Queryable, keys: readonly BuyerListing[]): Promise<BuyerListing[]> {
  const { rows } = await db.query<BuyerListing>({
    name: 'load-matched-listings',
    text: `select k.user_id as "userId", k.id from unnest($1::int8[], $2::int8[]) k (user_id, id)
       where exists (select from alerts a
              cross join lateral (
                select from matches where listing_id = k.id and alert_id = a.id and user_id = k.user_id and alert_version = a.version offset 0) m
              where a.user_id = k.user_id)`,
    values: columnsOf(keys),
  });
  return rows;
}

/** Records that a user has viewed a listing. The account is locked, so that nothing is written of one that is erased meanwhile. */
export async function markListingViewed(db: Queryable, userId: number, listingId: number): Promise<void> {
  await db.query(
    `/* listing-viewed */ insert into listing_views (user_id, listing_id)
     select id, $2 from users where id = $1 for key share on conflict do nothing`,
    [userId, listingId],
  );
}
