import type { Pool } from '../../src/base/database.ts';
import { freshPairsSql } from '../../src/matching/listing-search-sql.ts';

const BATCH = 64;
const SEARCH_ROUNDS = 3;

/** Computes every column, without sending rows to the client. */
const countSql = `
  select count(listing_id) as matches, count(distance_miles), count(not_stated), count(to_announce) from (${freshPairsSql} offset 0) p`;

export interface SearchTime {
  listings: number;
  matches: number;
  ms: number;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Times the product's search for batches of listings, without writing rows: for each batch the median of its rounds. */
export async function timeSearch(pool: Pool, ids: readonly number[]): Promise<SearchTime[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, at) =>
    ids.slice(at * BATCH, (at + 1) * BATCH),
  );
  const times = batches.map(({ length }) => ({ listings: length, matches: 0, ms: [] as number[] }));
  for (let round = 0; round < SEARCH_ROUNDS; round += 1) {
    for (const [at, batch] of batches.entries()) {
      const start = performance.now();
      const { rows } = await pool.query<{ matches: number }>({
        name: 'search-only',
        text: countSql,
        values: [batch, true],
      });
      times[at]?.ms.push(performance.now() - start);
      if (times[at]) times[at].matches = rows[0]?.matches ?? 0;
    }
  }
  return times.map((time) => ({ ...time, ms: median(time.ms) }));
}

interface Growth {
  fixedMicros: number;
  microsPerMatch: number;
  /** Share of the variance of the batches' times that the line explains. */
  rSquared: number;
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** Fits the time of a listing as fixed + c × matches: the line through the batches by least squares. */
export function fitGrowth(batches: readonly SearchTime[]): Growth {
  const points = batches.map(({ listings, matches, ms }) => [matches / listings, (ms * 1_000) / listings] as const);
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / Math.max(1, points.length);
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const spreadX = mean(([x]) => (x - meanX) ** 2);
  const spreadY = mean(([, y]) => (y - meanY) ** 2);
  const slope = spreadX === 0 ? 0 : mean(([x, y]) => (x - meanX) * (y - meanY)) / spreadX;
  const left = mean(([x, y]) => (y - meanY - slope * (x - meanX)) ** 2);
  return {
    fixedMicros: rounded(meanY - slope * meanX, 1),
    microsPerMatch: rounded(slope, 3),
    rSquared: rounded(spreadY === 0 ? 1 : 1 - left / spreadY, 3),
  };
}
