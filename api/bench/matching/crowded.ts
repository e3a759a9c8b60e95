import { progress } from '../../lab/command-line.ts';
import { percentile } from '../../lab/percentile.ts';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { camry, camryAlert, insertAlerts } from '../../test/matching/match-rows.ts';
import { loadListings } from '../rig/load-listings.ts';

const SPREAD_DAYS = 13;
const ALERTS = 9;

/**
 * Measures the backfill of an alert that fits many listings, more than it keeps.
 * @param listings how many it fits, which are added to the stored ones
 */
export async function measureCrowded(db: ThrowAway, listings: number) {
  progress(`Backfilling an alert that fits ${listings} listings …`);
  const daysAgo = (at: number) => (at / listings) * SPREAD_DAYS;
  await loadListings(
    db,
    Array.from({ length: listings }, () => camry),
    { source: 'bench-crowded', pending: false, daysAgo },
  );
  const ids = await insertAlerts(
    db.pool,
    1,
    Array.from({ length: ALERTS }, () => camryAlert),
  );
  await db.pool.query('checkpoint');
  const times: number[] = [];
  for (const id of ids) {
    await db.pool.query('update alerts set pending_match = true where id = $1', [id]);
    const start = performance.now();
    await matchPendingAlerts(db.pool);
    times.push(performance.now() - start);
  }
  const { rows } = await db.pool.query<{ rows: number }>(
    'select count(*)::int4 as rows from matches where alert_id = $1',
    [ids.at(-1)],
  );
  return { listings, rows: rows[0]?.rows ?? 0, p50Ms: percentile(times, 0.5), maxMs: percentile(times, 1) };
}
