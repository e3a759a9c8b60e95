import { matchPendingListings } from '../../src/matching/match-listings.ts';
import type { ThrowAway } from '../rig/throw-away.ts';

const WORKERS = 2;

/** Two workers, each taking batches as they come, from the first claim until nothing waits. */
export async function timeTwoWorkers({ pool }: ThrowAway, ids: readonly number[]) {
  await pool.query('truncate matches, notifications restart identity');
  await pool.query('update listings set pending_match = id = any ($1::int8[]), announce = true', [ids]);
  await pool.query('vacuum analyze listings');
  await pool.query('checkpoint');
  const batches: number[] = [];
  const start = performance.now();
  const drain = async () => {
    for (;;) {
      const began = performance.now();
      if ((await matchPendingListings(pool)) === 0) return;
      batches.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, drain));
  const seconds = (performance.now() - start) / 1_000;
  const { rows } = await pool.query<{ count: number }>(
    'select (select count(*) from matches) + (select count(*) from notifications) as count',
  );
  return {
    listingsPerSecond: Math.round(ids.length / seconds),
    rowsPerSecond: Math.round((rows[0]?.count ?? 0) / seconds),
    longestBatchMs: Math.round(Math.max(...batches)),
  };
}
