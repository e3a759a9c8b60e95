import type { Pool } from '../../src/base/database.ts';
import { freshPairsSql } from '../../src/matching/listing-search-sql.ts';

const BATCH = 64;
const ROUNDS = 3;

/** Every column is worked out, and no row leaves the server. */
const countSql = `
  select count(listing_id) as matches, count(distance_miles), count(not_stated), count(tell) from (${freshPairsSql} offset 0) p`;

export interface SearchTime {
  listings: number;
  matches: number;
  ms: number;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The product's own search for batches of listings, and no row written: for each batch the median of its rounds. */
export async function timeSearch(pool: Pool, ids: readonly number[]): Promise<SearchTime[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, at) =>
    ids.slice(at * BATCH, (at + 1) * BATCH),
  );
  const times = batches.map(({ length }) => ({ listings: length, matches: 0, ms: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, batch] of batches.entries()) {
      const start = performance.now();
      const { rows } = await pool.query<{ matches: number }>({ name: 'search-only', text: countSql, values: [batch] });
      times[at]?.ms.push(performance.now() - start);
      if (times[at]) times[at].matches = rows[0]?.matches ?? 0;
    }
  }
  return times.map((time) => ({ ...time, ms: median(time.ms) }));
}
