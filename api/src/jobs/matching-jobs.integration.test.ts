import { beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { backfillAlertsJob, matchListingsJob } from './matching-jobs.ts';

let userId = 0;
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});
beforeEach(() => db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications'));

const waiting = async (side: 'alerts' | 'listings') => {
  const rows = side === 'alerts' ? 'alerts where pending_match' : 'listings_to_match';
  return (await db.row(`select count(*)::int4 as count from ${rows}`))?.count ?? 0;
};
const parts = () => ({ pool: db.pool, signal: new AbortController().signal });
const far = { lat: 40.7, lng: -74 };

async function pend(alerts: number, listings: number): Promise<void> {
  await insertAlerts(
    db.pool,
    userId,
    Array.from({ length: alerts }, (_, n) => ({ ...camryAlert, ...(n > 0 && far) })),
  );
  await db.pool.query('update alerts set pending_match = true');
  await insertListings(
    db.pool,
    Array.from({ length: listings }, () => camry),
  );
}

it('does not let a few new alerts wait for a backlog of listings', async () => {
  await pend(16, 6_400);
  const matched = matchListingsJob.run(parts());
  await backfillAlertsJob.run(parts());
  expect(await waiting('alerts')).toBe(0);
  expect(await waiting('listings')).toBeGreaterThan(0);
  await matched;
  expect(await waiting('listings')).toBe(0);
});

it('does not let a few listings wait for many new alerts', async () => {
  await pend(1_600, 64);
  const backfilled = backfillAlertsJob.run(parts());
  await matchListingsJob.run(parts());
  expect(await waiting('listings')).toBe(0);
  expect(await waiting('alerts')).toBeGreaterThan(800);
  await backfilled;
  expect(await waiting('alerts')).toBe(0);
  expect((await db.row('select count(*)::int4 as count from matches'))?.count).toBe(64);
});

it('stops after the current batch when the worker stops', async () => {
  await pend(1, 640);
  const stopping = new AbortController();
  const running = matchListingsJob.run({ pool: db.pool, signal: stopping.signal });
  stopping.abort();
  await running;
  expect(await waiting('listings')).toBe(576);
});
