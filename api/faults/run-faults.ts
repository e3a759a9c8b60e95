import { setTimeout as sleep } from 'node:timers/promises';
import { outboxFile } from '../src/vendors/outbox-mail.ts';
import { makeRandom } from '../test/matching/match-world.ts';
import { type KillPlan, makeKillPlan } from './kill-plan.ts';
import { type Moment, moments, type Plant } from './moments/moments.ts';
import {
  readDoubledDecisions,
  readMails,
  readMatches,
  readTakenFromOutbox,
  readUnrest,
  readUnstored,
} from './oracle/collect.ts';
import { judgeMails } from './oracle/judge-mails.ts';
import { judgeMatches, mustBeShown } from './oracle/judge-matches.ts';
import { progress } from './progress.ts';
import type { Life } from './system/part.ts';
import { INGEST_TOKEN, type System, startSystem } from './system/system.ts';
import { act, type Buyer, createAlert, type Door, signUp } from './world/buyers.ts';
import { demoAlerts, demoCars } from './world/demo-cars.ts';
import { type Draw, makeDraw } from './world/draw.ts';
import type { AlertLog } from './world/journal.ts';
import { watchReads, watchSearches } from './world/observer.ts';
import { type Pusher, startPusher } from './world/pusher.ts';

export interface RunOptions {
  kills: number;
  seed: number;
  plant: Plant | undefined;
  folder: string;
  /** Smaller, for a test. */
  small?: boolean;
}

export interface RunResult {
  line: Record<string, unknown>;
  faults: string[];
}

const BUYERS = 8;
const ALERTS_EACH = 10;
/** The first of each buyer's alerts are never touched. */
const STABLE_EACH = 7;
const REST_MS = 90_000;
const PLANTED_REST_MS = 40_000;

async function untilTrue(what: string, patienceMs: number, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patienceMs; ; await sleep(200)) {
    if (await isTrue().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`${what} did not come in ${patienceMs / 1000} s`);
  }
}

async function makeBuyers(door: Door, draw: Draw, count: number): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  for (let n = 1; n <= count; n++) buyers.push(await signUp(door, `buyer-${n}`));
  await Promise.all(
    buyers.map(async (buyer) => {
      for (let n = 0; n < ALERTS_EACH; n++) await createAlert(door, buyer, draw.alert());
    }),
  );
  return buyers;
}

/** Buyers who edit, switch, renew, delete and make alerts while everything goes on, one act at a time each. */
async function actAtRandom(door: Door, buyers: Buyer[], draw: Draw, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const buyer = draw.pick(buyers);
    const lively = buyer.alerts.slice(STABLE_EACH).filter(({ deleted }) => !deleted);
    const alert = draw.pick(lively);
    if (alert) await act(door, buyer, alert, draw);
    await sleep(250, undefined, { signal }).catch(() => {});
  }
}

async function killAtRandom(system: System, plan: KillPlan, random: () => number, signal: AbortSignal): Promise<void> {
  for (let victim = plan.nextRandom(); victim; victim = plan.nextRandom()) {
    await sleep(1_500 + random() * 2_000, undefined, { signal }).catch(() => {});
    while (!plan.isRandomDue() && !signal.aborted) await sleep(200);
    if (signal.aborted) return;
    progress(`kill -9 of ${victim}`);
    if (victim === 'database') await system.database.killServer();
    else if (victim === 'api') await untilTrue('the api to kill', 30_000, async () => system.api.kill());
    else if (victim === 'worker') {
      const worker = system.workers[random() < 0.5 ? 0 : 1];
      await untilTrue('a worker to kill', 30_000, async () => worker?.kill() ?? false);
    } else {
      await untilTrue('a session to kill', 30_000, async () => {
        const { rows } = await system.pool.query<{ pid: number }>(
          "select pid from pg_stat_activity where application_name = 'lotwatch-worker' order by random() limit 1",
        );
        return rows[0] !== undefined && system.database.killSession(rows[0].pid);
      });
    }
  }
}

