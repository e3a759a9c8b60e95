import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { progress } from '../lab/command-line.ts';
import { forkChild } from '../lab/processes.ts';
import { startThrowAway, type ThrowAway } from '../lab/throw-away.ts';
import type { Pool } from '../src/base/database.ts';
import { silentLog } from '../src/base/log.ts';
import { findDueAlerts } from '../src/notify/channels/email/claim-mails.ts';
import { makeEmailEngine } from '../src/notify/channels/email/email.ts';
import type { Mailer } from '../src/vendors/mail.ts';
import { makeOutboxMailer } from '../src/vendors/outbox-mail.ts';
import { makeSendgridMailer } from '../src/vendors/sendgrid-mail.ts';
import { type BenchOptions, type BenchResult } from './options.ts';

/** Creates buyers with an alert each that a listing of Los Angeles fits; each round adds a new listing. */
export async function loadBuyers(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into users (username, email, email_confirmed_at, password_hash, time_zone)
     select 'buyer-' || n, 'buyer-' || n || '@example.test', now(), '-', 'America/Los_Angeles'
       from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    `insert into alerts (user_id, make, model, year_min, year_max, location, place, lat, lng, radius, price_max,
                         pending_match)
     select id, 'toyota', 'camry', 2015, 2020, 'Los Angeles', 'Los Angeles, CA', 34.0522, -118.2437, 50, 50000, false
       from users order by id`,
  );
  await pool.query('vacuum analyze users, alerts');
}

/** Adds one listing that fits them all, matched two seconds ago, so that every mail is due now. */
export async function matchAll(pool: Pool): Promise<void> {
  await pool.query('update alerts set last_mailed_at = null');
  await pool.query(
    `with car as (
       insert into listings (source, external_id, title, make, model, year, price, mileage, transmission, color, city,
                             state, lat, lng, image_url, images, url, facts_hash, pending_match)
       values ('lot', gen_random_uuid()::text, '2018 Toyota Camry SE', 'toyota', 'camry', 2018, 15400, 61000, 'automatic',
               'silver', 'Pasadena', 'CA', 34.1478, -118.1445, 'https://photos.example/1.jpg',
               '{https://photos.example/1.jpg}', 'https://marketplace.example/1', 'x', false) returning id
     ), matched as (
       insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced)
       select car.id, a.id, a.user_id, a.version, 8.8, 15400, true from car, alerts a where a.model = 'camry'
     )
     insert into notifications (user_id, alert_id, listing_id, price, created_at, due_at)
     select a.user_id, a.id, car.id, 15400, now() - interval '2 seconds', now() from car, alerts a
      where a.model = 'camry'`,
  );
}

/** Creates one more buyer, whose alert the listings of `floodOne` fit. @returns the alert's id */
async function loadFlooded(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `with buyer as (
       insert into users (username, email, email_confirmed_at, password_hash, time_zone)
       values ('flooded', 'flooded@example.test', now(), '-', 'America/Los_Angeles') returning id
     )
     insert into alerts (user_id, make, location, place, lat, lng, radius, pending_match)
     select id, 'honda', 'Los Angeles', 'Los Angeles, CA', 34.0522, -118.2437, 50, false from buyer returning id`,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('no alert');
  return id;
}

/** Adds `count` listings that fit one alert only, all of which are due now. */
async function floodOne(pool: Pool, alertId: number, count: number): Promise<void> {
  await pool.query(
    `with cars as (
       insert into listings (source, external_id, title, make, model, year, price, mileage, transmission, color, city,
                             state, lat, lng, image_url, images, url, facts_hash, pending_match)
       select 'lot', gen_random_uuid()::text, '2018 Honda Civic LX no ' || n, 'honda', 'civic', 2018, 9000 + n, 61000,
              'automatic', 'silver', 'Pasadena', 'CA', 34.1478, -118.1445, 'https://photos.example/1.jpg',
              '{https://photos.example/1.jpg}', 'https://marketplace.example/' || n, 'x', false
         from generate_series(1, $2::int) n returning id, price
     ), matched as (
       insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced)
       select cars.id, a.id, a.user_id, a.version, 8.8, cars.price, true from cars, alerts a where a.id = $1
     )
     insert into notifications (user_id, alert_id, listing_id, price, created_at, due_at)
     select a.user_id, a.id, cars.id, cars.price, now() - interval '2 seconds', now()
       from cars, alerts a where a.id = $1`,
    [alertId, count],
  );
}

