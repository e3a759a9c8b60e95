import { progress } from '../lab/command-line.ts';
import { percentile } from '../lab/percentile.ts';
import { type Child, forkChild } from '../lab/processes.ts';
import { startThrowAway, type ThrowAway } from '../lab/throw-away.ts';
import type { Pool } from '../src/base/database.ts';
import { makeEncryption } from '../src/base/encryption.ts';
import { silentLog } from '../src/base/log.ts';
import { newWebhookSecret } from '../src/domain/webhooks/message.ts';
import { makeWebhookEngine } from '../src/notify/channels/webhook/webhook.ts';
import { postGuarded } from '../src/vendors/post-guarded.ts';
import { makeEventMaker } from '../src/webhooks/events/event-maker.ts';
import { type BenchOptions, type BenchResult } from './options.ts';

const WEBHOOKS = 200;
const MESSAGES = 4_000;
const BARE_CONCURRENCY = 200;
const DELIVERY_ROUNDS = 3;

/** The content of a message, about as long as that of a match. */
const data = { listing: { title: '2018 Toyota Camry', images: [], note: 'x'.repeat(1_400) } };

async function makeMessages({ pool }: ThrowAway, dealers: number): Promise<void> {
  await pool.query(
    `with events as (
       insert into webhook_events (user_id, type, subject, data)
       select n % $2::int + 1, 'bench', n::text, $3::json from generate_series(1, $1::int) n returning id, user_id
     )
     insert into webhook_deliveries (user_id, webhook_id, event_id)
     select e.user_id, w.id, e.id from events e join webhooks w on w.user_id = e.user_id order by e.id`,
    [MESSAGES, Math.min(WEBHOOKS, dealers), data],
  );
}

async function letAllWait({ pool }: ThrowAway): Promise<void> {
  await pool.query('truncate webhook_attempts');
  await pool.query("update webhook_deliveries set status = 'waiting', tries = 0, next_try_at = now()");
  await pool.query('vacuum analyze webhook_deliveries, webhooks');
}

async function deliver({ pool }: ThrowAway): Promise<number> {
  const engine = makeWebhookEngine({
    pool,
    post: postGuarded,
    encryption,
    allowPrivateNetwork: true,
    allowHttp: true,
    confirmEmail: false,
    log: silentLog,
    signal: new AbortController().signal,
  });
  const started = performance.now();
  await engine.run();
  await engine.idle();
  return performance.now() - started;
}

/** Times fetch alone, with the same concurrency and server. */
async function postBare({ hello: url }: Child): Promise<number> {
  const body = JSON.stringify(data);
  const headers = { 'content-type': 'application/json' };
  let left = MESSAGES;
  const worker = async () => {
    while (left-- > 0) await (await fetch(url, { method: 'POST', body, headers })).text();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: BARE_CONCURRENCY }, worker));
  return performance.now() - started;
}

const perSecond = (times: readonly number[]): number =>
  Math.round((MESSAGES * 1000) / (times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 1));

/** Measures how many due messages of many webhooks are delivered a second, alternately with fetch. */
export async function measureDeliveries(db: ThrowAway, receiver: Child, dealers: number) {
  await makeMessages(db, dealers);
  const [deliveryTimes, bare]: [number[], number[]] = [[], []];
  let lost = 0;
  for (let round = 0; round <= DELIVERY_ROUNDS; round += 1) {
    await letAllWait(db);
    const bareMs = await postBare(receiver);
    await receiver.ask<{ posts: number; ids: number }>('taken');
    const deliveryMs = await deliver(db);
    const { posts, ids } = await receiver.ask<{ posts: number; ids: number }>('taken');
    progress(
      `${MESSAGES} messages: ${Math.round(deliveryMs)} ms in ${posts} posts, fetch alone ${Math.round(bareMs)} ms`,
    );
    lost += MESSAGES - ids;
    if (round === 0) continue;
    deliveryTimes.push(deliveryMs);
    bare.push(bareMs);
  }
  return {
    messages: MESSAGES,
    webhooks: Math.min(WEBHOOKS, dealers),
    messagesPerSecond: perSecond(deliveryTimes),
    lost,
    bare: { what: `fetch alone, ${BARE_CONCURRENCY} at once`, postsPerSecond: perSecond(bare) },
    ratio: Number((perSecond(deliveryTimes) / perSecond(bare)).toFixed(2)),
  };
}

export const ALERTS_OF_ONE = 100;
const SEEN_BEFORE = 3;
/** How many of a million alerts fit a listing. */
const ALERTS_A_LISTING = 190;

export const encryption = makeEncryption('a secret of this benchmark, long enough', 'webhook secrets');

