import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../../lab/command-line.ts';
import { interceptAllClients } from '../../lab/intercept-statements.ts';
import { percentile } from '../../lab/percentile.ts';
import { startThrowAway } from '../../lab/throw-away.ts';
import { silentLog } from '../../src/base/log.ts';
import { matchListingsJob } from '../../src/jobs/matching-jobs.ts';
import { makeEmailEngine } from '../../src/notify/channels/email/email.ts';
import { makeMarket } from '../market/market.ts';
import type { Bench } from '../options.ts';
import { loadAlerts, warmSearch } from '../rig/load-alerts.ts';
import { loadListings } from '../rig/load-listings.ts';

const ALERTS = 10_000;
const SECONDS = 600;
/** New listings a second, and how often some come. */
const LISTINGS = 100;
const EVERY_MS = 500;
/** Before the snapshot, and at its end, times are taken for so long. */
const MEASURED_MS = 20_000;
const SLOWER = 2;
const NOISE_MS = 0.5;

/** The statements that claim what waits, by their names. */
const CLAIMS = ['match-listings-claim', 'notify-due-alerts', 'notify-claim-enqueued'] as const;

const round = (ms: number) => Math.round(ms * 100) / 100;

/**
 * Measures claims before and at the end of a time in which somebody holds a snapshot, as a backup does, while listings are
 * matched and mailed: nothing that no longer waits can be removed from the indexes then.
 * @param options `listings` is how many come a second
 */
export const benchSnapshot: Bench = async ({ alerts = ALERTS, listings = LISTINGS, seconds = SECONDS, seed }) => {
  await using db = await startThrowAway();
  const { pool } = db;
  const market = makeMarket(seed);
  await loadAlerts(db, Array.from({ length: alerts }, market.alert));
  await warmSearch(db);
  const taken = new Map<string, number[]>();
  const endIntercept = interceptAllClients(async (_client, statement, send) => {
    const begun = performance.now();
    const result = await send(statement);
    const times = taken.get(statement.name);
    if (times) times.push(performance.now() - begun);
    return result;
  });
  const stop = new AbortController();
  const mailer = {
    send: async () => {},
    wasSent: async () => null,
  };
  const engine = makeEmailEngine({
    pool,
    mailer,
    log: silentLog,
    signal: stop.signal,
    publicUrl: 'https://lotwatch.example',
    secret: 'the-secret-of-the-bench-with-32-letters',
    supportEmail: 'support@lotwatch.example',
    marketplaceHome: () => 'https://marketplace.example',
    confirmEmail: false,
  } as unknown as Parameters<typeof makeEmailEngine>[0]);
  let matched = 0;
  let batch = 0;
  let isAll = false;
  const repeat = async (work: () => Promise<number>) => {
    while (!isAll) await sleep(await work());
  };
  const intake = () =>
    repeat(async () => {
      const begun = performance.now();
      batch += 1;
      await loadListings(db, Array.from({ length: (listings * EVERY_MS) / 1_000 }, market.listing), {
        source: `lot ${batch}`,
        pending: true,
        vacuum: false,
      });
      // Alerts may be mailed again at once, so that mails are as many as they are in a larger market.
      await pool.query("update alerts set last_mailed_at = null where last_mailed_at < now() - interval '10 seconds'");
      matched += (listings * EVERY_MS) / 1_000;
      return Math.max(0, EVERY_MS - (performance.now() - begun));
    });
  const matching = () =>
    repeat(async () => {
      await matchListingsJob.run({ pool, signal: stop.signal });
      return 50;
    });
  const mailing = () => repeat(async () => Math.min(200, (await engine.drain()).nextInMs ?? 200));
  const timesFor = async (ms: number) => {
    for (const name of CLAIMS) taken.set(name, []);
    await sleep(ms);
    const p50s = CLAIMS.map((name) => [name, round(percentile(taken.get(name) ?? [], 0.5))] as const);
    return Object.fromEntries(p50s) as Record<(typeof CLAIMS)[number], number>;
  };
  const work = Promise.all([intake(), matching(), mailing()]);
  await sleep(5_000);
  progress('Measuring before …');
  const before = await timesFor(MEASURED_MS);
  progress(`Holding a snapshot for ${seconds} s …`);
  const reader = await pool.connect();
  await reader.query(
    'begin isolation level repeatable read; set local idle_in_transaction_session_timeout = 0; select from matches limit 1',
  );
  const begunWith = matched;
  await sleep(Math.max(0, seconds * 1_000 - MEASURED_MS));
  const during = await timesFor(MEASURED_MS);
  const matchedDuring = matched - begunWith;
  await reader.query('rollback');
  reader.release();
  isAll = true;
  await work;
  stop.abort();
  endIntercept();
  const missed = CLAIMS.filter((name) => during[name] > before[name] * SLOWER + NOISE_MS).map(
    (name) => `${name} within twice its time before the snapshot`,
  );
  return {
    line: { bench: 'snapshot', alerts, listingsPerSecond: listings, seconds, listings: matchedDuring, before, during },
    missed,
  };
};
