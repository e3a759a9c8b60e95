import pg from 'pg';
import { progress } from '../lab/command-line.ts';
import { percentile } from '../lab/percentile.ts';
import { startThrowAway, type ThrowAway } from '../lab/throw-away.ts';
import { channels } from '../src/base/channels.ts';
import { startListener } from '../src/base/listener.ts';
import { makeLog } from '../src/base/log.ts';
import { makeGazetteer } from '../src/domain/places/places.ts';
import { ingestPush } from '../src/jobs/ingest-push.ts';
import { bindJobs } from '../src/jobs/job.ts';
import { backfillAlertsJob, matchListingsJob } from '../src/jobs/matching-jobs.ts';
import { startJobs } from '../src/jobs/schedule/agenda.ts';
import { parseMarketplacePageInSlices } from '../src/sources/marketplace-items/read-marketplace-items.ts';
import type { TestListing } from '../test/matching/match-rows.ts';
import { isPlausible, type MarketCar, marketItem } from './intake/item-stream.ts';
import { type Market, makeMarket } from './market/market.ts';
import { type BenchOptions, type BenchResult } from './options.ts';
import { loadAlerts, warmSearch } from './rig/load-alerts.ts';
import { loadListings } from './rig/load-listings.ts';
import { makeOracle, type Oracle } from './rig/oracle.ts';

const ALERTS = 10_000;
const STORED = 20_000;
const MEASURED = 1_000;
const WARM_UP = 100;
const TIMEOUT_MS = 30_000;
const MORE_P50_MS = 2;
const MORE_P99_MS = 40;

export interface SingleSizes {
  alerts: number;
  /** Listings that exist before, for the search for the same car. */
  stored: number;
  measured: number;
  warmUp: number;
}

export interface SingleTimes {
  listingMs: number[];
  /** Two empty commits, one after the other, after each listing. */
  emptyCommitsMs: number[];
  matches: number;
  missing: number;
  extra: number;
}

/** Makes cars that fit an alert, as only those have a NOTIFY. */
function fittingCars(market: Market, oracle: Oracle, count: number): { car: MarketCar; fits: number[] }[] {
  const cars: { car: MarketCar; fits: number[] }[] = [];
  const draw = (): TestListing => {
    const facts = market.listing();
    return isPlausible(facts) ? facts : draw();
  };
  while (cars.length < count) {
    const facts = draw();
    const fits = oracle.fittingAlerts(facts);
    const words = cars.length + 1;
    if (fits.length > 0)
      cars.push({ car: { externalId: `7${words}`, words, mileage: 1_000 + words * 97, facts }, fits });
  }
  return cars;
}

async function listenForMatches(url: string) {
  const client = new pg.Client({ connectionString: url });
  let onNotify: ((at: number) => void) | undefined;
  client.on('notification', () => onNotify?.(performance.now()));
  await client.connect();
  await client.query(`listen ${channels.matches}`);
  return {
    /** Resolves with the time of the next NOTIFY. */
    next: () =>
      new Promise<number>((resolve, fail) => {
        const tooLate = setTimeout(() => fail(new Error('no NOTIFY came')), TIMEOUT_MS);
        onNotify = (at) => {
          clearTimeout(tooLate);
          resolve(at);
        };
      }),
    close: () => client.end(),
  };
}

/** Pushes cars one at a time, each after the NOTIFY of the one before and two empty commits, in a database of its own. */
export async function timeSingles(db: ThrowAway, seed: number, sizes: SingleSizes): Promise<SingleTimes> {
  const market = makeMarket(seed);
  const alerts = Array.from({ length: sizes.alerts }, () => market.alert());
  progress(`Loading ${sizes.alerts} alerts and ${sizes.stored} listings …`);
  await loadAlerts(db, alerts);
  await loadListings(db, Array.from({ length: sizes.stored }, market.listing), { pending: false, daysAgo: () => 1 });
  const cars = fittingCars(market, makeOracle(alerts), sizes.warmUp + sizes.measured);
  await db.pool.query('create table empty_commits (n int4)');
  await warmSearch(db);
  await db.pool.query('checkpoint');

  const log = makeLog('bench');
  const gazetteer = makeGazetteer();
  const stopping = new AbortController();
  const listener = await startListener(db.url, log);
  const jobs = bindJobs([matchListingsJob, backfillAlertsJob], { pool: db.pool, signal: stopping.signal });
  const running = await startJobs({ database: db.url, mongoUrl: undefined, listener, log, jobs });
  const notices = await listenForMatches(db.url);
  const parsePage = (text: string, now: Date) => parseMarketplacePageInSlices(text, { gazetteer, now });
  const deps = { pool: db.pool, parsePage, now: () => new Date() };
  const client = await db.pool.connect();
  const times: SingleTimes = { listingMs: [], emptyCommitsMs: [], matches: 0, missing: 0, extra: 0 };
  progress(`Pushing ${sizes.measured} listings, one at a time …`);
  for (const [at, { car, fits }] of cars.entries()) {
    const body = JSON.stringify([marketItem(car, new Date())]);
    const next = notices.next();
    const start = performance.now();
    const [ended, { results }] = await Promise.all([next, ingestPush(deps, 'bench-push', body)]);
    const began = performance.now();
    for (const n of [1, 2])
      await client.query({ name: 'empty', text: 'insert into empty_commits values ($1)', values: [n] });
    if (at >= sizes.warmUp) {
      times.listingMs.push(ended - start);
      times.emptyCommitsMs.push(performance.now() - began);
    }
    const { rows } = await db.pool.query<{ id: number }>('select alert_id as id from matches where listing_id = $1', [
      results[0]?.listingId,
    ]);
    const found = new Set(rows.map(({ id }) => id - 1));
    times.matches += found.size;
    times.missing += fits.filter((alert) => !found.has(alert)).length;
    times.extra += [...found].filter((alert) => !fits.includes(alert)).length;
  }
  client.release();
  stopping.abort();
  await running.close();
  await listener.close();
  await notices.close();
  return times;
}

/**
 * Measures one listing at a time, from the body's receipt to the NOTIFY of its matches, against two empty commits of the
 * same run, both durable. @param options `listings` is how many are pushed
 */
export async function benchSingle({ alerts = ALERTS, listings = MEASURED, seed }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  const sizes = { alerts, stored: STORED, measured: listings, warmUp: WARM_UP };
  const times = await timeSingles(db, seed, sizes);
  const emptyCommitsP50Ms = percentile(times.emptyCommitsMs, 0.5);
  const limit = {
    what: 'two empty commits, p50',
    p50Ms: emptyCommitsP50Ms + MORE_P50_MS,
    p99Ms: emptyCommitsP50Ms + MORE_P99_MS,
  };
  const line = {
    bench: 'single',
    alerts,
    listings,
    matchesPerListing: Math.round((times.matches / (WARM_UP + listings)) * 10) / 10,
    p50Ms: percentile(times.listingMs, 0.5),
    p95Ms: percentile(times.listingMs, 0.95),
    p99Ms: percentile(times.listingMs, 0.99),
    emptyCommitsP50Ms,
    emptyCommitsP99Ms: percentile(times.emptyCommitsMs, 0.99),
    limit,
    missing: times.missing,
    extra: times.extra,
  };
  const missed = [
    ...(line.p50Ms > limit.p50Ms ? [`p50 within two empty commits and ${MORE_P50_MS} ms`] : []),
    ...(line.p99Ms > limit.p99Ms ? [`p99 within two empty commits and ${MORE_P99_MS} ms`] : []),
    ...(line.missing + line.extra > 0 ? ['no match missing, none extra'] : []),
  ];
  return { line, missed };
}
