import { type BatchedCleanUp, FIRST_BATCH, walkPages } from '../base/batches.ts';
import { EARTH_RADIUS_MILES } from '../domain/places/place.ts';
import { distanceMiles } from './match-rules.ts';

/** SQL: what the searches store for `m` (matches), for the present places of its alert and listing. */
const shown = `
  select ${distanceMiles}
    from (select lat, lng, radius from alerts where id = m.alert_id) a
   cross join (select x, y, z from listings where id = m.listing_id and x is not null) l
   cross join lateral (
     select cos(radians(a.lat)) * cos(radians(a.lng)) as x, cos(radians(a.lat)) * sin(radians(a.lng)) as y,
            sin(radians(a.lat)) as z, cos(a.radius / ${EARTH_RADIUS_MILES}) as cos_radius) c`;

/** SQL: a stored distance in whole tenths of a mile, as all new ones are. */
const tenths = '(floor(distance_miles::float8 * 10 + 0.5) / 10)::float4';

/**
 * Rounds stored distances that are exact: those of versions before distances were to a rounded point of the listing, also
 * what such a version writes while it is replaced. Where the listing or its alert has no place any more, the distance itself
 * is rounded. A match that others write is left to the next walk. The position is a page number.
 */
export const roundDistances: BatchedCleanUp = (db, batch = FIRST_BATCH) =>
  walkPages(db, 'matches', batch, async (pages) => {
    const { rowCount } = await db.query(
      `update matches m set distance_miles = coalesce((${shown}), ${tenths})
        where ctid = any(array(
          select ctid from matches where ctid >= $1::tid and ctid < $2::tid and distance_miles <> ${tenths}
             for no key update skip locked))`,
      pages,
    );
    return rowCount ?? 0;
  });
