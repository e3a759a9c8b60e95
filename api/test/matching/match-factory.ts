import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../src/base/database.ts';
import type { ListingFacts } from '../../src/domain/facts/listing-facts.ts';
import { buildFacts } from '../factories.ts';
import { storePage } from '../store-page.ts';

/** Stores listings as a source would; returns their ids in order. */
export async function storeCars(pool: Pool, cars: Partial<ListingFacts>[]): Promise<number[]> {
  const { results } = await storePage(
    pool,
    'test',
    cars.map((car) => buildFacts(car)),
  );
  return results.map(({ listingId }) => listingId ?? 0);
}

/** A transaction of another test, on the same server, may hold back what came after it. */
export async function untilMatchesSettle(pool: Pool): Promise<void> {
  const behind = 'select from matches where position >= match_horizon() limit 1';
  while (((await pool.query(behind)).rowCount ?? 0) > 0) await sleep(20);
}

/** Match rows as the worker writes them, each in a transaction of its own and told to the live feed; all can be read. */
export async function insertMatches(
  pool: Pool,
  alertId: number,
  listingIds: number[],
  { distance = 12.34, hoursAgo = 0 } = {},
): Promise<void> {
  for (const listingId of listingIds) {
    await pool.query(
      `with made as (
         insert into matches (listing_id, alert_id, alert_version, distance_miles, announced, matched_at)
         select $1, id, version, $3, true, now() - make_interval(hours => $4) from alerts where id = $2
         returning position, listing_id)
       select pg_notify('lotwatch_matches', json_build_object('position', position::text, 'listings', json_build_array(listing_id))::text)
         from made`,
      [listingId, alertId, distance, hoursAgo],
    );
  }
  await untilMatchesSettle(pool);
}
