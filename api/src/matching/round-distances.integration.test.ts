import { beforeAll, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { camryAlert, insertAlerts, insertUsers } from '../../test/matching/match-rows.ts';
import { untilDone } from '../../test/until-done.ts';
import { shownMiles, unitVector } from '../domain/places/place.ts';
import { roundDistances } from './round-distances.ts';

const place = { lat: 34.051, lng: -118.24, radius: 10 };
/** The last one is beyond the radius: the alert was edited, and the pair fits no more. */
const points = [
  { lat: 34.141_7, lng: -118.148_3 },
  { lat: 34.142_7, lng: -118.147_5 },
  { lat: 34.23, lng: -118.24 },
];
const pointAt = (at: number) => points[at % points.length] ?? place;
const LISTINGS = 1_200;
const HELD = 600;
const EXACT = 7.654;

const db = setUpDatabase();
/** Distances as an old version stores them: of listings with a place, of one without, and of a deleted alert. */
beforeAll(async () => {
  const [userId = 0] = await insertUsers(db.pool);
  const [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
  await db.pool.query('update alerts set lat = $2, lng = $3, radius = $4 where id = $1', [
    alertId,
    place.lat,
    place.lng,
    place.radius,
  ]);
  await db.pool.query(
    `insert into listings (source, external_id, title, make, facts_hash, lat, lng, x, y, z)
     select 'lot', n, '', 'toyota', '', (points[n]->>'lat')::float8, (points[n]->>'lng')::float8,
            (points[n]->>'x')::float8, (points[n]->>'y')::float8, (points[n]->>'z')::float8
       from (select array(select json_array_elements($1::json)) as points) p, generate_series(1, ${LISTINGS}) n`,
    [
      JSON.stringify(
        Array.from({ length: LISTINGS }, (_, at) => pointAt(at)).map((at) => ({
          ...at,
          ...unitVector(at.lat, at.lng),
        })),
      ),
    ],
  );
  await db.pool.query(
    "insert into listings (source, external_id, title, make, facts_hash) values ('lot', 'nowhere', '', 'toyota', '')",
  );
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
     select id, $1, 1, id % 2, ${EXACT}, false, id from listings
      union all select 1, 0, 0, 1, ${EXACT}, false, 1`,
    [alertId],
  );
});

const stored = async () =>
  (await db.rows('select distance_miles as miles from matches where alert_id > 0 order by listing_id')).map(
    ({ miles }) => miles,
  );
const rounded = Array.from({ length: LISTINGS }, (_, at) => Math.min(shownMiles(place, pointAt(at)), place.radius));

it('rounds stored distances page by page, but waits for no match that others write, and then changes none', async () => {
  expect(rounded.slice(0, 3)).toEqual([8.2, 8.2, 10]);
  const other = await db.pool.connect();
  await other.query('begin');
  await other.query('select from matches where listing_id = $1 and user_id = 1 for no key update', [HELD]);
  const first = await untilDone(db.pool, roundDistances, 50);
  expect(first.removed).toBe(LISTINGS + 1);
  expect(first.batches).toBeGreaterThan(5);
  expect(await stored()).toEqual([...rounded.with(HELD - 1, EXACT), 7.7]);
  await other.query('commit');
  other.release();
  expect((await untilDone(db.pool, roundDistances)).removed).toBe(1);
  expect(await stored()).toEqual([...rounded, 7.7]);
  expect((await untilDone(db.pool, roundDistances)).removed).toBe(0);
  expect(await db.rows('select distance_miles as miles from matches where alert_id = 0')).toEqual([{ miles: 7.7 }]);
});

it('rounds what an old version writes afterwards', async () => {
  await db.pool.query('update matches set distance_miles = 8.2345 where listing_id in (4, 5)');
  expect((await untilDone(db.pool, roundDistances)).removed).toBe(2);
  expect(await stored()).toEqual([...rounded, 7.7]);
});

/** Whatever the searches store is in tenths, in the form in which the walk asks for it. */
it('finds no distance in tenths exact', async () => {
  await db.pool.query('truncate matches');
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
     select n, 1, 1, 1, (n / 10::float8)::float4, false, n from generate_series(0, 6000) n`,
  );
  expect((await untilDone(db.pool, roundDistances)).removed).toBe(0);
});
