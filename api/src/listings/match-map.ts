import type { Queryable } from '../base/database.ts';
import type { ListingStatus } from '../domain/facts/listing-facts.ts';
import { type ListFilter, meetsFilters } from './list-choice.ts';

/** The most matches on a map, which is also how many an alert keeps. */
export const MAX_POINTS = 1000;

/** A match as a map shows it. */
export interface MatchPoint {
  listingId: number;
  carId: number;
  title: string;
  price: number | null;
  status: ListingStatus;
  source: string;
  url: string | null;
  city: string | null;
  state: string | null;
  lat: number;
  lng: number;
}

/**
 * Reads the newest matches that a buyer's alert shows, and that have a place, newest first.
 * @param only filters that must all apply, as in the list of the matches
 */
export async function readMatchPoints(
  db: Queryable,
  { userId, alertId }: { userId: number; alertId: number },
  only: readonly ListFilter[],
): Promise<MatchPoint[]> {
  const { rows } = await db.query<MatchPoint>({
    name: 'read-match-points',
    text: `
      select l.id as "listingId", coalesce(l.car_id, l.id) as "carId", l.title, l.price, l.status, l.source, l.url, l.city,
             l.state, l.lat, l.lng
        from alerts a
       cross join lateral (
         select listing_id, position from matches
          where alert_id = a.id and user_id = $4 and alert_version = a.version
          order by position desc, listing_id desc limit $2) m
        join listings l on l.id = m.listing_id
       where a.id = $1 and a.user_id = $4 and l.lat is not null and l.lng is not null and ${meetsFilters('$3', '$4')}
       order by m.position desc, l.id desc`,
    values: [alertId, MAX_POINTS, only, userId],
  });
  return rows;
}
