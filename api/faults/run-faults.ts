import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../lab/command-line.ts';
import { makeRandom } from '../lab/random.ts';
import { untilTrue } from '../lab/until-true.ts';
import { countInDoubt } from '../src/placement/decide-doubts.ts';
import { type Kind, makeActPlan, revealingActs } from './acts/act-plan.ts';
import { makeProbe, milestones, milestonesByMail } from './acts/probe.ts';
import { RECOVERY_MS, runActs } from './acts/run-acts.ts';
import type { InjectedFaultName } from './failpoints/injected-faults.ts';
import { mustBeShown } from './oracle/judge-matches.ts';
import { readPendingWork } from './oracle/pending-work.ts';
import { judge } from './oracle/verdict.ts';
import { writeJournals } from './report-faults.ts';
import { makeSharedLock, type SharedLock } from './shared-lock.ts';
import { type Clock, type System, startSystem } from './system/system.ts';
import type { Target } from './world/buyers.ts';
import { moveExpiriesNear } from './world/crowd.ts';
import { makeWorld, type World } from './world/world.ts';

export interface RunOptions {
  acts: number;
  /** Which kinds of acts there are. */
  only: readonly Kind[];
  seed: number;
  pauseMs: number;
  inject: InjectedFaultName | undefined;
  /** The folder of the database and all logs. */
  folder: string;
  /** The coordinator of a cluster, all of whose servers run on this machine and are there for this run alone. */
  cluster?: string | undefined;
  /** The clocks of the workers; by default two that are right. */
  clocks?: readonly (Clock | null)[];
  /** Where Agenda keeps its jobs instead of PostgreSQL. */
  mongoUrl?: string;
  /** With few buyers and without the demo marketplace. */
  small?: boolean;
  /** How many kills may follow one another before the recovery is awaited; by default one. */
  longestBurst?: number;
  /** How long a recovery may take, where several concurrent runs are slow. */
  recoveryMs?: number;
}

export interface RunResult {
  line: Record<string, unknown>;
  faults: string[];
}

/** The folder of the journals of a run. */
export const journalsIn = (folder: string): string => join(folder, 'journals');

const READY_MS = 180_000;
const REST_MS = 120_000;
const INJECTED_REST_MS = 40_000;
const INJECTED_LIFE_MS = 12_000;
const EXPECTED_EACH = 10;

/** Waits until no work is under way. @returns a description of the work that is still pending; empty when there is none */
export async function waitUntilIdle(read: () => Promise<string>, timeoutMs: number): Promise<string> {
  let pendingWork = '';
  await untilTrue('the end of all work', timeoutMs, async () => {
    pendingWork = await read();
    return pendingWork === '';
  }).catch(() => progress(`still pending: ${pendingWork}`));
  return pendingWork;
}

/** Alerts that end in ten minutes must still watch, also with a worker whose clock is ahead. */
async function readEndedEarly(system: System, ids: readonly number[]): Promise<string[]> {
  const { rows } = await system.pool.query<{ id: number }>(
    'select id from alerts where id = any ($1) and not is_active and expires_at > now()',
    [ids],
  );
  return rows.map(({ id }) => `alert ${id} was ended before its time`);
}

/** Also what is in doubt on a server, where the rest of it is not to be read. */
async function readPending({ pool, database }: System): Promise<string> {
  const inDoubt = database.cluster ? await countInDoubt(pool) : 0;
  return inDoubt > 0 ? `${inDoubt} transactions in doubt` : readPendingWork(pool);
}

/** The maximum of recoveries, and the time that 19 of 20 stay below, in milliseconds. */
export function recoveryOf(recoveries: readonly { ms: number }[]) {
  const sorted = recoveries.map(({ ms }) => ms).sort((a, b) => a - b);
  return { recoveryMaxMs: sorted.at(-1) ?? null, recoveryP95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null };
}

interface Started {
  system: System;
  lock: SharedLock;
  world: World;
}

