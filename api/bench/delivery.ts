import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../demo/random.ts';
import { progress } from '../lab/command-line.ts';
import { forkChild, INGEST_TOKEN, startLotWatch } from '../lab/processes.ts';
import { startThrowAway, type ThrowAway } from '../lab/throw-away.ts';
import { untilTrue } from '../lab/until-true.ts';
import type { Pool } from '../src/base/database.ts';
import { readChannelStatus } from '../src/notify/read-channel-status.ts';
import type { TestAlert } from '../test/matching/match-rows.ts';
import { ItemStream } from './intake/item-stream.ts';
import { type Market, makeMarket } from './market/market.ts';
import type { BenchOptions, BenchResult } from './options.ts';
import { loadAlerts, warmSearch } from './rig/load-alerts.ts';
import { makeOracle } from './rig/oracle.ts';

const ALERTS = 100_000;
const SECONDS = 60;
const LISTINGS_PER_SECOND = 200;
const EVERY_MS = 100;
const RETRY_MS = 50;
const ANSWER_MS = 20;
const KEY = 'SG.a-key-of-this-benchmark';
const MAX_P95_MS = 5_000;
const REST_MS = 60_000;
/** The least interval between two mails of an alert. */
const INTERVAL_MS = 300_000;
/** Listings from which an alert's rate of matches is estimated. */
const SAMPLE = 3_000;

/**
 * Sets the last mail of each alert as it would be after hours of this load: an alert with many matches was mailed within
 * the last five minutes for sure, and one with few perhaps.
 */
async function spreadMails(pool: Pool, market: Market, alerts: readonly TestAlert[], seed: number): Promise<number> {
  const oracle = makeOracle(alerts);
  const hits = new Float64Array(alerts.length);
  for (let n = 0; n < SAMPLE; n += 1) {
    for (const at of oracle.fittingAlerts(market.listing())) hits[at] = (hits[at] ?? 0) + 1;
  }
  const dice = new Dice(seed, 9);
  const mailed: { id: number; agoMs: number }[] = [];
  for (const [at, count] of hits.entries()) {
    if (count === 0) continue;
    const msBetweenMatches = (SAMPLE / LISTINGS_PER_SECOND / count) * 1_000;
    const agoMs = dice.next() * (INTERVAL_MS + msBetweenMatches);
    if (agoMs < INTERVAL_MS) mailed.push({ id: at + 1, agoMs });
  }
  await pool.query(
    `update alerts a set last_mailed_at = now() - m.ago * interval '1 ms'
       from unnest($1::int8[], $2::float8[]) m (id, ago) where a.id = m.id`,
    [mailed.map(({ id }) => id), mailed.map(({ agoMs }) => agoMs)],
  );
  return mailed.length;
}

