import type { Queryable } from '../base/database.ts';
import { isSuperseded } from './superseded.ts';

const RECENT = 50;

/**
 * Listings of a buyer's newest matches, newest first, each car once: of its matching listings the cheapest that is for
 * sale stands for it.
 */
export async function readRecentListingIds(db: Queryable, userId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `with newest as (
       select l.id, coalesce(l.car_id, l.id) as car, l.price, l.status, m.matched_at, ${isSuperseded('l')} as is_past
         from alerts a
        cross join lateral (
          select listing_id, matched_at from matches
           where alert_id = a.id and alert_version = a.version
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
