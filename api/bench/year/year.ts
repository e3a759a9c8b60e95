import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../../lab/command-line.ts';
import { percentile } from '../../lab/percentile.ts';
import { startThrowAway, type ThrowAway } from '../../lab/throw-away.ts';
import { inTransaction } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import { partitionSteps } from '../../src/jobs/clean-up/partitions.ts';
import { readMatchPage, withMatchCount } from '../../src/live/read-matches.ts';
import { readNewMatches } from '../../src/live/read-subscribers.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { deleteRowsOfAlert, purgeOrphans } from '../../src/matching/purge-orphans.ts';
import { claimAlerts, findDueAlerts } from '../../src/notify/channels/email/claim-mails.ts';
import { acceptServer } from '../../src/notify/restored/running-server.ts';
import { type Market, makeMarket } from '../market/market.ts';
import type { Bench } from '../options.ts';
import { loadAlerts, warmSearch } from '../rig/load-alerts.ts';
import { loadListings } from '../rig/load-listings.ts';
import { leaveRoom, listingsAMonth, loadEndedAlerts, loadMonth, MONTHS, type YearSizes } from './load-year.ts';

const ALERTS = 10_000;
const MATCHES = 50_000_000;
/** So many of the matches were announced. */
const ANNOUNCED = 0.4;
const ROUNDS = 60;
const WARM_UP = 10;
const LISTINGS_A_ROUND = 64;
const CLAIMED = 50;
/** How many times longer each may take with a year in the tables. */
const SLOWER = 2;
/** Times differ by this much from run to run. */
const NOISE_MS = 0.2;
const RETRY_MS = 1_000;
/** How often it may give way. */
const MAX_TRIES = 60;

/** Milliseconds by what was done. */
type Times = Record<'match' | 'due' | 'claim' | 'page' | 'pageOfAlert' | 'count' | 'live' | 'orphans', number[]>;

const round = (ms: number) => Math.round(ms * 100) / 100;

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  times.push(performance.now() - begun);
  return result;
}

/** Of so many alerts one was deleted. */
const DELETED_OF = 20;

async function deleteAlerts({ pool }: ThrowAway): Promise<void> {
  const { rows } = await pool.query<{ id: number; userId: number }>(
    'delete from alerts where id % $1 = 0 returning id, user_id as "userId"',
    [DELETED_OF],
  );
  for (const alert of rows) await inTransaction(pool, (client) => deleteRowsOfAlert(client, alert));
}

/** New listings are matched and mailed, and their buyers look at them, round after round. */
async function measure(
  db: ThrowAway,
  { market, firstListing }: { market: Market; firstListing: number },
): Promise<Record<keyof Times, number>> {
  const { pool } = db;
  const times: Times = { match: [], due: [], claim: [], page: [], pageOfAlert: [], count: [], live: [], orphans: [] };
  for (let at = 0; at < WARM_UP + ROUNDS; at += 1) {
    if (at === WARM_UP) for (const list of Object.values(times)) list.length = 0;
    await loadListings(db, Array.from({ length: LISTINGS_A_ROUND }, market.listing), {
      source: `lot ${performance.now()}`,
      pending: true,
      vacuum: false,
    });
    await timed(times.match, () => matchPendingListings(pool));
    await pool.query("update notifications set due_at = now() where status = 'waiting' and listing_id >= $1", [
      firstListing,
    ]);
    await pool.query('update alerts set last_mailed_at = null where last_mailed_at is not null');
    const due = await timed(times.due, () => findDueAlerts(pool));
    await timed(times.claim, () => claimAlerts(pool, due.slice(0, CLAIMED), false));
    await pool.query(
      "update notifications set status = 'sent', settled_at = now() where status in ('waiting', 'sending') and listing_id >= $1",
      [firstListing],
    );
    await pool.query("update mails set status = 'sent' where status = 'sending'");
    const { alertId, userId } = due[0] ?? { alertId: 1, userId: 1 };
    const page = await timed(times.page, () => readMatchPage(pool, { userId, first: 20 }));
    await timed(times.pageOfAlert, () => readMatchPage(pool, { userId, alertId, first: 20 }));
    await timed(times.count, () =>
      pool.query({
        name: 'count',
        text: `select c.count from alerts a ${withMatchCount} where a.user_id = $1`,
        values: [userId],
      }),
    );
    const last = page.rows.at(-1);
    const cursor = { position: last?.position ?? '0', nonce: last?.nonce ?? null, listingId: 0, alertId: 0 };
    await timed(times.live, () => readNewMatches(pool, [{ userId, alertId: null, cursor }], 20));
    await timed(times.orphans, () =>
      inTransaction(pool, (client) => purgeOrphans('matches')(client, { after: String(at * 10), rows: 500 })),
    );
  }
  const p50s = Object.entries(times).map(([name, list]) => [name, round(percentile(list, 0.5))] as const);
  return Object.fromEntries(p50s) as Record<keyof Times, number>;
}