/** Lets the planned kills happen; at half of them the workers change from SendGrid to the outbox. */
async function killAll(system: System, plan: KillPlan, options: RunOptions, random: () => number): Promise<void> {
  const stopping = new AbortController();
  const patienceMs = 120_000 + options.kills * 8_000;
  const atRandom = killAtRandom(system, plan, random, stopping.signal);
  let shown = 0;
  try {
    await untilTrue('the last kill', patienceMs, async () => {
      if (plan.total() >= shown + 5) {
        shown = plan.total();
        progress(`${shown} of ${options.kills} killed: ${JSON.stringify(plan.counts)}`);
      }
      if (system.mailer === 'sendgrid' && plan.total() >= options.kills / 2) {
        system.mailer = 'outbox';
        for (const worker of system.workers) worker.restart();
      }
      return plan.isDone();
    });
  } finally {
    stopping.abort();
  }
  await atRandom;
}

const reachedBy = (lives: readonly Life[]): Record<Moment, number> =>
  Object.fromEntries(
    moments.map((moment) => [moment, lives.reduce((sum, { report }) => sum + (report?.reached[moment] ?? 0), 0)]),
  ) as Record<Moment, number>;

const expectedSoFar = (alerts: AlertLog[], pusher: Pusher): number =>
  alerts.reduce((sum, alert) => sum + pusher.cars.filter((car) => mustBeShown(alert, car)).length, 0);

async function comeToRest(system: System, patienceMs: number): Promise<string> {
  let unrest = '';
  await untilTrue('rest', patienceMs, async () => {
    unrest = await readUnrest(system.pool);
    return unrest === '';
  }).catch(() => progress(`not at rest: ${unrest}`));
  return unrest;
}