/** The least work of the database: every row is claimed in one statement and recorded in another. Milliseconds. */
export async function claimAtOnce(pool: Pool): Promise<number> {
  const started = performance.now();
  await pool.query(
    `with mail as (
       insert into mails (kind, user_id, alert_id, to_address, status, claimed_at, attempts)
       select 'match', a.user_id, a.id, u.email, 'sending', now(), 1
         from notifications n join alerts a on a.id = n.alert_id join users u on u.id = a.user_id
        where n.status = 'waiting' and n.due_at <= now() returning id, alert_id
     ), mailed as (
       update alerts a set last_mailed_at = now() from mail where a.id = mail.alert_id
     )
     update notifications n set status = 'sending', mail_id = mail.id from mail
      where n.alert_id = mail.alert_id and n.status = 'waiting'`,
  );
  await pool.query(
    `with mail as (update mails set status = 'sent', sent_at = now() where status = 'sending' returning id)
     update notifications n set status = 'sent', settled_at = now() from mail where n.mail_id = mail.id`,
  );
  return performance.now() - started;
}

const ALERTS = 1_000;
const ANSWER_MS = 20;
/** The lower bound assumes that this many mails wait for the vendor at once, whatever the sender's own number is. */
const LOWER_BOUND_CONCURRENCY = 32;
/** The longest time from due to delivered: 5 s from the listing's arrival, less the 2 s in which a first match collects others. */
const MAX_MS = 3_000;
const ROUNDS = 3;
/** Matches of one alert that are due at once. */
const FLOOD = 5_000;
/** How much slower the mails of others may become by them. */
const MAX_SLOWER = 2;
const KEY = 'SG.a-key-of-this-benchmark';

const parts = {
  log: silentLog,
  confirmEmail: true,
  publicUrl: 'https://lotwatch.example',
  secret: 'a secret of this benchmark, long enough',
  supportEmail: 'support@lotwatch.example',
  marketplaceHome: 'https://marketplace.example/',
};

interface Round {
  firstMs: number;
  lastMs: number;
  /** The time in which 19 of 20 mails were accepted. */
  p95Ms: number;
  bytes: number;
  /** Mails of the flooded alert. */
  floodMails: number;
}

/**
 * One listing for all: milliseconds from due to the first and the last mail that the vendor has accepted.
 * @param flooded an alert that many more matches are due for, whose mails are counted and not timed
 */
async function oneRound({ pool }: ThrowAway, mailer: Mailer, alerts: number, flooded?: number): Promise<Round> {
  await matchAll(pool);
  if (flooded !== undefined) await floodOne(pool, flooded, FLOOD);
  const taken: number[] = [];
  let [bytes, floodMails] = [0, 0];
  const started = performance.now();
  const engine = makeEmailEngine({
    ...parts,
    pool,
    mailer: {
      async send(mail) {
        await mailer.send(mail);
        bytes += mail.html.length + mail.text.length;
        if (mail.alertId === flooded) floodMails += 1;
        else taken.push(performance.now() - started);
      },
      wasSent: (id) => mailer.wasSent(id),
    },
  });
  await engine.drain();
  if (taken.length !== alerts) throw new Error(`${taken.length} mails for ${alerts} alerts`);
  taken.sort((a, b) => a - b);
  const at = (share: number) => taken[Math.ceil(taken.length * share) - 1] ?? 0;
  return { firstMs: Math.min(...taken), lastMs: at(1), p95Ms: at(0.95), bytes, floodMails };
}

/** The median of the rounds by their last mail, after one to warm up. */
async function rounds(name: string, one: () => Promise<Round>): Promise<Round> {
  const all: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const result = await one();
    progress(`${name}: first mail after ${Math.round(result.firstMs)} ms, last after ${Math.round(result.lastMs)} ms`);
    if (round > 0) all.push(result);
  }
  const median = all.toSorted((a, b) => a.lastMs - b.lastMs)[Math.floor(ROUNDS / 2)];
  if (!median) throw new Error('no round');
  return median;
}

/** How long it takes to defer the matches of all alerts when each was mailed a minute ago. In milliseconds. */
async function deferMs({ pool }: ThrowAway, alerts: number): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await matchAll(pool);
    await pool.query("update alerts set last_mailed_at = now() - interval '1 minute'");
    const started = performance.now();
    await findDueAlerts(pool);
    if (round > 0) all.push(performance.now() - started);
    const { rowCount } = await pool.query("delete from notifications where status = 'waiting' and due_at > now()");
    if (rowCount !== alerts) throw new Error(`${rowCount} rows deferred of ${alerts}`);
  }
  return all.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

