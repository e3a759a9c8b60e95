import type { Queryable } from '../base/database.ts';
import type { ListingStatus } from '../domain/facts/listing-facts.ts';

/** The most matches on a map, which is also how many an alert keeps. */
export const MAX_POINTS = 1000;

/** A match as a map shows it. */
export interface MatchPoint {
  listingId: number;
  carId: number;
  title: string;
  price: number | null;
  status: ListingStatus;
  url: string | null;
  city: string | null;
  state: string | null;
  lat: number;
  lng: number;
}

/** Reads the newest matches that an alert shows, and that have a place, newest first. */
export async function readMatchPoints(db: Queryable, alertId: number): Promise<MatchPoint[]> {
  const { rows } = await db.query<MatchPoint>({
    name: 'read-match-points',
    text: `
      select l.id as "listingId", coalesce(l.car_id, l.id) as "carId", l.title, l.price, l.status, l.url, l.city,
             l.state, l.lat, l.lng
        from alerts a
       cross join lateral (
         select listing_id, position from matches
          where alert_id = a.id and alert_version = a.version
          order by position desc, listing_id desc limit $2) m
        join listings l on l.id = m.listing_id
       where a.id = $1 and l.lat is not null and l.lng is not null
       order by m.position desc, l.id desc`,
    values: [alertId, MAX_POINTS],
  });
  return rows;
}
