import { progress } from '../../lab/command-line.ts';
import { startThrowAway, type ThrowAway } from '../../lab/throw-away.ts';
import type { Pool } from '../../src/base/database.ts';
import { EARTH_RADIUS_MILES } from '../../src/domain/places/place.ts';
import { makeListingMatcher } from '../../src/matching/match-listings.ts';
import type { TestListing } from '../../test/matching/match-rows.ts';
import { makeMarket } from '../market/market.ts';
import { type BenchOptions, type BenchResult } from '../options.ts';
import { checkPairs } from '../rig/check-pairs.ts';
import { loadAlerts } from '../rig/load-alerts.ts';
import { loadListings, markToMatch } from '../rig/load-listings.ts';
import { makeOracle, type Oracle } from '../rig/oracle.ts';
import { timeAgainstLimit } from './against-limit.ts';
import { measureFilters } from './filtered.ts';
import { fitGrowth, type SearchTime, timeSearch } from './growth.ts';

const WORKERS = 2;

/** Times two workers from the first claim until nothing waits. */
export async function timeTwoWorkers({ pool }: ThrowAway, ids: readonly number[]) {
  await pool.query('truncate matches, notifications restart identity');
  await pool.query('update listings set announce = true');
  await markToMatch(pool, ids);
  await pool.query('vacuum analyze listings, listings_to_match');
  await pool.query('checkpoint');
  const batches: number[] = [];
  const start = performance.now();
  const drain = async () => {
    const matchNext = makeListingMatcher(pool);
    for (;;) {
      const began = performance.now();
      if ((await matchNext()) === 0) return;
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

const naiveSql = `
  select count(*) as matches from listings l join alerts a
      on a.make = l.make and (a.model is null or a.model = l.model)
   where l.id = $1 and a.is_active and a.expires_at > now()
     and (a.year_min is null or l.year >= a.year_min) and (a.year_max is null or l.year <= a.year_max)
     and (coalesce(a.price_min, 0) = 0 or l.price >= a.price_min) and (a.price_max is null or l.price <= a.price_max)
     and (a.color is null or l.color is null or a.color = l.color)
     and (not a.only_with_images or l.image_url is not null)
     and 2 * ${EARTH_RADIUS_MILES} * asin(least(1, sqrt(sin(radians(l.lat - a.lat) / 2) ^ 2
         + cos(radians(l.lat)) * cos(radians(a.lat)) * sin(radians(l.lng - a.lng) / 2) ^ 2))) <= a.radius`;

const MAX_MS = 12_000;

/** Times the naive query: a btree on make and model, and haversine on its rows; a listing at a time. */
export async function timeNaive(
  pool: Pool,
  { first, listings: all }: { first: number; listings: readonly unknown[] },
): Promise<{ listings: number; matches: number; perSecond: number }> {
  await pool.query('create index if not exists naive_vehicle on alerts (make, model)');
  await pool.query('vacuum analyze alerts');
  let [listings, matches] = [0, 0];
  const start = performance.now();
  for (let id = first; id < first + all.length; id += 1) {
    const { rows } = await pool.query<{ matches: number }>({ name: 'naive', text: naiveSql, values: [id] });
    matches += rows[0]?.matches ?? 0;
    listings += 1;
    if (performance.now() - start > MAX_MS) break;
  }
  const perSecond = (listings / (performance.now() - start)) * 1000;
  await pool.query('drop index naive_vehicle');
  return { listings, matches, perSecond };
}

const ALERTS = 100_000;
const LISTINGS = 3_200;
/** Smaller numbers of alerts that are measured too, for the growth. */
const STEPS = [10_000, 100_000, 1_000_000];
/** The number of alerts from which bounds apply; with fewer a batch is mostly its commit. */
const ASKED_FROM = 1_000_000;
const MIN_SPEEDUP = 100;
const MIN_RATIO = 0.7;
const MAX_SLOWER = 0.15;

interface Step {
  alerts: number;
  listings: TestListing[];
  /** Id of the first listing; the others follow. */
  first: number;
  oracle: Oracle;
  batches: SearchTime[];
}

/** Fills empty tables with so many alerts and the listings, and times the search alone. */
async function searchAmong(db: ThrowAway, seed: number, alertCount: number, listingCount: number): Promise<Step> {
  const market = makeMarket(seed);
  const alerts = Array.from({ length: alertCount }, market.alert);
  const listings = Array.from({ length: listingCount }, market.listing);
  progress(`Loading ${alertCount} alerts and ${listingCount} listings …`);
  await db.pool.query(
    'truncate users, alerts, alert_cells, listings, listings_to_match, matches, notifications restart identity cascade',
  );
  await loadAlerts(db, alerts);
  const first = await loadListings(db, listings, { pending: false });
  const oracle = makeOracle(alerts);
  // Batches of listings with few and with many matches show how the time grows with them.
  const fewestFirst = listings
    .map((listing, at) => ({ id: first + at, matches: oracle.fittingAlerts(listing).length }))
    .toSorted((a, b) => a.matches - b.matches);
  progress('Searching …');
  const batches = await timeSearch(
    db.pool,
    fewestFirst.map(({ id }) => id),
  );
  return { alerts: alertCount, listings, first, oracle, batches };
}

function speedsOf({ batches, listings }: Pick<Step, 'batches' | 'listings'>) {
  const matches = batches.reduce((sum, batch) => sum + batch.matches, 0);
  const ms = batches.reduce((sum, batch) => sum + batch.ms, 0);
  return {
    matchesPerListing: Number((matches / listings.length).toFixed(1)),
    listingsPerSecond: Math.round((listings.length / ms) * 1_000),
    microsPerListing: Number(((ms * 1_000) / listings.length).toFixed(1)),
  };
}

/** Measures each speed against its limit, and compares every pair with the oracle. */
async function timeBoth(db: ThrowAway, { listings, first, oracle }: Step) {
  const ids = listings.map((_, at) => first + at);
  const faults = { missing: 0, extra: 0 };
  const time = async (withNotifications: boolean) => {
    progress(withNotifications ? 'Matching with notifications …' : 'Matching …');
    const speed = await timeAgainstLimit(db, { ids, withNotifications });
    const found = await checkPairs(db.pool, oracle, listings, first);
    faults.missing += found.missing;
    faults.extra += found.extra;
    return speed;
  };
  const [matches, notifications] = [await time(false), await time(true)];
  progress('Matching by two workers …');
  const twoWorkers = await timeTwoWorkers(db, ids);
  const found = await checkPairs(db.pool, oracle, listings, first);
  return {
    matches,
    notifications,
    twoWorkers,
    faults: { missing: faults.missing + found.missing, extra: faults.extra + found.extra },
  };
}

/**
 * Measures the search for a listing's alerts: alone, against the naive query, and with its rows against INSERT … SELECT of
 * the same rows into identical tables. @param db a server of its own; its tables are emptied
 */
export async function measureMatching(
  db: ThrowAway,
  { alerts, listings, seed }: { alerts: number; listings: number; seed: number },
): Promise<BenchResult> {
  const steps: Step[] = [];
  for (const count of [...STEPS.filter((step) => step < alerts), alerts]) {
    steps.push(await searchAmong(db, seed, count, listings));
  }
  const last = steps.at(-1);
  if (!last) throw new Error('There is no step without alerts.');
  progress('Running the naive query …');
  const naive = await timeNaive(db.pool, last);
  const { matches, notifications, twoWorkers, faults } = await timeBoth(db, last);
  const searched = speedsOf(last);
  const filters = await measureFilters(db, { alerts, listings, seed });
  const speedup = Math.round(searched.listingsPerSecond / naive.perSecond);
  const line = {
    bench: 'match',
    alerts,
    listings,
    matchesPerListing: searched.matchesPerListing,
    listingsPerSecond: matches.listingsPerSecond,
    rowsPerSecond: matches.rowsPerSecond,
    limit: {
      what: 'INSERT … SELECT of the same rows into an identical table',
      rowsPerSecond: matches.limitRowsPerSecond,
    },
    ratio: matches.ratio,
    rounds: matches.rounds,
    withNotifications: notifications,
    twoWorkersWithNotifications: twoWorkers,
    searchOnly: searched,
    filters,
    naive: { listingsPerSecond: Number(naive.perSecond.toFixed(2)), listings: naive.listings },
    speedup,
    growth: {
      ...fitGrowth(steps.flatMap(({ batches }) => batches)),
      steps: steps.map((step) => ({ alerts: step.alerts, ...speedsOf(step) })),
    },
    ...faults,
  };
  const asked = alerts >= ASKED_FROM;
  const missed = [
    ...(asked && speedup < MIN_SPEEDUP ? [`search at least ${MIN_SPEEDUP} times the naive query's speed`] : []),
    ...(asked && matches.ratio < MIN_RATIO ? [`matches at ${MIN_RATIO * 100} % of their limit`] : []),
    ...(asked && notifications.ratio < MIN_RATIO
      ? [`matches and notifications at ${MIN_RATIO * 100} % of their limit`]
      : []),
    ...(asked && filters.slower > MAX_SLOWER ? [`filters at most ${MAX_SLOWER * 100} % slower than without`] : []),
    ...(faults.missing + faults.extra + filters.missing + filters.extra > 0 ? ['no pair missing, none extra'] : []),
  ];
  return { line, missed };
}

/** @param options `alerts` and `listings`; steps of ten thousand, a hundred thousand and a million below are taken too */
export async function benchMatch({ alerts = ALERTS, listings = LISTINGS, seed }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  return await measureMatching(db, { alerts, listings, seed });
}