/** Performs the acts, waits until no work is left, and judges the result. */
async function disturbAndJudge({ system, lock, world }: Started, options: RunOptions): Promise<RunResult> {
  const began = Date.now();
  const { seed, acts, inject, pauseMs, small = false, recoveryMs = RECOVERY_MS } = options;
  // A recovery that takes too long is waited for, so that the run reports its time.
  const timeoutMs = recoveryMs + (inject ? 10_000 : 45_000);
  const random = makeRandom(seed);
  const onCluster = options.cluster !== undefined;
  const plan = makeActPlan({ acts, only: options.only, onCluster, ...(inject && revealingActs[inject]) }, random);
  const probe = await makeProbe(system, world.target, options.clocks ? milestonesByMail : milestones);
  const ending = options.clocks ? await moveExpiriesNear(world.target, world.buyers) : [];

  await world.start();
  if (small) await system.restart();
  const { missed } = await probe.run(inject ? timeoutMs : READY_MS);
  const deadAtStart = missed.map((milestone) => `LotWatch does not work: a probe was not ${milestone}`);
  const { faults, recoveries, done } = await runActs({
    stage: { system, lock, random, pauseMs },
    plan: missed.length > 0 ? [] : plan,
    probe,
    longestBurst: options.longestBurst ?? 1,
    recoveryMs,
    timeoutMs,
    untilFault: inject !== undefined,
    // Not in the other order, as SendGrid would get mails again that the outbox had accepted from a killed worker.
    async between(count) {
      if (system.mailer === 'outbox' || count < acts / 2) return;
      system.mailer = 'outbox';
      await system.restart();
    },
  });
  faults.push(...deadAtStart);
  const note = (error: Error) => void faults.push(`unfinished: ${error.message}`);
  const expectedSoFar = () =>
    world.alerts().reduce((sum, alert) => sum + world.cars().filter((car) => mustBeShown(alert, car)).length, 0);
  const enough = acts * EXPECTED_EACH;
  if (faults.length === 0) {
    await untilTrue('enough matches', 180_000, async () => expectedSoFar() >= enough).catch(note);
    // Faults of two concurrent workers show best while both live.
    if (inject) await sleep(INJECTED_LIFE_MS);
  }
  progress('the acts are over; waiting for the pending work');
  system.provider.recover();
  system.pushProvider.recover();
  await world.stop();
  const demo = await world.readDemoToItsEnd().catch((error: Error) => {
    note(error);
    return [];
  });
  const pendingWork = await waitUntilIdle(() => readPending(system), inject ? INJECTED_REST_MS : REST_MS);
  if (pendingWork !== '') faults.push(`still pending: ${pendingWork}`);
  await world.stopWatching();

  const { counts, faults: found, journals } = await judge(system, world, probe, { demo, recoveryMs });
  writeJournals(journalsIn(options.folder), journals);
  faults.push(...found, ...(await readEndedEarly(system, ending)));
  if (counts.expected < enough && !inject) faults.push(`only ${counts.expected} matches were expected`);
  const line = {
    faults: true,
    acts: recoveries.length,
    kills: done.kill,
    seed,
    ...counts,
    ...recoveryOf(recoveries),
    byKind: done,
    ...(system.database.cluster && { cluster: true, commits: system.database.cluster.counts() }),
    ...(inject && { plant: inject }),
    ...(options.clocks && { clocks: options.clocks.map((clock) => clock ?? 'right') }),
    retriedPushes: world.retries(),
    alertChanges: world.alerts().reduce((sum, { states }) => sum + states.length - 1, 0),
    seconds: Math.round((Date.now() - began) / 1000),
  };
  return { line, faults };
}

/** Performs a whole run: starts everything, disturbs it, waits until no work is pending and judges it. */
export async function runFaults(options: RunOptions): Promise<RunResult> {
  const { seed, small = false } = options;
  const lock = makeSharedLock();
  const system = await startSystem({ ...options, demo: !small, heldWorkers: small, random: makeRandom(seed + 2) });
  try {
    const target: Target = { url: system.url, pool: system.pool };
    await untilTrue('the api', READY_MS, async () => (await fetch(`${system.url}/healthz`)).status === 200);
    const { isCalm = false } = options.inject ? revealingActs[options.inject] : {};
    const world = await makeWorld({ system, target, lock, seed, small, isCalm, clocks: options.clocks !== undefined });
    progress('everything is ready');
    try {
      return await disturbAndJudge({ system, lock, world }, options);
    } finally {
      await world.close();
    }
  } finally {
    await system.stop();
  }
}
