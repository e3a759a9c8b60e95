import { channels } from '../base/channels.ts';
import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { EARTH_RADIUS_MILES } from '../domain/places/place.ts';
import { RELIST_DAYS } from '../domain/same-car/compare-cars.ts';
import { requireCopies } from '../placement/listing-marks.ts';

/** From so many miles on, one photo in two listings is worth a caution. */
const DISTANT_MILES = 100;
/** The square of the chord between two points of the unit sphere that are so far apart. */
const DISTANT_CHORD = (2 * Math.sin(DISTANT_MILES / EARTH_RADIUS_MILES / 2)) ** 2;
const areDistant = (a: string, b: string) =>
  `power(${a}.x - ${b}.x, 2) + power(${a}.y - ${b}.y, 2) + power(${a}.z - ${b}.z, 2) > ${DISTANT_CHORD}`;
/** A dealer may offer one car in several towns, and then states its VIN. */
const mayBeCopies = (a: string, b: string) => `${areDistant(a, b)}
  and (${a}.vin is null or ${b}.vin is null or ${a}.vin <> ${b}.vin)
  and (${a}.car_id is null or ${a}.car_id is distinct from ${b}.car_id)`;

const LISTINGS_A_SEARCH = 500;
/** With how many others, the newest, one photo is compared. */
const COPIES = 3;
/** How many listings with one model, year and mileage, the newest, are read: their own number is a seller's choice. */
const SAME_MILEAGE = 1_000;
/** Ids are given out before their listings are visible, so the newest listings wait so long. */
const SETTLED = "interval '10 seconds'";
/** Below this, mileage does not tell cars apart, as they are new. */
const NEW_CAR_MILES = 300;

/**
 * Pairs for the new listings $1. Those of one model and year are searched by one scan of one index, as a model may have
 * thousands of listings, and a batch may be of one model.
 */
const queueSql = `
  with batch as materialized (
    select id, make, model, year, mileage, title, x, y, z, vin, car_id from listings
     where id = any($1::int8[]) and model is not null and year is not null and mileage >= ${NEW_CAR_MILES}
       and image_url is not null
  ), same as materialized (
    select o.id, o.seen_at, o.mileage, m.make, m.model, m.year,
           row_number() over (partition by m.make, m.model, m.year, o.mileage order by o.seen_at desc) as at
      from (select make, model, year, array_agg(distinct mileage) as mileages from batch group by make, model, year) m
     cross join lateral (
       select id, mileage, seen_at from listings
        where make = m.make and model = m.model and year = m.year and mileage = any(m.mileages)
          and seen_at > now() - interval '${RELIST_DAYS} days'
       offset 0) o
  )
  insert into car_candidates (listing_id, other_id)
  select id, other_id
    from (select n.id, o.id as other_id, row_number() over (partition by n.id order by o.seen_at desc) as at
            from batch n
            join same s on s.mileage = n.mileage and s.model = n.model and s.make = n.make and s.year = n.year
                       and s.id < n.id and s.at <= ${SAME_MILEAGE}
           cross join lateral (select * from listings where id = s.id offset 0) o
           where o.image_url is not null and (n.mileage % 1000 <> 0 or lower(o.title) = lower(n.title))
             and ${mayBeCopies('o', 'n')}) found
   where at <= ${COPIES}
  on conflict do nothing`;

/**
 * Queues the photos of the next new listings for comparison with those of listings far away that have the same model, year
 * and mileage, as somebody who copies an advert copies them too. A round mileage counts only with the same title.
 * @returns how many listings it searched for; 0 when none is left
 */
export function queueDistantPhotos(pool: Pool): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows: next } = await client.query<{ id: number; isSettled: boolean }>({
      name: 'photo-search-next',
      text: `select l.id, l.seen_at < now() - ${SETTLED} as "isSettled"
               from (select listing_id from photo_searches for update) s
              cross join lateral (select id, seen_at from listings where id > s.listing_id
                                   order by id limit ${LISTINGS_A_SEARCH}) l`,
    });
    const settled = next.findIndex(({ isSettled }) => !isSettled);
    const ids = next.slice(0, settled < 0 ? next.length : settled).map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return 0;
    const { rowCount } = await client.query({
      name: 'photo-search-queue',
      text: queueSql,
      values: [ids],
    });
    if (rowCount) await client.query("select pg_notify($1, 'photos')", [channels.work]);
    await client.query('update photo_searches set listing_id = $1', [last]);
    return ids.length;
  });
}

/**
 * Notes at both of two listings with the same photo, if they are far apart, where the other one is. The transaction has locked both.
 * @throws ConcurrentWrite where a server of a cluster lacks one of them yet
 */
export async function notePhotoElsewhere(client: Client, one: number, other: number): Promise<void> {
  await requireCopies(client, [one, other]);
  await client.query(
    `with elsewhere as materialized (
       select l.id, concat_ws(', ', o.city, o.state) as place from listings l join listings o on l.id <> o.id
        where l.id = any($1::int8[]) and o.id = any($1::int8[]) and o.city is not null and ${mayBeCopies('l', 'o')}
     )
     update listings l set photo_place = e.place from elsewhere e where l.id = e.id`,
    [[one, other]],
  );
}
