import type { Pool } from '../../src/base/database.ts';
import { EARTH_RADIUS_MILES } from '../../src/domain/places/place.ts';

const naiveSql = `
  select count(*) as matches from listings l join alerts a
      on a.make = l.make and (a.model is null or a.model = l.model)
   where l.id = $1 and a.is_active and a.expires_at > now()
     and (a.year_min is null or l.year >= a.year_min) and (a.year_max is null or l.year <= a.year_max)
     and (coalesce(a.price_min, 0) = 0 or l.price >= a.price_min) and (a.price_max is null or l.price <= a.price_max)
     and (a.color is null or l.color is null or a.color = l.color)
     and (not a.only_with_images or l.image_url is not null)
     and 2 * ${EARTH_RADIUS_MILES} * asin(least(1, sqrt(sin(radians(l.lat - a.lat) / 2) ^ 2
         + cos(radians(l.lat)) * cos(radians(a.lat)) * sin(radians(l.lng - a.lng) / 2) ^ 2))) <= a.radius`;

const LONGEST_MS = 12_000;

/** How one would begin: a btree on make and model, and haversine over what it finds; a listing at a time. */
export async function timeNaive(
  pool: Pool,
  { first, listings: all }: { first: number; listings: readonly unknown[] },
): Promise<{ listings: number; matches: number; perSecond: number }> {
  await pool.query('create index if not exists naive_vehicle on alerts (make, model)');
  await pool.query('vacuum analyze alerts');
  let [listings, matches] = [0, 0];
  const start = performance.now();
  for (let id = first; id < first + all.length; id += 1) {
    const { rows } = await pool.query<{ matches: number }>({ name: 'naive', text: naiveSql, values: [id] });
    matches += rows[0]?.matches ?? 0;
    listings += 1;
    if (performance.now() - start > LONGEST_MS) break;
  }
  const perSecond = (listings / (performance.now() - start)) * 1000;
  await pool.query('drop index naive_vehicle');
  return { listings, matches, perSecond };
}
