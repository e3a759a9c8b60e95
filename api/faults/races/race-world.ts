import type { Pool } from '../../src/base/database.ts';
import { makes, modelsOf } from '../../src/domain/catalogue.ts';
import type { Gazetteer } from '../../src/domain/places/places.ts';

/** Alerts one user may have active at once. */
export const ALERT_LIMIT = 3;
const ELITE = 4;

/** A few users, a make and a town of their own: worlds race beside each other and never meet. */
export interface World {
  number: number;
  make: string;
  models: readonly string[];
  lat: number;
  lng: number;
  userIds: readonly number[];
  sources: readonly [string, string];
}

/** Reads a place that is written as its latitude and longitude. */
export const pointReader: Gazetteer = {
  resolve(text) {
    const [lat = 0, lng = 0] = text.split(' ').map(Number);
    return { name: text, state: 'CA', zip: null, lat, lng, population: 1, label: text };
  },
  suggest: () => [],
};

const raceMakes = makes.map(({ value }) => value).filter((make) => modelsOf(make).length >= 3);
const TOWNS_EAST = 9;
const TOWN_APART = 5;

export async function makeWorld(pool: Pool, number: number): Promise<World> {
  const make = raceMakes[number % raceMakes.length] ?? 'toyota';
  const town = Math.floor(number / raceMakes.length);
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (username, email, email_confirmed_at, password_hash, plan_id)
     select 'racer-' || $1 || '-' || n, 'racer-' || $1 || '-' || n || '@example.test', now(), '', ${ELITE}
       from generate_series(1, 2) n returning id`,
    [number],
  );
  return {
    number,
    make,
    models: modelsOf(make)
      .slice(0, 2)
      .map(({ value }) => value),
    lat: 26 + (Math.floor(town / TOWNS_EAST) % 5) * TOWN_APART,
    lng: -120 + (town % TOWNS_EAST) * TOWN_APART,
    userIds: rows.map(({ id }) => id),
    sources: [`race-${number}`, `race-${number}-b`],
  };
}

/** The plan of the racers, with a limit that they meet. */
export async function seedRacePlan(pool: Pool): Promise<void> {
  await pool.query(
    `insert into plans (id, name, description, price, alert_limit, is_popular, features)
     values (${ELITE}, 'Elite', '', 69.99, $1, false, '{}') on conflict (id) do update set alert_limit = $1`,
    [ALERT_LIMIT],
  );
}
