import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { progress } from '../../lab/command-line.ts';
import { percentile } from '../../lab/percentile.ts';
import { forkChild, startLotWatch } from '../../lab/processes.ts';
import { startThrowAway, type ThrowAway } from '../../lab/throw-away.ts';
import { untilTrue } from '../../lab/until-true.ts';
import { makePool } from '../../src/base/database.ts';
import { startListener } from '../../src/base/listener.ts';
import { silentLog } from '../../src/base/log.ts';
import { postmasterOf } from '../intake/intake.ts';
import { ALERTS_EACH, signUpBuyers, timePages, untilMatched } from '../intake/load.ts';
import { makeMarket } from '../market/market.ts';
import type { BenchOptions, BenchResult } from '../options.ts';
import { loadAlerts, warmSearch } from '../rig/load-alerts.ts';
import { loadListings } from '../rig/load-listings.ts';
import { checkSample } from './check-sample.ts';
import type { JobsReport } from './jobs-child.ts';
import { type Latencies, measureLatencies } from './latencies.ts';
import { makeNarrowMarket } from './narrow-market.ts';
import { planArrivals } from './plan.ts';
import { LISTINGS_A_DAY, measureRates } from './rates.ts';
import { type BurstTime, storeArrivals } from './store-arrivals.ts';
import { readUsage, usageBetween, watchMemory } from './usage.ts';

const ALERTS = 10_000_000;
const MINUTES = 30;
/** Cells, indexes, alerts and users while they are loaded, and what a run adds. */
const BYTES_AN_ALERT = 3_500;
const BYTES_BESIDES = 8_000_000_000;
/** Listings of the days before: one for so many alerts, at most half a million. */
const ALERTS_A_STORED_LISTING = 20;
const MAX_STORED = 500_000;
const BUYERS = 5;
const PAGES_A_SECOND = 2;
const MAX_DRAIN_MS = 600_000;
const HOUR_MS = 3_600_000;
const MAX_STEADY_P95_MS = 5_000;
const MAX_BACKLOG_SECONDS = 120;

export interface CountrySizes {
  alerts: number;
  seconds: number;
  /** Alerts and listings by which the market is measured. */
  sample: { alerts: number; listings: number };
}

const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));

function refuseSmallDisk(alerts: number): void {
  const { bavail, bsize } = statfsSync(tmpdir());
  const needed = alerts * BYTES_AN_ALERT + BYTES_BESIDES;
  if (bavail * bsize >= needed) return;
  const gigabytes = (bytes: number) => `${Math.round(bytes / 1e9)} GB`;
  throw new Error(`${tmpdir()} has ${gigabytes(bavail * bsize)} free; ${gigabytes(needed)} are needed`);
}

/** Starts a durable server in which the alerts, and listings of the days before, are loaded. */
async function startCountry(seed: number, alerts: number): Promise<ThrowAway> {
  const began = performance.now();
  const db = await startThrowAway({
    async fill(loading) {
      progress(`Loading ${alerts} alerts …`);
      await loadAlerts(loading, makeNarrowMarket(seed).alerts(alerts));
      progress(`They are loaded after ${Math.round((performance.now() - began) / 1_000)} s`);
      const stored = Math.min(MAX_STORED, Math.ceil(alerts / ALERTS_A_STORED_LISTING));
      const listings = Array.from({ length: stored }, makeMarket(seed + 1).listing);
      await loadListings(loading, listings, { source: 'before', pending: false, daysAgo: (at) => 1 + (at % 3) });
    },
  });
  // Reading the index of millions of alerts takes longer than a statement of a job may.
  const patient = makePool(db.url, 1, 'lotwatch-bench-load', HOUR_MS);
  await warmSearch({ pool: patient });
  await patient.end();
  return db;
}

const times = (ms: readonly number[]) => ({
  listings: ms.length,
  p50Ms: percentile(ms, 0.5),
  p95Ms: percentile(ms, 0.95),
  p99Ms: percentile(ms, 0.99),
});