async function claimLowerBound({ pool }: ThrowAway): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await matchAll(pool);
    const ms = await claimAtOnce(pool);
    if (round > 0) all.push(ms);
  }
  return Math.min(...all);
}

function writeOnce(folder: string, bytes: number): number {
  const file = openSync(join(folder, 'lower-bound.ndjson'), 'a');
  const started = performance.now();
  appendFileSync(file, 'x'.repeat(bytes));
  fsyncSync(file);
  closeSync(file);
  return performance.now() - started;
}

function figures(alerts: number, round: Round, what: string, lowerBoundMs: number) {
  return {
    mails: alerts,
    firstMs: Math.round(round.firstMs),
    lastMs: Math.round(round.lastMs),
    mailsPerSecond: Math.round((alerts * 1000) / round.lastMs),
    lowerBound: { what, ms: Math.round(lowerBoundMs) },
    ratio: Number((round.lastMs / lowerBoundMs).toFixed(2)),
  };
}

/**
 * Measures from a notification row to the provider: one listing fits `alerts` alerts of as many buyers, all due now, through
 * the outbox and through a SendGrid that answers after 20 ms, and there again while thousands of matches of one alert are due.
 */
export async function benchMails({ alerts = ALERTS }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  await using vendor = await forkChild(new URL('./mail-vendor-child.ts', import.meta.url), [KEY, String(ANSWER_MS)]);
  await loadBuyers(db.pool, alerts);
  const claimMs = await claimLowerBound(db);
  const outbox = await makeOutboxMailer(join(db.folder, 'outbox.ndjson'));
  const byOutbox = await rounds('outbox', () => oneRound(db, outbox, alerts));
  await outbox.close();
  const sendgrid = makeSendgridMailer({
    apiKey: KEY,
    apiBase: vendor.hello,
    from: 'LotWatch <alerts@lotwatch.example>',
  });
  const bySendgrid = await rounds('sendgrid', async () => {
    const round = await oneRound(db, sendgrid, alerts);
    const ids = await vendor.ask<string[]>('ids');
    if (ids.length !== alerts || new Set(ids).size !== alerts) throw new Error(`SendGrid accepted ${ids.length} mails`);
    return round;
  });
  const flooded = await loadFlooded(db.pool);
  const besideFlood = await rounds('beside a flood', async () => {
    const round = await oneRound(db, sendgrid, alerts, flooded);
    await vendor.ask<string[]>('ids');
    if (round.floodMails !== 1) throw new Error(`${round.floodMails} mails for ${FLOOD} matches of one alert`);
    return round;
  });
  await db.pool.query('update alerts set is_active = false where id = $1', [flooded]);
  const slower = Number((besideFlood.p95Ms / bySendgrid.p95Ms).toFixed(2));
  const deferred = await deferMs(db, alerts);
  const waits = (alerts * ANSWER_MS) / LOWER_BOUND_CONCURRENCY;
  const claimed = 'every row claimed in one statement and recorded in another';
  const line = {
    bench: 'mails',
    alerts,
    ...figures(
      alerts,
      bySendgrid,
      `${claimed}, and SendGrid's ${ANSWER_MS} ms a mail over ${LOWER_BOUND_CONCURRENCY}`,
      claimMs + waits,
    ),
    p95Ms: Math.round(bySendgrid.p95Ms),
    flood: {
      matches: FLOOD,
      mails: besideFlood.floodMails,
      othersP95Ms: Math.round(besideFlood.p95Ms),
      othersLastMs: Math.round(besideFlood.lastMs),
      slower,
    },
    deferMs: Math.round(deferred),
    outbox: figures(
      alerts,
      byOutbox,
      `${claimed}, and the outbox's bytes in one write and sync`,
      claimMs + writeOnce(db.folder, byOutbox.bytes),
    ),
  };
  const missed = [
    ...(line.lastMs > MAX_MS ? [`the last mail at SendGrid within ${MAX_MS} ms of being due`] : []),
    ...(slower > MAX_SLOWER
      ? [`the mails of others at most ${MAX_SLOWER} times as late beside ${FLOOD} matches of one alert`]
      : []),
    ...(line.outbox.lastMs > MAX_MS ? [`the last mail in the outbox within ${MAX_MS} ms of being due`] : []),
  ];
  return { line, missed };
}
