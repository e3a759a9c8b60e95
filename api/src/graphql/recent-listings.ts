import type { Queryable } from '../base/database.ts';

const RECENT = 50;

/** Listings of a buyer's newest matches, newest first; of a car that was listed again only the newest. */
export async function readRecentListingIds(db: Queryable, userId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select id from (
       select distinct on (coalesce(l.car_id, l.id)) l.id, m.matched_at
         from alerts a
        cross join lateral (
          select listing_id, matched_at from matches
           where alert_id = a.id and alert_version = a.version
           order by tx desc, listing_id desc limit $2) m
         join listings l on l.id = m.listing_id
        where a.user_id = $1
        order by coalesce(l.car_id, l.id), m.matched_at desc, l.id desc) cars
      order by matched_at desc, id desc limit $3`,
    [userId, RECENT * 2, RECENT],
  );
  return rows.map((row) => row.id);
}
