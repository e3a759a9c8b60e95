import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, Queryable } from '../src/base/database.ts';
import { type ListingFacts, ListingStatus } from '../src/domain/facts/listing-facts.ts';
import { storeListings } from '../src/intake/store-listings.ts';
import { queryShards } from '../src/placement/shards.ts';
import { hasShards } from './database.ts';

let counter = 0;

/** Facts of an ordinary car near Los Angeles; each call makes a different car with its own id. */
export function buildFacts(overrides: Partial<ListingFacts> = {}): ListingFacts {
  counter += 1;
  return {
    // Of one width, so that their order as texts is that in which they were made.
    externalId: `car-${String(counter).padStart(6, '0')}`,
    title: '2018 Toyota Camry SE',
    make: 'toyota',
    model: 'camry',
    year: 2018,
    price: 15_400,
    mileageMiles: 20_011 + counter * 1_013,
    transmission: 'automatic',
    color: 'silver',
    condition: 'used',
    city: 'Pasadena',
    state: 'CA',
    lat: 34.1478,
    lng: -118.1445,
    images: ['https://photos.example/1.jpg'],
    url: 'https://marketplace.example/1',
    listedAt: new Date('2026-01-01T12:00:00Z'),
    status: ListingStatus.forSale,
    ...overrides,
  };
}

/** Stores cars as one page of a source. */
export const storePage = (pool: Pool, source: string, cars: readonly ListingFacts[], announce = true) =>
  storeListings(
    pool,
    source,
    cars.map((facts) => ({ facts })),
    { announce },
  );

/** Stores listings as a source would. @returns their ids in order */
export async function storeCars(pool: Pool, cars: Partial<ListingFacts>[]): Promise<number[]> {
  const { results } = await storePage(
    pool,
    'test',
    cars.map((car) => buildFacts(car)),
  );
  return results.map(({ listingId }) => listingId ?? 0);
}

/** Waits until every match is visible to readers: a transaction of another test on the same server can hold them back. */
export async function untilMatchesVisible(pool: Pool): Promise<void> {
  const invisible = {
    name: 'invisible-matches',
    text: 'select true as is from matches where position >= match_horizon() limit 1',
  };
  const read = async () => (hasShards() ? await queryShards(pool, invisible) : (await pool.query(invisible)).rows);
  while ((await read()).length > 0) await sleep(20);
}

/**
 * Inserts a match of a listing for each of these alerts, and tells the live feed. Each row is given with its user, as on a
 * cluster its server has to be known.
 */
export async function insertMatchesOf(
  on: Queryable,
  listingIds: readonly number[],
  alertIds: readonly number[],
  { distance = 3, hoursAgo = 0, notify = true } = {},
): Promise<void> {
  const { rows: alerts } = await on.query<{ id: number; user: number; version: number }>(
    'select id, user_id as user, version from alerts where id = any ($1)',
    [alertIds],
  );
  const pairs = listingIds.flatMap((listing) => alerts.map(({ id, user, version }) => [listing, id, user, version]));
  const { rows } = await on.query<{ position: string }>(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, matched_at)
     values ${pairs.map((pair) => `(${pair.join(', ')}, ${distance}, true, now() - interval '${hoursAgo} hours')`).join(', ')}
     returning position::text`,
  );
  if (!notify) return;
  for (const position of new Set(rows.map((row) => row.position)))
    await on.query("select pg_notify('lotwatch_matches', $1)", [JSON.stringify({ position, listings: listingIds })]);
}

/** Inserts match rows as the worker does, each in its own transaction and announced to the live feed. All are visible to readers. */
export async function insertMatches(
  pool: Pool,
  alertId: number,
  listingIds: number[],
  { distance = 12.34, hoursAgo = 0 } = {},
): Promise<void> {
  for (const listingId of listingIds) await insertMatchesOf(pool, [listingId], [alertId], { distance, hoursAgo });
  await untilMatchesVisible(pool);
}
