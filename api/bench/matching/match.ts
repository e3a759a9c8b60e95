import type { TestListing } from '../../test/matching/match-rows.ts';
import { makeMarket } from '../market/market.ts';
import { type BenchOptions, type BenchResult, progress } from '../options.ts';
import { loadAlerts, loadListings } from '../rig/load.ts';
import { makeOracle, type Oracle } from '../rig/oracle.ts';
import { startThrowAway, type ThrowAway } from '../rig/throw-away.ts';
import { timeAgainstLimit } from './against-limit.ts';
import { checkPairs } from './check-pairs.ts';
import { fitGrowth } from './growth.ts';
import { timeNaive } from './naive.ts';
import { type SearchTime, timeSearch } from './search-only.ts';
import { timeTwoWorkers } from './two-workers.ts';

const ALERTS = 100_000;
const LISTINGS = 3_200;
/** Of these, those that the run reaches are measured too, for the growth. */
const STEPS = [10_000, 100_000, 1_000_000];
/** The speeds are asked of a million alerts; with fewer a batch is mostly its commit. */
const ASKED_FROM = 1_000_000;
const LEAST_SPEEDUP = 100;
const LEAST_RATIO = 0.7;

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
  await db.pool.query('truncate users, alerts, alert_cells, listings, matches, notifications restart identity cascade');
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

/** Each speed against its limit, and every pair against the oracle. */
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
 * The reverse search among so many alerts: alone, against the naive query, and with its rows against INSERT … SELECT of
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
  progress('Searching the naive way …');
  const naive = await timeNaive(db.pool, last);
  const { matches, notifications, twoWorkers, faults } = await timeBoth(db, last);
  const searched = speedsOf(last);
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
    ...(asked && speedup < LEAST_SPEEDUP ? [`search at least ${LEAST_SPEEDUP} times the naive query's speed`] : []),
    ...(asked && matches.ratio < LEAST_RATIO ? [`matches at ${LEAST_RATIO * 100} % of their limit`] : []),
    ...(asked && notifications.ratio < LEAST_RATIO
      ? [`matches and notifications at ${LEAST_RATIO * 100} % of their limit`]
      : []),
    ...(faults.missing + faults.extra > 0 ? ['no pair missing, none extra'] : []),
  ];
  return { line, missed };
}

/** @param options `alerts` and `listings`; steps of ten thousand, a hundred thousand and a million below are taken too */
export async function benchMatch({ alerts = ALERTS, listings = LISTINGS, seed }: BenchOptions): Promise<BenchResult> {
  const db = await startThrowAway();
  try {
    return await measureMatching(db, { alerts, listings, seed });
  } finally {
    await db.stop();
  }
}
