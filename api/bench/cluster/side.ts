import { onServer } from '../../lab/cluster-database.ts';
import { percentile } from '../../lab/percentile.ts';
import { cpuSeconds } from '../../lab/processes.ts';
import { makeThrowAwayOn, type ThrowAway } from '../../lab/throw-away.ts';
import { createAlert } from '../../src/alerts/create-alert.ts';
import { inTransaction, type Pool } from '../../src/base/database.ts';
import { makeGazetteer } from '../../src/domain/places/places.ts';
import { countNewOfUser } from '../../src/listings/new-cars.ts';
import { readMatchPage } from '../../src/live/read-matches.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { claimAlerts } from '../../src/notify/channels/email/claim-mails.ts';
import { acceptServer } from '../../src/notify/restored/running-server.ts';
import type { Layout } from '../../src/placement/layout.ts';
import { makeMarket } from '../market/market.ts';
import { loadAlerts, warmSearch } from '../rig/load-alerts.ts';
import { loadListings, markToMatch } from '../rig/load-listings.ts';

/** What one side is made of: the same alerts and listings on one server, or over a cluster. */
export interface SideOptions {
  /** A database of the coordinator, whose server has the plain side as well. */
  url: string;
  layout: Layout;
  shards: number;
  alerts: number;
  listings: number;
  seed: number;
}

export interface Matching {
  listingsPerSecond: number;
  rowsPerSecond: number;
  pairs: number;
  /** Of all pairs, in any order. */
  hash: string;
  /** Processor time of the servers for a pair. */
  cpuMicrosPerPair: number;
  /** Which part of it the coordinator took. */
  coordinatorShare: number;
}

export interface Latency {
  p50Ms: number;
  p99Ms: number;
}

export const calls = ['create', 'backfill', 'page', 'count', 'claim'] as const;
export type Latencies = Record<(typeof calls)[number], Latency>;

const PER_USER = 10;
const CALLS = 200;
const WARM_UP = 20;
const PAGE = 24;

/** The first process of each server, that of the coordinator first. */
async function findServers(urls: readonly string[]): Promise<number[]> {
  const pids = await Promise.all(
    urls.toReversed().map((url) =>
      onServer(url, async (query) => {
        const [row] = await query("select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int4 as pid");
        return Number(row?.pid);
      }),
    ),
  );
  return pids;
}

export interface Side extends AsyncDisposable {
  /** Matches all listings by one worker, in batches of this many. */
  match(batch: number): Promise<Matching>;
  /** Calls of a buyer and of a worker, one after another. */
  time(): Promise<Latencies>;
}

/** Makes one side in a database of its own. Its process can have no other side, as the layout is one of the process. */
export async function makeSide({ url, layout, shards, alerts, listings, seed }: SideOptions): Promise<Side> {
  const db = await makeThrowAwayOn(url, layout, { shards });
  // Messages are claimed without the engine, which would do this.
  await inTransaction(db.pool, acceptServer);
  const servers = await findServers(db.serverUrls);
  const market = makeMarket(seed);
  await loadAlerts(db, Array.from({ length: alerts }, market.alert), { perUser: PER_USER });
  const cars = Array.from({ length: listings }, market.listing);
  const first = await loadListings(db, cars, { pending: false });
  await warmSearch(db);
  const ids = cars.map((_, at) => first + at);
  return {
    match: (batch) => matchAll(db.pool, servers, ids, batch),
    time: () => timeCalls(db, Math.ceil(alerts / PER_USER)),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}

async function matchAll(
  pool: Pool,
  servers: readonly number[],
  ids: readonly number[],
  batch: number,
): Promise<Matching> {
  await pool.query('truncate matches, notifications');
  await markToMatch(pool, ids);
  const cpu = () => servers.map((pid) => cpuSeconds(pid, true));
  const before = cpu();
  const start = performance.now();
  while ((await matchPendingListings(pool, batch)) > 0);
  const seconds = (performance.now() - start) / 1_000;
  const taken = cpu().map((after, at) => after - (before[at] ?? 0));
  const { rows } = await pool.query<{ pairs: number; hash: string }>(
    'select count(*)::int4 as pairs, sum(hashint8(listing_id * 10000000 + alert_id)::int8)::text as hash from matches',
  );
  const { rows: written } = await pool.query<{ count: number }>('select count(*)::int4 as count from notifications');
  const [{ pairs, hash } = { pairs: 0, hash: '' }] = rows;
  const all = taken.reduce((sum, one) => sum + one, 0);
  return {
    listingsPerSecond: Math.round(ids.length / seconds),
    rowsPerSecond: Math.round((pairs + (written[0]?.count ?? 0)) / seconds),
    pairs,
    hash,
    cpuMicrosPerPair: Math.round((all / pairs) * 1e8) / 100,
    coordinatorShare: Math.round(((taken[0] ?? 0) / all) * 1_000) / 1_000,
  };
}

async function timeEach(call: (at: number) => Promise<unknown>): Promise<Latency> {
  const times: number[] = [];
  for (let at = 0; at < WARM_UP + CALLS; at += 1) {
    const start = performance.now();
    await call(at);
    if (at >= WARM_UP) times.push(performance.now() - start);
  }
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}

async function timeCalls(db: ThrowAway, users: number): Promise<Latencies> {
  const { pool } = db;
  const deps = { gazetteer: makeGazetteer(), now: new Date(), hasTexts: false };
  const input = { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 50, onlyWithImages: false };
  const user = (at: number) => 1 + ((at * 37) % users);
  const backfills: number[] = [];
  const create = await timeEach((at) => createAlert(db.orm.em.fork(), deps, { id: user(at) }, input));
  await timeEach(async () => {
    const start = performance.now();
    if ((await matchPendingAlerts(pool, 1)) > 0) backfills.push(performance.now() - start);
  });
  const page = await timeEach((at) => readMatchPage(pool, { userId: user(at), first: PAGE }));
  const count = await timeEach((at) => countNewOfUser(pool, user(at)));
  const { rows: due } = await pool.query<{ alertId: number; userId: number }>(
    `select alert_id as "alertId", min(user_id) as "userId" from notifications group by alert_id order by alert_id limit ${WARM_UP + CALLS}`,
  );
  const claim = await timeEach((at) =>
    claimAlerts(
      pool,
      due.slice(at, at + 1).map((alert) => ({ ...alert, isPaid: true })),
      false,
    ),
  );
  const backfill = { p50Ms: percentile(backfills, 0.5), p99Ms: percentile(backfills, 0.99) };
  return { create, backfill, page, count, claim };
}