/** Runs jobs and readers beside the arrivals, and reads what they took. */
async function run(db: ThrowAway, seed: number, seconds: number) {
  const totalMs = seconds * 1_000;
  await using jobs = await forkChild(new URL('./jobs-child.ts', import.meta.url), [db.url]);
  await using api = await startLotWatch(db, { worker: false, env: { RATE_LIMITS: 'off' } });
  const listener = await startListener(db.url, silentLog);
  const server = await postmasterOf(db.pool);
  const pids = { server, api: api.apiPid, jobs: Number(jobs.hello), bench: process.pid };
  const memory = watchMemory(pids);
  let isBacklog = false;
  const latencies: Latencies = await measureLatencies(listener, () => isBacklog);
  const before = await readUsage(db.pool, pids);
  const began = performance.now();
  progress(`Listings come for ${seconds} s …`);
  const reading = (async () => {
    await untilTrue('alerts with matches for all buyers', totalMs, async () => {
      const { rowCount } = await db.pool.query(
        'select from (select alert_id from matches limit 1000) m group by alert_id',
      );
      return (rowCount ?? 0) >= BUYERS * ALERTS_EACH;
    });
    const buyers = await signUpBuyers(db.pool, api.url, BUYERS);
    return timePages(api.url, buyers, began + totalMs, PAGES_A_SECOND);
  })();
  reading.catch(() => {});
  const arrived = await storeArrivals(db.pool, makeNarrowMarket(seed), planArrivals(totalMs), {
    onStored: latencies.stored,
    onBacklog: (is) => {
      isBacklog = is;
    },
  });
  const stillWaiting = await Promise.race([
    untilMatched(db.pool).then(() => false),
    new Promise<true>((resolve) => setTimeout(resolve, MAX_DRAIN_MS, true).unref()),
  ]);
  const after = await readUsage(db.pool, pids);
  const pagesMs = await reading;
  const report = await jobs.ask<JobsReport>('report');
  await listener.close();
  return {
    latencies,
    arrived,
    stillWaiting,
    pagesMs,
    report,
    used: usageBetween(before, after),
    peakMb: memory.stop(),
  };
}

const burstLine = ({ listings, seconds, backlogSeconds }: BurstTime) => ({
  listings,
  seconds: rounded(seconds),
  backlogSeconds: rounded(backlogSeconds),
});

/** @throws when the disk is too small */
export async function measureCountry(seed: number, { alerts, seconds, sample }: CountrySizes): Promise<BenchResult> {
  refuseSmallDisk(alerts);
  progress('Measuring what an alert of the market finds a day …');
  const rates = measureRates(seed, sample);
  progress(JSON.stringify(rates));
  const began = performance.now();
  await using db = await startCountry(seed, alerts);
  const loadSeconds = Math.round((performance.now() - began) / 1_000);
  progress(`The durable server is ready after ${loadSeconds} s`);
  const { latencies, arrived, stillWaiting, pagesMs, report, used, peakMb } = await run(db, seed, seconds);
  progress('Checking the pairs of some alerts …');
  const first = [...makeNarrowMarket(seed).alerts(Math.min(alerts, sample.alerts))];
  const faults = await checkSample(db.pool, first, arrived.listings);
  const listings = arrived.listings.size;
  const aDay = (bytes: number) => rounded((bytes / listings) * (LISTINGS_A_DAY / 1e9));
  const line = {
    bench: 'country',
    alerts,
    minutes: rounded(seconds / 60, 2),
    loadSeconds,
    pairsAnAlertADay: rates,
    listings,
    pairsAListing: rounded(used.matches / listings, 2),
    steady: times(latencies.steady),
    inBursts: times(latencies.inBursts),
    bursts: arrived.bursts.map(burstLine),
    rowsPerSecond: Math.round((used.matches + used.notifications) / used.seconds),
    gigabytesADay: {
      matches: aDay(used.matchBytes),
      notifications: aDay(used.notificationBytes),
      wal: aDay(used.walBytes),
    },
    processors: used.processors,
    peakMb,
    batches: { count: report.batches, largest: report.largestBatch, longestMs: report.longestBatchMs },
    cleanUpShare: rounded(report.cleanUpMs / 1_000 / used.seconds, 3),
    pages: { queries: pagesMs.length, p50Ms: percentile(pagesMs, 0.5), p95Ms: percentile(pagesMs, 0.95) },
    failures: report.failures.slice(0, 5),
    ...faults,
  };
  const slowBursts = line.bursts.filter(({ backlogSeconds }) => backlogSeconds > MAX_BACKLOG_SECONDS);
  const missed = [
    ...(line.steady.p95Ms > MAX_STEADY_P95_MS ? [`notifications within ${MAX_STEADY_P95_MS} ms (p95)`] : []),
    ...(stillWaiting || slowBursts.length > 0 ? [`a burst's backlog gone after ${MAX_BACKLOG_SECONDS} s`] : []),
    ...(faults.missing + faults.extra > 0 ? ['no pair missing, none extra'] : []),
    ...(report.failures.length > 0 ? ['no job fails'] : []),
  ];
  return { line, missed };
}

const LARGE = 1_000_000;

/**
 * Five million listings a day, with bursts of ten times as many, for a country of alerts of which each finds 20 a day: from
 * a listing's time until its notifications are committed, on one durable server. Delivery is not a part of it.
 */
export async function benchCountry({ alerts = ALERTS, minutes = MINUTES, seed }: BenchOptions): Promise<BenchResult> {
  const sample = alerts >= LARGE ? { alerts: 10_000, listings: 200_000 } : { alerts: 5_000, listings: 40_000 };
  return await measureCountry(seed, { alerts, seconds: minutes * 60, sample });
}
