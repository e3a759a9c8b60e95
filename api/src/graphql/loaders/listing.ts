import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from '../../base/database.ts';
import { Listing } from '../../entities/listing.ts';
import { batch } from './batch.ts';

export function listingLoader(em: EntityManager) {
  return batch<number, Listing>(async (ids) => {
    const listings = await em.find(Listing, { id: { $in: ids } }, { disableIdentityMap: true });
    return new Map(listings.map((listing) => [String(listing.id), listing]));
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

export function listingForBuyerLoader(pool: Pool, userId: number) {
  return batch<number, ListingForBuyer>(async (ids) => {
    const { rows } = await pool.query<ListingForBuyer & { listingId: number }>(
      `select l.id as "listingId", coalesce(m.ids, '{}') as "alertIds", m.distance,
              coalesce(c.ids, m.ids, '{}') as "carAlertIds", v.user_id is not null as viewed,
              v.user_id is null and coalesce(m.matched_at > now() - interval '24 hours', false) as "isNew"
         from unnest($2::int8[]) as l (id)
         left join (
           select m.listing_id, array_agg(m.alert_id::int4 order by m.distance_miles, m.alert_id) as ids,
                  min(m.distance_miles)::float8 as distance, max(m.matched_at) as matched_at
             from matches m join alerts a on a.id = m.alert_id and a.version = m.alert_version
            where a.user_id = $1 and m.listing_id = any($2::int8[]) group by m.listing_id) m on m.listing_id = l.id
         left join (
           select id, array_agg(alert_id::int4 order by distance, alert_id) as ids
             from (select l.id, m.alert_id, min(m.distance_miles) as distance
                     from listings l join listings o on o.car_id = l.car_id join matches m on m.listing_id = o.id
                     join alerts a on a.id = m.alert_id and a.version = m.alert_version
                    where a.user_id = $1 and l.id = any($2::int8[]) group by l.id, m.alert_id) of_car
            group by id) c on c.id = l.id
         left join listing_views v on v.listing_id = l.id and v.user_id = $1`,
      [userId, ids],
    );
    return new Map(rows.map((row) => [String(row.listingId), row]));
  });
}
