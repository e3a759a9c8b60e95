import { once } from 'node:events';
import { createWriteStream, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../lab/command-line.ts';
import { startThrowAway } from '../lab/throw-away.ts';
import { makePool, type Pool } from '../src/base/database.ts';
import { makeEncryption } from '../src/base/encryption.ts';
import { silentLog } from '../src/base/log.ts';
import { makeGazetteer } from '../src/domain/places/places.ts';
import { retireAbsent } from '../src/intake/retire-listings.ts';
import { storeListings } from '../src/intake/store-listings.ts';
import { pollSource } from '../src/jobs/poll/poll-sources-job.ts';
import { matchPendingListings } from '../src/matching/match-listings.ts';
import { ensureSources } from '../src/sources/change-sources.ts';
import { encryptSecrets } from '../src/sources/source-secrets.ts';
import { parseSources } from '../src/sources/source-settings.ts';
import { fetchPage } from '../src/vendors/web-fetch.ts';
import { type Market, makeMarket } from './market/market.ts';
import { type Bench } from './options.ts';

/** The writes of some work, as the server counts them. */
export interface Written {
  /** Inserted, updated and deleted, by table; tables without any are left out. */
  rows: Record<string, number>;
  /** Bytes of the write-ahead log. */
  walBytes: number;
  seconds: number;
}

const NAME = 'lotwatch-measured';
const GONE_MS = 10_000;

async function countRows(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; written: number }>(
    'select relname as name, n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_user_tables',
  );
  return new Map(rows.map(({ name, written }) => [name, written]));
}

async function walPosition(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>("select (pg_current_wal_lsn() - '0/0')::int8 as bytes");
  return rows[0]?.bytes ?? 0;
}

/** Runs work over connections of its own and waits for their end: only then are all their rows counted. */
export async function withOwnConnections(
  url: string,
  pool: Pool,
  work: (own: Pool) => Promise<unknown>,
): Promise<void> {
  const own = makePool(url, 20, NAME);
  await work(own).finally(() => own.end());
  const deadline = performance.now() + GONE_MS;
  const isThere = async () =>
    (await pool.query('select from pg_stat_activity where application_name = $1', [NAME])).rowCount !== 0;
  while (await isThere()) {
    if (performance.now() > deadline) throw new Error('The measured connections do not end.');
    await sleep(10);
  }
}

/**
 * Runs work over connections of its own and reads from the server what it wrote. Nothing else may write to the server
 * meanwhile, and whatever wrote before must have done so over connections of its own.
 */
export async function measureWritten(url: string, pool: Pool, work: (own: Pool) => Promise<unknown>): Promise<Written> {
  const before = await countRows(pool);
  const from = await walPosition(pool);
  let [seconds, walBytes] = [0, 0];
  await withOwnConnections(url, pool, async (own) => {
    const startedAt = performance.now();
    await work(own);
    seconds = (performance.now() - startedAt) / 1000;
    walBytes = (await walPosition(pool)) - from;
  });
  const after = await countRows(pool);
  const rows = [...after].map(([name, written]) => [name, written - (before.get(name) ?? 0)] as const);
  return { rows: Object.fromEntries(rows.filter(([, written]) => written > 0)), walBytes, seconds };
}

const LISTINGS = 100_000;
/** Bytes: the counts of a batch of 500 cars, and the writes of a read, with the first image of each page. */
const MAX_WAL_BYTES_PER_CAR = 5;
const WAL_OF_A_READ = 150_000;
const gazetteer = makeGazetteer();
const encryption = makeEncryption('of a benchmark', 'source headers');

