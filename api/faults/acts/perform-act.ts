import { setTimeout as sleep } from 'node:timers/promises';
import { untilTrue } from '../../lab/until-true.ts';
import { makePool } from '../../src/base/database.ts';
import type { Failpoint } from '../failpoints/failpoints.ts';
import type { SharedLock } from '../shared-lock.ts';
import { NO_TROUBLE, type Shares } from '../system/commit-proxy.ts';
import type { Part } from '../system/part.ts';
import type { Outage, System, Worker, WorkerSources } from '../system/system.ts';
import type { Act, Role, Victim } from './act-plan.ts';
import { moveAnyShard } from './move-shard.ts';

export interface Stage {
  system: System;
  lock: SharedLock;
  random: () => number;
  /** How long a pause takes. */
  pauseMs: number;
}

/** A process that is stopped or cut off for a while, or another trouble, during which LotWatch must keep working. */
export interface Absence {
  part?: Part;
  over: Promise<void>;
}

export interface ActDone {
  /** When the time to recover begins, in milliseconds since 1970. */
  at: number;
  absence?: Absence;
}

const FOUND_MS = 30_000;
const REACHED_MS = 20_000;
const LATEST = 3;
const MIN_CUT_MS = 4_000;
/** How long workers go on after a dump; what they do is lost. */
const LOSS_MS = 2_000;
/** How long commits are late or lost, and what share of them. */
const COMMITS_MS = { least: 5_000, most: 15_000 };
const COMMITS_SHARE: Readonly<Shares> = { late: 0.3, cut: 0.05, unanswered: 0.1, decidedLate: 0.3 };

const others = ({ system: { workers } }: Stage, away: Absence | undefined): Worker[] =>
  workers.filter((worker) => worker !== away?.part);

function choose(stage: Stage, role: Role, away: Absence | undefined): Part {
  const workers = others(stage, away);
  const worker = workers[Math.floor(stage.random() * workers.length)];
  if (role === 'api' || !worker) return stage.system.api;
  return worker;
}

/** Kills or stops a process at a failpoint. @throws Error where no process reaches it */
async function actAt(
  stage: Stage,
  { failpoint, role }: { failpoint: Failpoint; role: Role },
  action: 'kill' | 'stop',
  away?: Absence,
) {
  const first = choose(stage, role, away);
  const candidates = role === 'api' ? [first] : [first, ...others(stage, away).filter((worker) => worker !== first)];
  for (const part of [...candidates, ...candidates]) {
    const nth = 1 + Math.floor(stage.random() * LATEST);
    const at = await part.arm({ failpoint, nth, action }, REACHED_MS);
    if (at !== null) return { part, at };
  }
  throw new Error(`no ${role} came to ${failpoint}`);
}

async function killVictim({ system, random }: Stage, victim: Victim, part: Part): Promise<void> {
  switch (victim) {
    case 'database':
      return system.database.killServer();
    case 'server':
      return system.database.killWorker(Math.floor(random() * 1_000));
    case 'api':
    case 'worker':
      return untilTrue(`${part.name} to kill`, FOUND_MS, async () => part.kill());
    case 'session':
      return untilTrue('a session to kill', FOUND_MS, async () => {
        const { rows } = await system.pool.query<{ pid: number }>(
          "select pid from pg_stat_activity where application_name = 'lotwatch-worker' order by random() limit 1",
        );
        return rows[0] !== undefined && system.database.killSession(rows[0].pid);
      });
  }
}

/** LotWatch works without a worker, but not without its api; there the time to recover begins when the api is back. */
async function actDone(part: Part, at: number, over: Promise<void>, mustGoOn: boolean): Promise<ActDone> {
  if (mustGoOn) return { at, absence: { part, over } };
  await over;
  return { at: Date.now() };
}

function note({ system }: Stage, part: Part, what: Outage['what'], from: number): Outage {
  const trouble: Outage = { part: part.name, what, from, to: Number.POSITIVE_INFINITY };
  system.troubles.push(trouble);
  return trouble;
}

async function pause(stage: Stage, act: Act & { kind: 'pause' }, away?: Absence): Promise<ActDone> {
  const { failpoint, role } = act;
  let part = choose(stage, role, away);
  let at = Date.now();
  if (failpoint) ({ part, at } = await actAt(stage, { failpoint, role }, 'stop', away));
  else await untilTrue(`${part.name} to pause`, FOUND_MS, async () => part.freeze());
  const trouble = note(stage, part, 'paused', at);
  const over = sleep(stage.pauseMs).then(() => {
    part.thaw();
    trouble.to = Date.now();
  });
  return actDone(part, at, over, part !== stage.system.api);
}

