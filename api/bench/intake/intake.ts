import { progress } from '../../lab/command-line.ts';
import { percentile } from '../../lab/percentile.ts';
import { cpuSeconds, type LotWatchProcesses, memoryMb, parentOf, startLotWatch } from '../../lab/processes.ts';
import { startThrowAway, type ThrowAway } from '../../lab/throw-away.ts';
import { untilTrue } from '../../lab/until-true.ts';
import type { Pool } from '../../src/base/database.ts';
import { makeMarket } from '../market/market.ts';
import { type BenchOptions, type BenchResult } from '../options.ts';
import { loadAlerts } from '../rig/load-alerts.ts';
import { makeOracle } from '../rig/oracle.ts';
import { compareMatches, type Differences } from './compare.ts';
import { ItemStream } from './item-stream.ts';
import { pushBodies, SOURCE, signUpBuyers, timePages, untilMatched } from './load.ts';

export interface Limit {
  what: string;
  itemsPerSecond: number;
}

/**
 * Inserts the rows that a run stored once more, as INSERT … SELECT into equal tables with all indexes, in as many
 * transactions: the least work, without reading, searching and matching.
 */
export async function timePlainInserts(pool: Pool, source: string, items: number, itemsABody: number): Promise<Limit> {
  const tables = ['listings', 'price_changes', 'matches', 'notifications'] as const;
  const client = await pool.connect();
  try {
    for (const table of tables) await client.query(`create table plain_${table} (like ${table} including all)`);
    const { rows } = await client.query<{ first: number; last: number }>(
      'select min(id) as first, max(id) as last from listings where source = $1',
      [source],
    );
    const { first, last } = rows[0] ?? { first: 0, last: 0 };
    await client.query('checkpoint');
    const bodies = Math.ceil(items / itemsABody);
    const width = Math.ceil((last - first + 1) / bodies);
    const start = performance.now();
    for (let from = first; from <= last; from += width) {
      await client.query('begin');
      for (const table of tables) {
        const column = table === 'listings' ? 'id' : 'listing_id';
        const given = table === 'listings' || table === 'notifications' ? 'overriding system value ' : '';
        const names = await columnsOf(client, table);
        await client.query(
          `insert into plain_${table} (${names}) ${given}select ${names} from ${table} where ${column} >= ${from} and ${column} < ${from + width}`,
        );
      }
      await client.query('commit');
    }
    const itemsPerSecond = Math.round((items * 1_000) / (performance.now() - start));
    return { what: 'INSERT … SELECT of the same rows into such tables, in as many commits', itemsPerSecond };
  } finally {
    client.release();
  }
}

const known = new Map<string, string>();
async function columnsOf(client: { query: Pool['query'] }, table: string): Promise<string> {
  const before = known.get(table);
  if (before !== undefined) return before;
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const names = rows[0]?.names ?? '';
  known.set(table, names);
  return names;
}

const ALERTS = 10_000;
const SECONDS = 60;
const MIN_PER_SECOND = 1_500;
const MAX_PAGE_P95_MS = 100;
const BUYERS = 20;

export interface IntakeSizes {
  alerts: number;
  seconds: number;
  itemsABody: number;
  concurrency: number;
}

export interface IntakeRun {
  items: number;
  relists: number;
  linked: number;
  itemsPerSecond: number;
  matchesPerListing: number;
  answersMs: number[];
  drainSeconds: number;
  pagesMs: number[];
  pagesAtItemsPerSecond: number;
  cpu: ReturnType<typeof cpuOf>;
  peakMb: { api: number | null; worker: number | null };
  miscounted: number;
  differences: Differences;
  limit: Limit;
}

const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));

/** Starts the api and the worker, and waits until both listen to the database. */
async function startBoth(db: ThrowAway): Promise<LotWatchProcesses> {
  const parts = await startLotWatch(db, { env: { RATE_LIMITS: 'off' } });
  await untilTrue('the listeners of api and worker', 60_000, async () => {
    const found = await db.pool.query("select from pg_stat_activity where application_name = 'lotwatch-listener'");
    return (found.rowCount ?? 0) >= 2;
  });
  return parts;
}

/** The main process of the database server. */
export async function postmasterOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(rows[0]?.pid ?? 0);
}

/** The processor time of each process, in seconds; `postgres` with all its backends. */
function cpuOf({ apiPid, workerPid }: LotWatchProcesses, postmaster: number) {
  const own = process.cpuUsage();
  return {
    api: cpuSeconds(apiPid),
    worker: cpuSeconds(workerPid),
    postgres: cpuSeconds(postmaster, true),
    bench: (own.user + own.system) / 1e6,
  };
}