async function writeFeed(path: string, market: Market, count: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('vehicle_id,make,model,year,price,mileage.value,exterior_color,latitude,longitude,image[0].url\n');
  for (let n = 0; n < count; n += 1) {
    const { make, model, year, price, color, lat, lng, imageUrl } = market.listing();
    const row = [n, make, model, year ?? 2015, price, n + 1_000, color, lat, lng, imageUrl];
    if (!file.write(`${row.map((cell) => cell ?? '').join(',')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** Moves the last sight of every car back, and vacuums, so that no read does that work. */
const letTimePass = async (pool: Pool, interval: string): Promise<void> => {
  await pool.query(`update listings set last_seen_at = last_seen_at - interval '${interval}'`);
  await pool.query('vacuum (freeze, analyze) listings');
  await pool.query('checkpoint');
};

interface Read extends Written {
  /** The seconds in which batches were stored; the rest of the time is reading the feed. */
  storeSeconds: number;
}

function shown({ rows, walBytes, seconds, storeSeconds }: Read, listings: number) {
  const round = (value: number) => Math.round(value * 100) / 100;
  const times = { seconds: round(seconds), storeSeconds: round(storeSeconds) };
  return { ...times, rowsWritten: rows, walBytes, walBytesACar: round(walBytes / listings) };
}

/**
 * Reads a feed for the first time, then unchanged at once, an hour later and two days later, and measures what each read
 * wrote.
 */
export const benchReread: Bench = async ({ listings = LISTINGS, seed }) => {
  await using db = await startThrowAway();
  const path = join(db.folder, 'feed.csv');
  await writeFeed(path, makeMarket(seed), listings);
  await ensureSources(
    db.pool,
    encryptSecrets(encryption, parseSources(JSON.stringify([{ name: 'lot', kind: 'vehicle-feed', file: path }]), '/')),
  );
  let reads = 0;
  let storeMs = 0;
  const timed: typeof storeListings = async (...given) => {
    const startedAt = performance.now();
    const result = await storeListings(...given);
    storeMs += performance.now() - startedAt;
    return result;
  };
  const read = async (pool: Pool): Promise<void> => {
    reads += 1;
    // The same bytes, without validators.
    utimesSync(path, reads, reads);
    await pool.query("update sources set next_poll_at = now() where name = 'lot'");
    const done = await pollSource(
      {
        pool,
        storeListings: timed,
        retireAbsent,
        gazetteer,
        fetchPage,
        encryption,
        allowsPrivateNetwork: false,
        now: () => new Date(),
        log: silentLog,
      },
      'lot',
    );
    if (!done) throw new Error('The feed was not read.');
  };
  const measure = async (what: string): Promise<Read> => {
    progress(`Reading ${listings} cars ${what} …`);
    storeMs = 0;
    return { ...(await measureWritten(db.url, db.pool, read)), storeSeconds: storeMs / 1000 };
  };
  const first = await measure('for the first time');
  const pass = (interval: string) => withOwnConnections(db.url, db.pool, (own) => letTimePass(own, interval));
  await withOwnConnections(db.url, db.pool, async (own) => {
    while ((await matchPendingListings(own)) > 0);
  });
  await pass('0');
  const again = await measure('again');
  await pass('1 hour');
  const hourLater = await measure('an hour later');
  await pass('2 days');
  const daysLater = await measure('two days later');
  const { rows } = await db.pool.query("select count(*)::int4 as cars from listings where status = 'for_sale'");
  const missed: string[] = [];
  for (const { rows: written, walBytes } of [again, hourLater]) {
    if ((written.listings ?? 0) > 0) missed.push('an unchanged read writes listings');
    if (walBytes > listings * MAX_WAL_BYTES_PER_CAR + WAL_OF_A_READ) missed.push('an unchanged read writes much log');
  }
  const line = {
    bench: 'reread',
    listings,
    stored: rows[0]?.cars,
    first: shown(first, listings),
    again: shown(again, listings),
    hourLater: shown(hourLater, listings),
    daysLater: shown(daysLater, listings),
    ofFirst: {
      seconds: Math.round((hourLater.seconds / first.seconds) * 1000) / 1000,
      storeSeconds: Math.round((hourLater.storeSeconds / first.storeSeconds) * 1000) / 1000,
      walBytes: Math.round((hourLater.walBytes / first.walBytes) * 10_000) / 10_000,
    },
  };
  return { line, missed };
};