async function push(url: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${INGEST_TOKEN}`, 'content-type': 'application/json' };
  for (;;) {
    const answer = await fetch(`${url}/api/ingest/bench`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status === 200) return;
    if (answer.status !== 503) throw new Error(`a push was not accepted: ${text}`);
    await sleep(RETRY_MS);
  }
}

/** Pushes bodies at a steady rate, whether or not the previous ones were answered. */
async function pushSteadily(url: string, stream: ItemStream, seconds: number): Promise<void> {
  const size = (LISTINGS_PER_SECOND * EVERY_MS) / 1_000;
  const pushing: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n * EVERY_MS < seconds * 1_000; n += 1) {
    await sleep(Math.max(0, began + n * EVERY_MS - performance.now()));
    pushing.push(push(url, stream.next(size).text));
    if (n % 100 === 99) progress(`${(n + 1) * size} listings are pushed`);
  }
  await Promise.all(pushing);
}

interface Steps {
  matches: number;
  seenToMatchedP95Ms: number;
  seenToProviderP50Ms: number;
  seenToProviderP95Ms: number;
}

/** SQL: the time in which this share of the matches took a step, in milliseconds. */
const within = (share: number, from: string, to: string): string =>
  `(1000 * extract(epoch from percentile_disc(${share}) within group (order by ${to} - ${from})))::int`;

/** What the receipts say of the matches that were to leave at once: when each was seen, matched and handed over. */
async function readReceipts(pool: Pool): Promise<Steps> {
  const { rows } = await pool.query<Steps>(
    `select count(*)::int as matches, ${within(0.95, 'l.seen_at', 'ma.matched_at')} as "seenToMatchedP95Ms",
            ${within(0.5, 'l.seen_at', 'm.sent_at')} as "seenToProviderP50Ms",
            ${within(0.95, 'l.seen_at', 'm.sent_at')} as "seenToProviderP95Ms"
       from notifications n join mails m on m.id = n.mail_id join listings l on l.id = n.listing_id
       join matches ma on ma.listing_id = n.listing_id and ma.alert_id = n.alert_id
      where n.status = 'sent' and n.kind = 'match' and n.due_at - n.created_at < interval '3 seconds'
            and l.changed_at = l.seen_at`,
  );
  const [steps] = rows;
  if (!steps || steps.matches === 0) throw new Error('no match was mailed');
  return steps;
}

/** Waits until no mail has been due for three seconds. @returns how many are, after all */
async function untilDelivered(pool: Pool): Promise<number> {
  const due = async () => {
    const { rows } = await pool.query<{ due: number }>(
      `select (select count(*) from listings_to_match)::int
            + (select count(*) from notifications
                where status in ('waiting', 'sending') and due_at < now() - interval '3 seconds')::int as due`,
    );
    return rows[0]?.due ?? 0;
  };
  await untilTrue('the last mail', REST_MS, async () => (await due()) === 0, 500).catch(() => {});
  return due();
}

/**
 * Measures from the first sight of a listing to the provider, with api and worker as processes and a SendGrid that answers
 * after 20 ms, at 200 listings a second for a market of alerts.
 */
export async function benchDelivery({
  alerts: count = ALERTS,
  seconds = SECONDS,
  seed,
}: BenchOptions): Promise<BenchResult> {
  await using db: ThrowAway = await startThrowAway();
  await using vendor = await forkChild(new URL('./mail-vendor-child.ts', import.meta.url), [KEY, String(ANSWER_MS)]);
  const market = makeMarket(seed);
  const alerts = Array.from({ length: count }, market.alert);
  await loadAlerts(db, alerts);
  const throttled = await spreadMails(db.pool, market, alerts, seed);
  await warmSearch(db);
  progress(`${count} alerts are loaded, of which ${throttled} were mailed within five minutes`);
  await using parts = await startLotWatch(db, {
    env: {
      SENDGRID_API_KEY: KEY,
      SENDGRID_API_BASE: vendor.hello,
      MAIL_FROM: 'LotWatch <alerts@lotwatch.example>',
      SUPPORT_EMAIL: 'support@lotwatch.example',
    },
  });
  await pushSteadily(parts.url, new ItemStream(market, seed), seconds);
  const stillDue = await untilDelivered(db.pool);
  const receipts = await readReceipts(db.pool);
  const ids = await vendor.ask<string[]>('ids');
  const [{ lastDay } = { lastDay: null }] = await readChannelStatus(db.pool);
  return {
    line: {
      bench: 'delivery',
      alerts: count,
      listingsPerSecond: LISTINGS_PER_SECOND,
      seconds,
      mails: ids.length,
      mailedTwice: ids.length - new Set(ids).size,
      stillDue,
      receipts,
      status: lastDay,
    },
    missed: [
      ...(receipts.seenToProviderP95Ms > MAX_P95_MS
        ? [`19 of 20 matches at the provider within ${MAX_P95_MS} ms`]
        : []),
      ...(stillDue > 0 ? [`${stillDue} mails are still due`] : []),
      ...(new Set(ids).size < ids.length ? ['no mail twice'] : []),
    ],
  };
}
