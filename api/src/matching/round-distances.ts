import { type BatchedCleanUp, FIRST_BATCH } from '../base/batches.ts';
import { EARTH_RADIUS_MILES } from '../domain/places/place.ts';
import { distanceMiles } from './match-rules.ts';

/** SQL: what the searches store for `m` (matches), for the present places of its alert and listing. */
const shown = `
  select ${distanceMiles}
    from (select lat, lng, radius from alerts where id = m.alert_id and user_id = m.user_id) a
   cross join (select x, y, z from listings where id = m.listing_id and x is not null) l
   cross join lateral (
     select cos(radians(a.lat)) * cos(radians(a.lng)) as x, cos(radians(a.lat)) * sin(radians(a.lng)) as y,
            sin(radians(a.lat)) as z, cos(a.radius / ${EARTH_RADIUS_MILES}) as cos_radius) c`;

/** SQL: a stored distance in whole tenths of a mile, as all new ones are. */
const tenths = '(floor(distance_miles::float8 * 10 + 0.5) / 10)::float4';

/**
 * Rounds stored distances that are exact: those of versions before distances were to a rounded point of the listing, also
 * what such a version writes while it is replaced. Where the listing or its alert has no place any more, the distance itself
 * is rounded. A match that others write is left to the next walk. The position is the last key.
 */
export const roundDistances: BatchedCleanUp = async (db, { after, rows } = FIRST_BATCH) => {
  const [listing = '0', alert = '0'] = after?.split(' ') ?? [];
  const { rows: read } = await db.query<{ listing: number; alert: number; owner: number; isExact: boolean }>(
    `select listing_id as listing, alert_id as alert, user_id as owner, distance_miles <> ${tenths} as "isExact" from matches
      where listing_id >= $1 and (listing_id, alert_id) > ($1::int8, $2::int8)
      order by listing_id, alert_id limit $3`,
    [listing, alert, rows],
  );
  const last = read.at(-1);
  const next = last && read.length === rows ? `${last.listing} ${last.alert}` : null;
  const exact = read.filter(({ isExact }) => isExact);
  if (exact.length === 0) return { after: next, removed: 0 };
  const { rowCount } = await db.query(
    `/* round-distances */ with held as materialized (
       select m.listing_id, m.alert_id, m.user_id from unnest($1::int8[], $2::int8[], $3::int8[]) k (listing_id, alert_id, user_id)
         join matches m using (listing_id, alert_id, user_id)
        where m.distance_miles <> ${tenths} for no key update of m skip locked
     )
     update matches m set distance_miles = coalesce((${shown}), ${tenths})
       from held h where m.listing_id = h.listing_id and m.alert_id = h.alert_id and m.user_id = h.user_id`,
    [exact.map(({ listing: id }) => id), exact.map(({ alert: id }) => id), exact.map(({ owner }) => owner)],
  );
  return { after: next, removed: rowCount ?? 0 };
};
