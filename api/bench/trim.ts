import { progress } from '../lab/command-line.ts';
import { percentile } from '../lab/percentile.ts';
import { startThrowAway, type ThrowAway } from '../lab/throw-away.ts';
import type { Batch, BatchResult } from '../src/base/batches.ts';
import { type Client, inTransaction } from '../src/base/database.ts';
import { seedPlans } from '../src/billing/plans.ts';
import { MATCHES_KEPT } from '../src/domain/match-cap.ts';
import { trimMatches } from '../src/matching/trim-matches.ts';
import { insertUsers } from '../test/matching/match-rows.ts';
import type { BenchOptions, BenchResult } from './options.ts';

const ALERTS = 1_000_000;
/** Alerts that have more matches than they keep, and how many more. */
const CROWDED = 500;
const BEYOND = 300;
/** Alerts that are noted though they have fewer. */
const OTHERS = 500;
const OF_OTHERS = 800;
const ROWS_A_BATCH = 2_000;

/** Rows of many alerts lie between each other, as they come. */
async function load({ pool }: ThrowAway, alerts: number): Promise<void> {
  progress(`Loading ${alerts} alerts and their matches …`);
  await seedPlans(pool);
  await insertUsers(pool, 1);
  await inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    await loadRows(client, alerts);
  });
  await pool.query('vacuum analyze alerts, matches, notifications');
  await pool.query('checkpoint');
}

async function loadRows(client: Client, alerts: number): Promise<void> {
  await client.query(
    `insert into alerts (user_id, make, location, place, lat, lng, radius, pending_match)
     select 1, 'toyota', '', '', 0, 0, 50, false from generate_series(1, $1::int4)`,
    [alerts],
  );
  const add = (from: number, count: number, rows: number) =>
    client.query(
      `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
       select n, a, 1, 1, 0, true, n from generate_series(1, $3::int4) n, generate_series($1::int4, $2::int4) a`,
      [from, from + count - 1, rows],
    );
  await add(1, CROWDED, MATCHES_KEPT + BEYOND);
  await add(CROWDED + 1, OTHERS, OF_OTHERS);
  await add(CROWDED + OTHERS + 1, alerts - CROWDED - OTHERS, 3);
  await client.query(
    `insert into notifications (user_id, alert_id, listing_id, status, due_at)
     select 1, alert_id, listing_id, 'sent', now() from matches where alert_id <= $1 and listing_id <= $2`,
    [CROWDED, BEYOND],
  );
}

/** Runs the step of the clean-up until no alert is noted. @returns the time of each batch, and how many matches it deleted */
async function trim({ pool }: ThrowAway, from: number, count: number) {
  await pool.query(
    `insert into alerts_to_trim (alert_id, user_id) select id, user_id from alerts where id between $1 and $2`,
    [from, from + count - 1],
  );
  const times: number[] = [];
  let removed = 0;
  for (let after: string | null = ''; after !== null; ) {
    const start = performance.now();
    const batch: Batch = { after, rows: ROWS_A_BATCH };
    const done: BatchResult = await inTransaction(pool, (client) => trimMatches(client, batch));
    times.push(performance.now() - start);
    removed += done.removed;
    after = done.after;
  }
  return { times, removed, ms: times.reduce((sum, ms) => sum + ms, 0) };
}

/** Measures how alerts with too many matches are found, and the oldest of these deleted. */
export async function benchTrim({ alerts = ALERTS }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  await load(db, alerts);
  progress('Looking …');
  const looked = await trim(db, CROWDED + 1, OTHERS);
  progress('Deleting …');
  const deleted = await trim(db, 1, CROWDED);
  const { rows } = await db.pool.query<{ count: number }>('select count(*)::int4 as count from matches');
  const line = {
    bench: 'trim',
    alerts,
    matches: rows[0]?.count ?? 0,
    lookMicros: Math.round((looked.ms / OTHERS) * 1_000),
    deleted: deleted.removed,
    deletedPerSecond: Math.round((deleted.removed / deleted.ms) * 1_000),
    batchP50Ms: percentile(deleted.times, 0.5),
    batchP99Ms: percentile(deleted.times, 0.99),
  };
  const isRight = deleted.removed === CROWDED * BEYOND && looked.removed === 0;
  return { line, missed: isRight ? [] : ['all that is beyond the newest is deleted, and nothing else'] };
}