/** Drops the oldest month, whose rows need not stay. `lockMs`: how long others may have waited for it. */
async function dropMonth(db: ThrowAway, days: number): Promise<{ ms: number; lockMs: number }> {
  const begun = performance.now();
  let lockMs = 0;
  for (const name of ['old-matches', 'old-notifications']) {
    const step = partitionSteps.find((one) => one.name === name);
    if (!step) throw new Error(`no step ${name}`);
    const keptDays = { matches: days, messages: days };
    let after: string | null = null;
    let removed = 0;
    let tries = 1;
    do {
      const batchBegun = performance.now();
      const done = await inTransaction(db.pool, (client) =>
        step.run(
          client,
          { after, rows: step.rows ?? 0 },
          { keptDays, pool: db.pool, database: db.url, log: silentLog },
        ),
      );
      lockMs = Math.max(lockMs, done.removed > 0 ? performance.now() - batchBegun : 0);
      removed += done.removed;
      after = done.after;
      if (after !== null || removed > 0) continue;
      // It gives way to a vacuum of the month, which has just been loaded.
      await sleep(RETRY_MS);
      tries += 1;
    } while (after !== null || (removed === 0 && tries <= MAX_TRIES));
    if (removed !== 1) throw new Error(`${name} dropped ${removed} partitions`);
  }
  return { ms: Math.round(performance.now() - begun), lockMs: round(lockMs) };
}

/** Drops partitions that end before so many months from the first on. */
const daysFor = (months: number): number => (MONTHS - months) * 28 - 1;

/**
 * Measures what is asked all day on a system that has matched only lately, and again with a year of matches and notifications
 * in the tables, a month a partition; and how long the oldest month takes to leave, alone and with all others there.
 * @param options `matches` is how many the year has
 */
export const benchYear: Bench = async ({ alerts = ALERTS, matches = MATCHES, seed }) => {
  await using db = await startThrowAway();
  // Claims are made without an engine, which would ask first.
  await inTransaction(db.pool, acceptServer);
  const sizes: YearSizes = { matches, notifications: Math.round(matches * ANNOUNCED) };
  const market = makeMarket(seed);
  progress(`Loading ${alerts} alerts …`);
  await loadAlerts(db, Array.from({ length: alerts }, market.alert));
  await deleteAlerts(db);
  const before = await loadEndedAlerts(db);
  const firstListing = await leaveRoom(db, sizes);
  await warmSearch(db);
  progress('Measuring without a past …');
  const empty = await measure(db, { market, firstListing });
  await loadMonth(db, { month: 0, before, sizes });
  const dropEmpty = await dropMonth(db, daysFor(1));
  const end = 1 + listingsAMonth(sizes);
  await db.pool.query(`drop table matches_to_${end}, notifications_to_${end}`);
  await db.pool.query("delete from listings where source = 'past'");
  progress(`Loading ${matches} matches and ${sizes.notifications} notifications …`);
  for (let month = 0; month < MONTHS; month += 1) await loadMonth(db, { month, before, sizes });
  await db.pool.query('vacuum listings');
  await db.pool.query('analyze listings, matches, notifications');
  await db.pool.query('checkpoint');
  progress('Measuring with a year …');
  const year = await measure(db, { market, firstListing });
  const { rows } = await db.pool.query<{ bytes: number }>(
    "select sum(pg_total_relation_size(relid))::int8 as bytes from (select * from pg_partition_tree('matches') union all select * from pg_partition_tree('notifications')) t",
  );
  const dropYear = await dropMonth(db, daysFor(1));
  const names = Object.keys(empty) as (keyof typeof empty)[];
  const missed = names
    .filter((name) => year[name] > empty[name] * SLOWER + NOISE_MS)
    .map((name) => `${name} within twice its time without a past`);
  if (dropYear.ms > dropEmpty.ms * SLOWER) missed.push('the oldest month leaves within twice its time alone');
  const line = {
    bench: 'year',
    alerts,
    ...sizes,
    partitions: MONTHS + 1,
    megabytes: Math.round((rows[0]?.bytes ?? 0) / 1e6),
    empty,
    year,
    drop: { empty: dropEmpty, year: dropYear },
  };
  return { line, missed };
};
