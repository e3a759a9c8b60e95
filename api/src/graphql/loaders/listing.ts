import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from '../../base/database.ts';
import { Listing } from '../../entities/listing.ts';
import { batch, type OwnKey, ownColumns, ownText } from './batch.ts';
import { asEntities, columnsOf } from './entity-rows.ts';

export function listingLoader(pool: Pool, em: EntityManager) {
  const text = `select ${columnsOf(em, Listing, 'l')} from listings l where l.id = any($1::int8[])`;
  return batch<number, Listing>(async (ids) => {
    const { rows } = await pool.query<object>({ name: 'load-listings', text, values: [ids] });
    return new Map(asEntities(Listing, rows).map((listing) => [String(listing.id), listing]));
  });
}

/** What a listing is to one buyer. */
export interface ListingForBuyer {
  alertIds: number[];
  /** Of these and of the car's other listings. */
  carAlertIds: number[];
  /** Miles to the nearest of the buyer's matching alerts; null without a match. */
  distance: number | null;
  viewed: boolean;
  isNew: boolean;
}

/** The buyer's alerts are few and the listing's may be thousands: "offset 0" has the planner begin with the former. */
const forBuyer = `
  select k.user_id as "userId", k.id, coalesce(m.ids, '{}') as "alertIds", m.distance,
         coalesce(c.ids, m.ids, '{}') as "carAlertIds", v.user_id is not null as viewed,
         v.user_id is null and coalesce(m.matched_at > now() - interval '24 hours', false) as "isNew"
    from unnest($1::int8[], $2::int8[]) k (user_id, id)
    left join lateral (
      select array_agg(a.id::int4 order by m.distance_miles, a.id) as ids, min(m.distance_miles)::float8 as distance,
             max(m.matched_at) as matched_at
        from alerts a
       cross join lateral (
         select distance_miles, matched_at from matches
          where listing_id = k.id and alert_id = a.id and alert_version = a.version offset 0) m
       where a.user_id = k.user_id) m on true
    left join lateral (
      select array_agg(id::int4 order by distance, id) as ids
        from (select a.id, min(m.distance_miles) as distance
                from listings l
                join listings o on o.car_id = l.car_id
               cross join lateral (select id, version from alerts where user_id = k.user_id offset 0) a
               cross join lateral (
                 select distance_miles from matches
                  where listing_id = o.id and alert_id = a.id and alert_version = a.version offset 0) m
               where l.id = k.id group by a.id) of_car) c on true
    left join listing_views v on v.listing_id = k.id and v.user_id = k.user_id`;

export function listingForBuyerLoader(pool: Pool) {
  return batch<OwnKey, ListingForBuyer>(async (keys) => {
    const { rows } = await pool.query<ListingForBuyer & OwnKey>({
      name: 'load-listings-for-buyer',
      text: forBuyer,
      values: ownColumns(keys),
    });
    return new Map(rows.map((row) => [ownText(row), row]));
  }, ownText);
}
