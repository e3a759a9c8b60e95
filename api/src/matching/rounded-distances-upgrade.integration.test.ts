import { expect, it, onTestFinished } from 'vitest';
import { untilTrue } from '../../lab/until-true.ts';
import { makeOldDatabase } from '../../test/database.ts';
import { shownMiles, unitVector } from '../domain/places/place.ts';

const place = { lat: 34.051, lng: -118.24, radius: 10 };
const points = [
  { lat: 34.141_7, lng: -118.148_3 },
  { lat: 34.142_7, lng: -118.147_5 },
  { lat: 34.195_5, lng: -118.24 },
];
const pointAt = (at: number) => points[at % points.length] ?? place;

it('rounds the distances of stored matches, also of one that is locked meanwhile, and of what no longer fits', async () => {
  const { pool, orm, close } = await makeOldDatabase('064-learned-facts');
  onTestFinished(close);
  await pool.query(
    `insert into plans (id, name, description, price, alert_limit, is_popular, features)
     values (1, 'Free', '', 0, 1, false, '{}')`,
  );
  await pool.query("insert into users (username, password_hash) values ('ana', '')");
  await pool.query(
    `insert into alerts (user_id, make, location, place, lat, lng, radius) values (1, 'toyota', '', '', $1, $2, $3)`,
    [place.lat, place.lng, place.radius],
  );
  await pool.query(
    `insert into listings (source, external_id, title, make, facts_hash, lat, lng, x, y, z)
     select 'lot', n, '', 'toyota', '', (points[n]->>'lat')::float8, (points[n]->>'lng')::float8,
            (points[n]->>'x')::float8, (points[n]->>'y')::float8, (points[n]->>'z')::float8
       from (select array(select json_array_elements($1::json)) as points) p, generate_series(1, 120) n`,
    [
      JSON.stringify(
        Array.from({ length: 120 }, (_, at) => pointAt(at)).map((at) => ({ ...at, ...unitVector(at.lat, at.lng) })),
      ),
    ],
  );
  await pool.query(
    `insert into listings (source, external_id, title, make, facts_hash) values ('lot', 'nowhere', '', 'toyota', '')`,
  );
  await pool.query(
    `insert into matches (listing_id, alert_id, alert_version, distance_miles, announced)
     select id, 1, id % 2, 7.654, false from listings`,
  );
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from matches where listing_id = 60 for update');
  const migrated = orm.migrator.up();
  await untilTrue('rounding all others up to its batch', 20_000, async () => {
    const { rowCount } = await pool.query(
      'select from matches where listing_id <= 120 and distance_miles = 7.654::float4',
    );
    return rowCount === 21;
  });
  await client.query('commit');
  client.release();
  await migrated;
  const { rows } = await pool.query('select distance_miles as miles from matches order by listing_id');
  const rounded = Array.from({ length: 120 }, (_, at) => shownMiles(place, pointAt(at)));
  expect(rows.map(({ miles }) => miles)).toEqual([...rounded, 7.654]);
  expect(rounded.slice(0, 3)).toEqual([8.2, 8.2, 10]);
});
