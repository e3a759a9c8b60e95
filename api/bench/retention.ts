import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../lab/command-line.ts';
import { percentile } from '../lab/percentile.ts';
import { startThrowAway, type ThrowAway } from '../lab/throw-away.ts';
import { type Client, inTransaction } from '../src/base/database.ts';
import { silentLog } from '../src/base/log.ts';
import { storeListings } from '../src/intake/store-listings.ts';
import { purgeListingsJob } from '../src/jobs/clean-up/clean-up-job.ts';
import { matchPendingListings } from '../src/matching/match-listings.ts';
import { buildFacts } from '../test/factories.ts';
import { type Market, makeMarket } from './market/market.ts';
import { type Bench } from './options.ts';
import { loadAlerts } from './rig/load-alerts.ts';

/** One in ten of the old listings matched an alert. */
const MATCHED_EVERY = 10;
const IMAGES = 6;

/** Fills `listings` with cars that are for sale, and as many that were unseen for 100 days and more. */
export async function loadOldMarket({ pool }: ThrowAway, listings: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("set local maintenance_work_mem = '512MB'");
    const indexes = await dropIndexes(client, 'listings');
    await client.query(
      `insert into listings (source, external_id, title, make, model, year, price, mileage, transmission, color, city,
         state, lat, lng, image_url, images, url, facts_hash, status, pending_match, make_key, model_key, color_code,
         x, y, z, listed_at, seen_at, last_seen_at, changed_at)
       select 'bench', n, '2018 Toyota Camry SE ' || n, 'toyota', 'camry', 2000 + n % 25, 1000 + n % 40000, n, 'automatic',
              'silver', 'Pasadena', 'CA', 34.1478, -118.1445, 'https://photos.example/' || n || '/0.jpg',
              (select array_agg('https://photos.example/' || n || '/' || i || '.jpg') from generate_series(0, ${IMAGES - 1}) i),
              'https://marketplace.example/item/' || n, md5(n::text), case when n % 2 = 0 then 'gone' else 'for_sale' end,
              false, n % 60000, n % 60000 * 7, 3, 0.1, 0.2, 0.3, seen_at, seen_at, seen_at, seen_at
         from generate_series(1, $1::int) n,
              lateral (select now() - case when n % 2 = 0 then 100 + n / 80 % 40 else n % 30 end * interval '1 day' as seen_at) s`,
      [listings],
    );
    for (const { definition } of indexes) await client.query(definition);
    await client.query(
      `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced)
       select id, 1 + id % 10000, 1, 1, 10, price, true from listings where status = 'gone' and id / 2 % ${MATCHED_EVERY} = 0`,
    );
    await client.query(
      "insert into price_changes (listing_id, price) select id, price from listings where status = 'gone' and id % 5 = 0",
    );
  });
  await pool.query('vacuum analyze listings, matches, price_changes');
}

async function dropIndexes(client: Client, table: string): Promise<{ definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = $1::regclass and not i.indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}

const LISTINGS = 2_000_000;
const ALERTS = 10_000;
const SECONDS = 20;
const PAGE = 100;
const PUSH_EVERY_MS = 200;
/** How many times longer slow pushes and searches may take during a purge of old listings. */
const SLOWER = 2;
const SLACK_MS = 50;
/** A job that has more to do runs again sooner than this. */
const DONE_MS = 60_000;

interface Figures {
  pushes: number;
  p50Ms: number;
  p99Ms: number;
  matchP50Ms: number;
  matchP99Ms: number;
}

function makePusher(db: ThrowAway, market: Market) {
  let count = 0;
  const page = () =>
    Array.from({ length: PAGE }, () => {
      const { imageUrl, ...listing } = market.listing();
      count += 1;
      return { facts: buildFacts({ ...listing, externalId: `new-${count}`, images: imageUrl ? [imageUrl] : [] }) };
    });

  /** Pushes a page of new listings five times a second, and times each push and its search. */
  return async (seconds: number): Promise<Figures> => {
    const pushMs: number[] = [];
    const matchMs: number[] = [];
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      const records = page();
      const startedAt = performance.now();
      await storeListings(db.pool, 'bench', records, { announce: true });
      pushMs.push(performance.now() - startedAt);
      for (let handled = 1; handled > 0; ) {
        const searchedAt = performance.now();
        handled = await matchPendingListings(db.pool);
        if (handled > 0) matchMs.push(performance.now() - searchedAt);
      }
      await sleep(Math.max(0, PUSH_EVERY_MS - (performance.now() - startedAt)));
    }
    const of = (times: readonly number[], part: number) => Math.round(percentile(times, part) * 10) / 10;
    return {
      pushes: pushMs.length,
      p50Ms: of(pushMs, 0.5),
      p99Ms: of(pushMs, 0.99),
      matchP50Ms: of(matchMs, 0.5),
      matchP99Ms: of(matchMs, 0.99),
    };
  };
}

const sizes = `
  select pg_total_relation_size('listings')::int8 as listings, (select sum(pg_total_relation_size(relid)) from pg_partition_tree('matches'))::int8 as matches,
         (select count(*) from listings) as "listingRows", (select count(*) from matches) as "matchRows",
         (select round(avg(pg_column_size(l.*))) from listings l where kept_at is null)::int4 as "wholeRowBytes",
         (select round(avg(pg_column_size(l.*))) from listings l where kept_at is not null)::int4 as "keptRowBytes"`;

/**
 * Measures pushes and searches with and without a purge of old listings, which are half of all listings. A run ends after
 * its seconds, as the rest of the backlog would be purged at the same rate.
 */
export const benchRetention: Bench = async ({ listings = LISTINGS, alerts = ALERTS, seconds = SECONDS, seed }) => {
  await using db = await startThrowAway();
  const market = makeMarket(seed);
  progress(`Loading ${alerts} alerts and ${listings} listings …`);
  await loadAlerts(
    db,
    Array.from({ length: alerts }, () => market.alert()),
  );
  await loadOldMarket(db, listings);
  const { rows: before } = await db.pool.query(sizes);
  const push = makePusher(db, market);
  await push(3);
  progress('Pushing alone …');
  const without = await push(seconds);
  progress('Pushing during a purge …');
  const stop = new AbortController();
  let left = 0;
  const log = {
    ...silentLog,
    info(_message: string, fields?: { step?: string; removed?: number }) {
      if (fields?.step === 'old-listings') left += fields.removed ?? 0;
    },
  };
  const startedAt = performance.now();
  const purging = (async () => {
    for (let nextInMs = 0; nextInMs < DONE_MS && !stop.signal.aborted; ) {
      await sleep(nextInMs, undefined, { signal: stop.signal }).catch(() => {});
      nextInMs = (await purgeListingsJob.run({ pool: db.pool, signal: stop.signal, log }))?.nextInMs ?? DONE_MS;
    }
    return performance.now() - startedAt;
  })();
  const beside = await push(seconds);
  stop.abort();
  const purgeMs = await purging;
  const { rows: after } = await db.pool.query(sizes);
  const missed: string[] = [];
  if (beside.p99Ms > without.p99Ms * SLOWER + SLACK_MS) missed.push('pushes wait for the purge');
  if (beside.matchP99Ms > without.matchP99Ms * SLOWER + SLACK_MS) missed.push('searches wait for the purge');
  const leftPerSecond = Math.round(left / (purgeMs / 1000));
  const line = { bench: 'retention', listings, alerts, without, beside, left, leftPerSecond };
  return { line: { ...line, before: before[0], after: after[0] }, missed };
};
