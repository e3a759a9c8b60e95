import { setTimeout as sleep } from 'node:timers/promises';
import { makeRandom } from '../test/matching/match-world.ts';
import { makeKillPlan } from './kill-plan.ts';
import { killAll } from './killing.ts';
import { moments, type Plant, shownAt } from './moments/moments.ts';
import { readUnrest } from './oracle/collect.ts';
import { mustBeShown } from './oracle/judge-matches.ts';
import { judge, type World } from './oracle/verdict.ts';
import { progress } from './progress.ts';
import type { Clock } from './system/clocks.ts';
import { INGEST_TOKEN, type System, startSystem } from './system/system.ts';
import { untilTrue } from './until-true.ts';
import { createAlert, type Door, signUp } from './world/buyers.ts';
import { actAtRandom, bringEndsNear, makeBuyers } from './world/crowd.ts';
import { demoAlerts, demoCars } from './world/demo-cars.ts';
import { makeDraw } from './world/draw.ts';
import { watchReads, watchSearches } from './world/observer.ts';
import { startPusher } from './world/pusher.ts';

export interface RunOptions {
  kills: number;
  seed: number;
  plant: Plant | undefined;
  /** Where the database and every log lie. */
  folder: string;
  /** The clocks of the workers; two that are right, where nothing is said. */
  clocks?: readonly (Clock | null)[];
  /** Where Agenda keeps its jobs instead of PostgreSQL. */
  mongoUrl?: string;
  /** With few buyers and without the demo marketplace, for tests. */
  small?: boolean;
}

export interface RunResult {
  line: Record<string, unknown>;
  faults: string[];
}

const READY_MS = 90_000;
const REST_MS = 90_000;
const PLANTED_REST_MS = 40_000;
const PLANTED_LIFE_MS = 15_000;

/** What polls the demo marketplace: a buyer with alerts for its cars, who joins before it is read for the first time. */
async function watchDemo(system: System, door: Door) {
  const watcher = await signUp(door, 'watcher');
  for (const asked of demoAlerts()) await createAlert(door, watcher, asked);
  const from = new Date();
  await untilTrue('the first read of the demo marketplace', READY_MS, async () => {
    const { rowCount } = await system.pool.query("select 1 from sources where first_read_done and kind <> 'push'");
    return (rowCount ?? 0) > 0;
  });
  return { watcher, from, told: new Date() };
}

async function untilReadAfter(system: System, moment: Date): Promise<void> {
  await untilTrue('the last read of the demo marketplace', READY_MS, async () => {
    const { rowCount } = await system.pool.query(
      "select 1 from sources where kind <> 'push' and last_success_at > $1::timestamptz + interval '16 seconds'",
      [moment],
    );
    return (rowCount ?? 0) > 0;
  });
}

async function comeToRest(system: System, patienceMs: number): Promise<string> {
  let unrest = '';
  await untilTrue('rest', patienceMs, async () => {
    unrest = await readUnrest(system.pool);
    return unrest === '';
  }).catch(() => progress(`not at rest: ${unrest}`));
  return unrest;
}

/** Alerts that end in ten minutes still watch, whatever the clock of a worker says. */
async function readEndedEarly(system: System, ids: readonly number[]): Promise<string[]> {
  const { rows } = await system.pool.query<{ id: number }>(
    'select id from alerts where id = any ($1) and not is_active and expires_at > now()',
    [ids],
  );
  return rows.map(({ id }) => `alert ${id} was ended before its time`);
}

/** One whole run: everything is started, killed, brought to rest and judged. */
export async function runFaults(options: RunOptions): Promise<RunResult> {
  const began = Date.now();
  const { seed, kills, folder, small = false } = options;
  const random = makeRandom(seed);
  const plan = makeKillPlan(kills, random, small ? 2_000 : undefined, options.plant && shownAt[options.plant]);
  let killing = false;
  const system = await startSystem({
    ...options,
    demo: !small,
    heldWorkers: small,
    random: makeRandom(seed + 2),
    ordersFor: (part) => (killing ? plan.orders(part) : undefined),
    onEnd: (life) => plan.ended(life),
  });
  try {
    const door: Door = { url: system.url, pool: system.pool };
    await untilTrue('the api', READY_MS, async () => (await fetch(`${system.url}/healthz`)).status === 200);
    const draw = makeDraw(seed + 1);
    const buyers = await makeBuyers(door, draw, small ? 3 : 8);
    const ending = options.clocks ? await bringEndsNear(door, buyers) : [];
    const demo = small ? null : await watchDemo(system, door);
    progress(`ready after ${((Date.now() - began) / 1000).toFixed(1)} s`);

    const stopping = new AbortController();
    const atRest = new AbortController();
    const { signal } = stopping;
    const pusher = startPusher({ url: system.url, token: INGEST_TOKEN, draw, everyMs: 250, signal });
    const acting = actAtRandom(door, buyers, makeDraw(seed + 3), signal);
    const reads: Date[] = [];
    const watching = Promise.all([
      watchSearches(system.pool, pusher.cars, atRest.signal),
      watchReads(system.pool, reads, atRest.signal),
    ]);
    killing = true;
    await system.restart();
    const faults: string[] = [];
    const note = (error: Error) => void faults.push(`unfinished: ${error.message}`);
    await killAll(system, plan, kills, random).catch(note);
    killing = false;
    const alerts = () => buyers.flatMap((buyer) => buyer.alerts);
    const expectedSoFar = () =>
      alerts().reduce((sum, alert) => sum + pusher.cars.filter((car) => mustBeShown(alert, car)).length, 0);
    await untilTrue('enough matches', 180_000, async () => expectedSoFar() >= kills * 10).catch(note);
    // What two workers do at once shows best while both live.
    if (options.plant) await sleep(small ? 0 : PLANTED_LIFE_MS);
    stopping.abort();
    system.provider.calm();
    progress('the kills are over; everything comes to rest');
    await Promise.all([pusher.ended, acting]);
    const to = system.freezeDemo();
    if (demo) await untilReadAfter(system, to).catch(note);
    const unrest = await comeToRest(system, options.plant ? PLANTED_REST_MS : REST_MS);
    if (unrest !== '') faults.push(`never at rest: ${unrest}`);
    atRest.abort();
    await watching;

    const pushed: World = { alerts: alerts(), cars: pusher.cars };
    const polled: World = demo
      ? { alerts: demo.watcher.alerts, cars: demoCars(system.stream, { ...demo, to, reads }) }
      : { alerts: [], cars: [] };
    const { counts, faults: found } = await judge(system, folder, pushed, polled);
    faults.push(...found, ...(await readEndedEarly(system, ending)));
    if (counts.expected < kills * 10) faults.push(`only ${counts.expected} matches were expected`);
    const { reached, planted, ...numbers } = counts;
    const line = {
      faults: true,
      kills: plan.total(),
      seed,
      ...numbers,
      ...(options.plant && { plant: options.plant, planted }),
      moments: Object.fromEntries(
        moments.map((moment) => [moment, { reached: reached[moment], killed: plan.counts.moments[moment] }]),
      ),
      random: plan.counts.random,
      ...(options.clocks && { clocks: options.clocks.map((clock) => clock ?? 'right') }),
      retriedPushes: pusher.retries(),
      alertChanges: pushed.alerts.reduce((sum, { states }) => sum + states.length - 1, 0),
      seconds: Math.round((Date.now() - began) / 1000),
    };
    return { line, faults };
  } finally {
    await system.stop();
  }
}