async function cut(stage: Stage, act: Act & { kind: 'cut' }, away?: Absence): Promise<ActDone> {
  const part = choose(stage, act.role, away);
  const routes = stage.system.network.of(part.name);
  const at = Date.now();
  const trouble = note(stage, part, 'cut off', at);
  routes.cut(act.from === 'both' ? ['database', 'provider'] : [act.from]);
  const longest = part === stage.system.api ? stage.pauseMs / 2 : stage.pauseMs;
  const over = sleep(MIN_CUT_MS + stage.random() * (longest - MIN_CUT_MS)).then(() => {
    if (act.end === 'reset') routes.reset();
    routes.mend();
    trouble.to = Date.now();
  });
  // A worker that can't reach the provider continues to claim mails, which then wait for it.
  return actDone(part, at, over, part !== stage.system.api && act.from !== 'provider');
}

async function restore({ system, lock }: Stage, loses: boolean): Promise<ActDone> {
  const { database, network } = system;
  const next = await database.makeSuccessor();
  const pool = makePool(next.url, 1, 'faults');
  await system.prepareDatabase(pool);
  await pool.end();
  let at = Date.now();
  const cutOff = () => {
    at = Date.now();
    database.outages.push({ from: at, to: Number.POSITIVE_INFINITY });
    network.cutDatabase();
    return next.endSessions();
  };
  const takeOver = async () => {
    await next.takeOver();
    network.mendDatabase();
    const outage = database.outages.at(-1);
    if (outage) outage.to = Date.now();
  };
  if (!loses) {
    await cutOff();
    await next.restore();
    await takeOver();
    return { at };
  }
  // What was acknowledged to pushers and buyers must not be lost, so they wait; what the workers do meanwhile is lost.
  await lock.exclusive(async () => {
    const from = Date.now();
    await next.restore();
    await sleep(LOSS_MS);
    await cutOff();
    await takeOver();
    system.losses.push({ from, to: Date.now() });
  });
  return { at };
}

/** One worker always has all sources in its settings; the settings of the others must not end any. */
async function changeSettings({ system, random }: Stage, sources: WorkerSources): Promise<ActDone> {
  const mayChange = system.workers.filter((worker) =>
    system.workers.some((other) => other !== worker && other.sources === 'both'),
  );
  const worker = mayChange[Math.floor(random() * mayChange.length)];
  if (!worker) throw new Error('no worker may get other sources');
  worker.sources = sources;
  const at = Date.now();
  const release = await worker.hold();
  release();
  return { at };
}

/** Disturbs commits for a while. A tenth comes late beside any other trouble. */
async function disturbCommits({ system, random }: Stage, { trouble }: Act & { kind: 'commits' }): Promise<ActDone> {
  const { cluster } = system.database;
  if (!cluster) throw new Error('there is one server');
  const at = Date.now();
  Object.assign(cluster.commits, { late: COMMITS_SHARE.late / 3, [trouble]: COMMITS_SHARE[trouble] });
  const ms = COMMITS_MS.least + random() * (COMMITS_MS.most - COMMITS_MS.least);
  const over = sleep(ms).then(() => void Object.assign(cluster.commits, NO_TROUBLE));
  return { at, absence: { over } };
}

async function move({ system, random }: Stage, act: Act & { kind: 'move' }): Promise<ActDone> {
  await moveAnyShard(system, act, random);
  return { at: Date.now() };
}

/** Whether an act is possible while a process is away: of two workers one must be left. */
export const isPossible = (act: Act, away: Absence | undefined): boolean => away === undefined || act.kind === 'kill';

/** Performs an act. @throws Error where it is not possible */
export async function perform(stage: Stage, act: Act, away: Absence | undefined): Promise<ActDone> {
  switch (act.kind) {
    case 'kill': {
      if (act.failpoint) return { at: (await actAt(stage, act, 'kill', away)).at };
      const at = Date.now();
      await killVictim(stage, act.victim, choose(stage, act.victim === 'api' ? 'api' : 'worker', away));
      return { at };
    }
    case 'pause':
      return pause(stage, act, away);
    case 'cut':
      return cut(stage, act, away);
    case 'restore':
      return restore(stage, act.loses);
    case 'settings':
      return changeSettings(stage, act.sources);
    case 'move':
      return move(stage, act);
    case 'commits':
      return disturbCommits(stage, act);
  }
}
