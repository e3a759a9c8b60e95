import { progress } from '../../lab/command-line.ts';
import { percentile } from '../../lab/percentile.ts';
import { startThrowAway, type ThrowAway } from '../../lab/throw-away.ts';
import { MATCHES_KEPT } from '../../src/domain/match-cap.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';
import { oracleFits } from '../../test/matching/match-world.ts';
import { makeMarket } from '../market/market.ts';
import type { BenchOptions, BenchResult } from '../options.ts';
import { loadAlerts } from '../rig/load-alerts.ts';
import { loadListings } from '../rig/load-listings.ts';
import { measureCrowded } from './crowded.ts';

const LISTINGS = 1_000_000;
const ALERTS = 1_000;
const WARM_UP = 50;
const SPREAD_DAYS = 16;
const BACKFILL_DAYS = 14;
const CHECKED = 50;
/** Listings that come during backfills, to see how long they wait. */
const MEANWHILE = 200;
const MAX_P99_MS = 20;
/** One more alert fits so many of the stored listings. */
const CROWD = 10;

interface Stored {
  listings: readonly TestListing[];
  first: number;
  daysAgo: (at: number) => number;
}

/** Days before now, spread evenly, and independent of the listings' order. */
const daysBefore = (count: number) => (at: number) => (((at * 7_919) % count) / count) * SPREAD_DAYS;

async function checkAlerts(db: ThrowAway, alerts: readonly TestAlert[], { listings, first, daysAgo }: Stored) {
  const faults = { missing: 0, extra: 0 };
  for (const [at, alert] of alerts.slice(0, CHECKED).entries()) {
    const all: number[] = [];
    for (const [position, listing] of listings.entries()) {
      if (listing.make === alert.make && daysAgo(position) < BACKFILL_DAYS && oracleFits(alert, listing)) {
        all.push(first + position);
      }
    }
    const age = (id: number) => daysAgo(id - first);
    const fitting = new Set(all.sort((a, b) => age(a) - age(b)).slice(0, MATCHES_KEPT));
    const { rows } = await db.pool.query<{ id: number; daysAgo: number }>(
      `select m.listing_id as id, extract(epoch from now() - l.seen_at)::float8 / 86400 as "daysAgo"
         from matches m join listings l on l.id = m.listing_id where m.alert_id = $1`,
      [at + 1],
    );
    const found = new Set(rows.map(({ id }) => id));
    // Listings that became too old between loading and backfill are not missed.
    const limit = BACKFILL_DAYS - 0.02;
    faults.missing += [...fitting].filter((id) => !found.has(id) && age(id) < limit).length;
    faults.extra += rows.filter(({ id }) => !fitting.has(id)).length;
  }
  return faults;
}

async function markAlerts(db: ThrowAway, from: number, to: number): Promise<void> {
  await db.pool.query('update alerts set pending_match = true where id between $1 and $2', [from, to]);
}

/** Each alert in a call of its own: claim, search, rows and commit. */
async function timeAlerts(db: ThrowAway): Promise<number[]> {
  const times: number[] = [];
  for (;;) {
    const start = performance.now();
    if ((await matchPendingAlerts(db.pool, 1)) === 0) return times;
    times.push(performance.now() - start);
  }
}

/** Listings one at a time, from before their claim to their commit, until there are none. */
async function timeListings(db: ThrowAway): Promise<number[]> {
  const times: number[] = [];
  for (;;) {
    const start = performance.now();
    if ((await matchPendingListings(db.pool, 1)) === 0) return times;
    times.push(performance.now() - start);
  }
}

/** Measures how long a listing takes alone, and during backfills without a pause. */
async function timeMeanwhile(db: ThrowAway, seed: number, alertCount: number) {
  const load = () =>
    loadListings(db, Array.from({ length: MEANWHILE }, makeMarket(seed + 1).listing), {
      source: `bench-${Math.random()}`,
      pending: true,
    });
  await load();
  const alone = await timeListings(db);
  await load();
  await markAlerts(db, 1, alertCount);
  let over = false;
  const backfilling = (async () => {
    let alerts = 0;
    while (!over) alerts += await matchPendingAlerts(db.pool);
    return alerts;
  })();
  const start = performance.now();
  const beside = await timeListings(db);
  const seconds = (performance.now() - start) / 1_000;
  over = true;
  const alerts = await backfilling;
  while ((await matchPendingAlerts(db.pool)) > 0);
  return {
    aloneP50Ms: percentile(alone, 0.5),
    aloneP99Ms: percentile(alone, 0.99),
    besideP50Ms: percentile(beside, 0.5),
    besideP99Ms: percentile(beside, 0.99),
    alertsPerSecond: Math.round(alerts / seconds),
  };
}

/** Measures backfills of new alerts among stored listings. @param db a server of its own with empty tables */
export async function measureForward(
  db: ThrowAway,
  { alerts: alertCount, listings: listingCount, seed }: { alerts: number; listings: number; seed: number },
): Promise<BenchResult> {
  const market = makeMarket(seed);
  const alerts = Array.from({ length: alertCount + WARM_UP }, market.alert);
  const listings = Array.from({ length: listingCount }, market.listing);
  const daysAgo = daysBefore(listingCount);
  progress(`Loading ${listingCount} listings and ${alertCount} alerts …`);
  await loadAlerts(db, alerts);
  const first = await loadListings(db, listings, { pending: false, daysAgo });
  await db.pool.query('checkpoint');
  progress('Backfilling …');
  await markAlerts(db, alertCount + 1, alertCount + WARM_UP);
  await timeAlerts(db);
  await markAlerts(db, 1, alertCount);
  const times = await timeAlerts(db);
  const { rows } = await db.pool.query<{ count: number }>('select count(*) from matches where alert_id <= $1', [
    alertCount,
  ]);
  progress('Checking …');
  const faults = await checkAlerts(db, alerts, { listings, first, daysAgo });
  const meanwhile = await timeMeanwhile(db, seed, alertCount);
  const crowded = await measureCrowded(db, Math.round(listingCount / CROWD));
  const line = {
    bench: 'forward',
    listings: listingCount,
    alerts: alertCount,
    days: BACKFILL_DAYS,
    matchesPerAlert: Number(((rows[0]?.count ?? 0) / alertCount).toFixed(1)),
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    p99Ms: percentile(times, 0.99),
    maxMs: percentile(times, 1),
    listingMeanwhile: meanwhile,
    crowded,
    ...faults,
  };
  const missed = [
    ...(line.p99Ms > MAX_P99_MS ? [`p99 within ${MAX_P99_MS} ms`] : []),
    ...(faults.missing + faults.extra > 0 ? ['no pair missing, none extra'] : []),
  ];
  return { line, missed };
}

/** @param options `listings` stored, over more than the 14 days, and how many `alerts` are backfilled */
export async function benchForward({ alerts = ALERTS, listings = LISTINGS, seed }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  return await measureForward(db, { alerts, listings, seed });
}