/** Creates dealers with a hundred alerts and a webhook each, whose matches were delivered long ago. */
export async function loadDealers(pool: Pool, dealers: number, receiver: string): Promise<void> {
  await pool.query(
    `insert into users (id, username, password_hash, plan_id) overriding system value
     select n, 'dealer' || n, '', 4 from generate_series(1, $1::int) n`,
    [dealers],
  );
  await pool.query(
    `insert into alerts (id, user_id, make, location, place, lat, lng, radius, pending_match, created_at, expires_at)
     overriding system value
     select n, (n - 1) / $2::int + 1, 'toyota', 'Los Angeles, CA', 'Los Angeles, CA', 34, -118, 50, false,
            now() - interval '20 days', now() + interval '40 days' + n % 1000 * interval '1 minute'
       from generate_series(1, $1::int) n`,
    [dealers * ALERTS_OF_ONE, ALERTS_OF_ONE],
  );
  await pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
     select -i, n, (n - 1) / $3::int + 1, 1, 1, true, (select match_position()) from generate_series(1, $2::int) i, generate_series(1, $1::int) n`,
    [dealers * ALERTS_OF_ONE, SEEN_BEFORE, ALERTS_OF_ONE],
  );
  await pool.query(
    `insert into webhooks (user_id, url, events, secret_ciphertext)
     select n, $2 || n, '{match.created,listing.price_dropped,alert.expiring}', $3 from generate_series(1, $1::int) n`,
    [dealers, receiver, encryption.encrypt(newWebhookSecret())],
  );
  await pool.query('insert into webhook_positions (user_id, position) select id, match_horizon() from users');
  await pool.query('vacuum analyze users, alerts, matches, webhooks, webhook_positions');
}

/** Matches cars that fit some alerts, in one transaction. Returns the payload of NOTIFY. */
export async function matchCars(pool: Pool, alerts: number, cars: number): Promise<string> {
  const { rows } = await pool.query<{ position: string; listings: number[] }>(
    `with listed as (
       insert into listings (source, external_id, title, make, model, year, price, facts_hash, pending_match)
       select 'bench', gen_random_uuid()::text, '2018 Toyota Camry', 'toyota', 'camry', 2018, 15000, '', false
         from generate_series(1, $1::int) returning id
     ), matched as (
       insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
       select distinct on (l.id, a.n) l.id, a.n, (a.n - 1) / ${ALERTS_OF_ONE} + 1, 1, 7, true, (select match_position())
         from listed l, lateral (
           select 1 + floor(random() * $2::int)::int8 as n from generate_series(1, $3::int) where l.id > 0) a
       returning 1
     )
     select match_position()::text as position, array_agg(id::int4) as listings from listed`,
    [cars, alerts, Math.min(ALERTS_A_LISTING, alerts)],
  );
  return JSON.stringify(rows[0]);
}

const ALERTS = 100_000;
const CARS = 5;
const ROUNDS = 20;
/** The least share of the rate of fetch alone. */
const MIN_RATIO = 0.1;
/** How long the events of a burst are collected. */
const MAX_IDLE_MS = 200;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Measures an idle round, and one with a few cars that fit some 190 alerts each. */
async function measureRounds({ pool }: ThrowAway, alerts: number) {
  const maker = makeEventMaker(pool);
  const firstRoundMs = await timed(async () => {
    while (await maker.round());
  });
  const idle: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push(await timed(() => maker.round()));
    maker.notify(await matchCars(pool, alerts, CARS));
    busy.push(await timed(() => maker.round()));
  }
  const { rows } = await pool.query<{ events: number; matches: number }>(
    `select (select count(*)::int4 from webhook_events where type = 'match.created') as events,
            (select count(*)::int4 from matches where listing_id > 0) as matches`,
  );
  const { events = 0, matches = 0 } = rows[0] ?? {};
  const busyMs = busy.reduce((sum, ms) => sum + ms, 0);
  progress(`${events} events; a round p50 ${percentile(busy, 0.5)} ms, idle ${percentile(idle, 0.5)} ms`);
  return {
    firstRoundMs: Math.round(firstRoundMs),
    idleP50Ms: percentile(idle, 0.5),
    roundP50Ms: percentile(busy, 0.5),
    eventsPerSecond: Math.round((events * 1000) / busyMs),
    missing: matches - events,
  };
}

/** Measures the cost of a round of events among dealers with a hundred alerts each, and the rate of deliveries. */
export async function benchWebhooks({ alerts = ALERTS }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  await using receiver = await forkChild(new URL('./webhook-receiver-child.ts', import.meta.url));
  const dealers = Math.ceil(alerts / ALERTS_OF_ONE);
  progress(`${dealers} dealers with ${ALERTS_OF_ONE} alerts each …`);
  await loadDealers(db.pool, dealers, receiver.hello);
  const events = await measureRounds(db, dealers * ALERTS_OF_ONE);
  await db.pool.query('delete from webhook_events');
  const delivered = await measureDeliveries(db, receiver, dealers);
  const line = { bench: 'webhooks', alerts: dealers * ALERTS_OF_ONE, dealers, ...delivered, events };
  const missed = [
    ...(line.ratio < MIN_RATIO ? [`${MIN_RATIO} of the posts of fetch alone`] : []),
    ...(line.lost > 0 ? ['every message at the receiver'] : []),
    ...(events.missing !== 0 ? ['an event for every match'] : []),
    ...(events.idleP50Ms > MAX_IDLE_MS ? [`${MAX_IDLE_MS} ms for an idle round`] : []),
  ];
  return { line, missed };
}