/** Pushes as fast as possible, then at half that rate while buyers load their pages, and compares everything. */
async function runIntake(db: ThrowAway, seed: number, sizes: IntakeSizes): Promise<IntakeRun> {
  const market = makeMarket(seed);
  const alerts = Array.from({ length: sizes.alerts }, () => market.alert());
  progress(`Loading ${sizes.alerts} alerts …`);
  await loadAlerts(db, alerts);
  const stream = new ItemStream(market, seed);
  await using parts = await startBoth(db);
  const postmaster = await postmasterOf(db.pool);
  const push = { url: parts.url, stream, itemsABody: sizes.itemsABody, concurrency: sizes.concurrency };
  // The first bodies meet unplanned statements and unknown cars.
  const warm = await pushBodies({ ...push, itemsPerSecond: 0, until: performance.now() + 3_000 });
  await untilMatched(db.pool);
  progress(`Pushing for ${sizes.seconds} s …`);
  const before = cpuOf(parts, postmaster);
  const start = performance.now();
  const pushed = await pushBodies({ ...push, itemsPerSecond: 0, until: start + sizes.seconds * 1_000 });
  const ended = performance.now();
  await untilMatched(db.pool);
  const seconds = (performance.now() - start) / 1_000;
  const after = cpuOf(parts, postmaster);
  const itemsPerSecond = Math.round(pushed.items / seconds);
  const peakMb = { api: memoryMb(parts.apiPid, 'peak'), worker: memoryMb(parts.workerPid, 'peak') };

  progress(`${itemsPerSecond} items/s. Loading pages at half of it …`);
  const buyers = await signUpBuyers(db.pool, parts.url, BUYERS);
  const until = performance.now() + Math.max(2_000, (sizes.seconds * 1_000) / 3);
  const [beside, pagesMs] = await Promise.all([
    pushBodies({ ...push, itemsPerSecond: itemsPerSecond / 2, until }),
    timePages(parts.url, buyers, until),
  ]);
  await untilMatched(db.pool);
  await parts.stop();

  progress('Comparing every pair …');
  const differences = await compareMatches(db.pool, SOURCE, stream.cars, makeOracle(alerts));
  const { rows } = await db.pool.query<{ linked: number }>(
    'select count(*)::int as linked from listings where source = $1 and car_id <> id',
    [SOURCE],
  );
  const items = warm.items + pushed.items + beside.items;
  return {
    items,
    relists: stream.relists,
    linked: rows[0]?.linked ?? 0,
    itemsPerSecond,
    matchesPerListing: rounded(differences.matches / stream.cars.length),
    answersMs: pushed.answersMs,
    drainSeconds: rounded(seconds - (ended - start) / 1_000),
    pagesMs,
    pagesAtItemsPerSecond: Math.round(itemsPerSecond / 2),
    cpu: {
      api: rounded((after.api - before.api) / seconds, 2),
      worker: rounded((after.worker - before.worker) / seconds, 2),
      postgres: rounded((after.postgres - before.postgres) / seconds, 2),
      bench: rounded((after.bench - before.bench) / seconds, 2),
    },
    peakMb,
    miscounted: warm.miscounted + pushed.miscounted + beside.miscounted,
    differences,
    limit: await timePlainInserts(db.pool, SOURCE, items, sizes.itemsABody),
  };
}

/**
 * Marketplace items pushed over HTTP to an api and a worker of their own: read, stored with history and relist check,
 * and matched. An item counts when its matches are written.
 */
export async function benchIntake({ alerts = ALERTS, seconds = SECONDS, seed }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  const run = await runIntake(db, seed, { alerts, seconds, itemsABody: 500, concurrency: 2 });
  const { missing, extra, listingsMissing } = run.differences;
  const line = {
    bench: 'intake',
    alerts,
    seconds,
    items: run.items,
    itemsPerSecond: run.itemsPerSecond,
    limit: run.limit,
    ratio: rounded(run.itemsPerSecond / run.limit.itemsPerSecond, 3),
    missing,
    extra,
    listingsMissing,
    miscounted: run.miscounted,
    matchesPerListing: run.matchesPerListing,
    relists: run.relists,
    linked: run.linked,
    answersMs: { p50: percentile(run.answersMs, 0.5), p95: percentile(run.answersMs, 0.95) },
    drainSeconds: run.drainSeconds,
    processors: run.cpu,
    peakMb: run.peakMb,
    pages: {
      atItemsPerSecond: run.pagesAtItemsPerSecond,
      queries: run.pagesMs.length,
      p50Ms: percentile(run.pagesMs, 0.5),
      p95Ms: percentile(run.pagesMs, 0.95),
      p99Ms: percentile(run.pagesMs, 0.99),
    },
  };
  const missed = [
    ...(line.itemsPerSecond < MIN_PER_SECOND ? [`${MIN_PER_SECOND} items a second`] : []),
    ...(line.pages.p95Ms > MAX_PAGE_P95_MS ? [`pages within ${MAX_PAGE_P95_MS} ms (p95) while loaded`] : []),
    ...(missing + extra + listingsMissing + run.miscounted > 0 ? ['nothing missing, extra or miscounted'] : []),
  ];
  return { line, missed };
}