export async function runFaults(options: RunOptions): Promise<RunResult> {
  const began = Date.now();
  const random = makeRandom(options.seed);
  const draw = makeDraw(options.seed + 1);
  const plan = makeKillPlan(options.kills, random);
  let killing = false;
  const system = await startSystem({
    ...options,
    random: makeRandom(options.seed + 2),
    ordersFor: (part) => (killing ? plan.orders(part) : undefined),
    onEnd: (life) => plan.ended(life),
  });
  try {
    const door: Door = { url: system.url, pool: system.pool };
    await untilTrue('the api', 60_000, async () => (await fetch(`${system.url}/healthz`)).status < 500);
    const buyers = await makeBuyers(door, draw, options.small ? 4 : BUYERS);
    const watcher = await signUp(door, 'watcher');
    for (const asked of demoAlerts()) await createAlert(door, watcher, asked);
    const demoFrom = new Date();
    await untilTrue('the first read of the demo marketplace', 60_000, async () => {
      const { rowCount } = await system.pool.query('select 1 from sources where first_read_done and kind <> $1', [
        'push',
      ]);
      return (rowCount ?? 0) > 0;
    });
    const demoTold = new Date();
    progress(`ready after ${((Date.now() - began) / 1000).toFixed(1)} s`);

    const stopping = new AbortController();
    const { signal } = stopping;
    const pusher = startPusher({ url: system.url, token: INGEST_TOKEN, draw, everyMs: 250, signal });
    const acting = actAtRandom(door, buyers, makeDraw(options.seed + 3), signal);
    const reads: Date[] = [];
    const atRest = new AbortController();
    const watching = Promise.all([
      watchSearches(system.pool, pusher.cars, atRest.signal),
      watchReads(system.pool, reads, atRest.signal),
    ]);
    killing = true;
    for (const part of [system.api, ...system.workers]) part.restart();
    let unfinished: string | undefined;
    await killAll(system, plan, options, random).catch((error: Error) => {
      unfinished = error.message;
    });
    killing = false;
    const alerts = buyers.flatMap((buyer) => buyer.alerts);
    await untilTrue('enough matches', 120_000, async () => expectedSoFar(alerts, pusher) >= options.kills * 10);
    stopping.abort();
    system.provider.calm();
    progress('the kills are over; everything comes to rest');
    await Promise.all([pusher.ended, acting]);
    const frozen = system.freezeDemo();
    await untilTrue('the last read of the demo marketplace', 60_000, async () => {
      const { rowCount } = await system.pool.query(
        "select 1 from sources where kind <> 'push' and last_success_at > $1::timestamptz + interval '16 seconds'",
        [frozen],
      );
      return (rowCount ?? 0) > 0;
    });
    const unrest = await comeToRest(system, options.plant ? PLANTED_REST_MS : REST_MS);
    atRest.abort();
    await watching;

    const { rows, orphans } = await readMatches(system.pool);
    const taken = [...system.provider.taken, ...(await readTakenFromOutbox(outboxFile(options.folder)))];
    const lives = [system.api, ...system.workers].flatMap((part) => part.lives);
    const told = { taken, rows: await readMails(system.pool), lives, outages: system.database.outages };
    const fromDemo = demoCars(system.stream, { from: demoFrom, told: demoTold, to: frozen, reads });
    const all = buyers.flatMap((buyer) => buyer.alerts);
    const worlds = [
      { alerts: all, cars: pusher.cars },
      { alerts: watcher.alerts, cars: fromDemo },
    ];
    const matches = worlds.map(({ alerts: some, cars }) => judgeMatches(some, cars, rows));
    const ofWorld = (alerts: AlertLog[]) => {
      const ids = new Set(alerts.map(({ id }) => id));
      const mails = told.rows.filter(({ alertId }) => ids.has(alertId));
      const mailIds = new Set(mails.map(({ id }) => id));
      return { ...told, rows: mails, taken: taken.filter(({ mailId }) => mailIds.has(mailId)) };
    };
    const mails = worlds.map(({ alerts: some, cars }) => judgeMails(some, cars, ofWorld(some)));
    const decisions = await readDoubledDecisions(system.pool);
    const missing = [...matches.flatMap((one) => one.missing), ...(await readUnstored(system.pool, pusher.cars))];
    const extra = [...matches.flatMap((one) => one.extra), ...mails.flatMap((one) => one.wrong)];
    const doubled = [...matches.flatMap((one) => one.doubled), ...decisions];
    const lost = mails.flatMap((one) => one.lost);
    const mailsDoubled = mails.flatMap((one) => one.doubled);
    const expected = matches.reduce((sum, one) => sum + one.expected, 0);
    const faults = [
      ...missing.map((one) => `missing: ${one}`),
      ...extra.map((one) => `extra: ${one}`),
      ...doubled.map((one) => `doubled: ${one}`),
      ...lost.map((one) => `mail lost: ${one}`),
      ...mailsDoubled.map((one) => `mail doubled: ${one}`),
      ...(unrest === '' ? [] : [`never at rest: ${unrest}`]),
      ...(unfinished === undefined ? [] : [`not all kills: ${unfinished}`]),
      ...(expected < options.kills * 10 ? [`only ${expected} matches were expected`] : []),
    ];
    const reached = reachedBy(lives);
    const explained = mails.flatMap((one) => one.explained);
    return {
      faults,
      line: {
        faults: true,
        kills: plan.total(),
        seed: options.seed,
        listings: pusher.cars.length + fromDemo.length,
        expected,
        missing: missing.length,
        extra: extra.length,
        doubled: doubled.length,
        mailsExpected: mails.reduce((sum, one) => sum + one.expected, 0),
        mailsLost: lost.length,
        mailsDoubled: mailsDoubled.length,
        ...(options.plant && {
          plant: options.plant,
          planted: lives.reduce((n, { report }) => n + (report?.planted ?? 0), 0),
        }),
        moments: Object.fromEntries(
          moments.map((moment) => [moment, { reached: reached[moment], killed: plan.counts.moments[moment] }]),
        ),
        random: plan.counts.random,
        mails: { taken: taken.length, outbox: taken.filter(({ by }) => by === 'outbox').length },
        provider: system.provider.counts,
        explained,
        retriedPushes: pusher.retries(),
        alertChanges: all.reduce((n, { states }) => n + states.length - 1, 0),
        orphans,
        seconds: Math.round((Date.now() - began) / 1000),
      },
    };
  } finally {
    await system.stop();
  }
}
