import { setTimeout as sleep } from 'node:timers/promises';
import { makePool } from '../../src/base/database.ts';
import type { Gate } from '../gate.ts';
import type { Moment } from '../moments/moments.ts';
import { progress } from '../progress.ts';
import type { Part } from '../system/part.ts';
import type { System, Trouble, Worker, WorkerSources } from '../system/system.ts';
import { untilTrue } from '../until-true.ts';
import { type Act, type Kind, nameOf, type Role, type Victim } from './act-plan.ts';
import type { Probe } from './probe.ts';

export interface Stage {
  system: System;
  gate: Gate;
  random: () => number;
  /** How long a pause takes. */
  pauseMs: number;
}

/** A part that is away for a while longer, although LotWatch must go on without it. */
export interface Impairment {
  part: Part;
  over: Promise<void>;
}

export interface Struck {
  /** From when on the time to recover counts, in milliseconds since 1970. */
  at: number;
  impairment?: Impairment;
}

const FOUND_MS = 30_000;
const REACHED_MS = 20_000;
const LATEST = 3;
const SHORTEST_CUT_MS = 4_000;
/** What workers do in this time after the dump is lost. */
const LOSS_MS = 2_000;

const others = ({ system: { workers } }: Stage, away: Impairment | undefined): Worker[] =>
  workers.filter((worker) => worker !== away?.part);

function choose(stage: Stage, role: Role, away: Impairment | undefined): Part {
  const workers = others(stage, away);
  const worker = workers[Math.floor(stage.random() * workers.length)];
  if (role === 'api' || !worker) return stage.system.api;
  return worker;
}

/** @throws Error where no process comes to that moment */
async function atMoment(stage: Stage, act: { moment: Moment; role: Role }, does: 'kill' | 'stop', away?: Impairment) {
  const first = choose(stage, act.role, away);
  const turns = act.role === 'api' ? [first] : [first, ...others(stage, away).filter((worker) => worker !== first)];
  for (const part of [...turns, ...turns]) {
    const nth = 1 + Math.floor(stage.random() * LATEST);
    const at = await part.order({ moment: act.moment, nth, does }, REACHED_MS);
    if (at !== null) return { part, at };
  }
  throw new Error(`no ${act.role} came to ${act.moment}`);
}

async function killVictim({ system }: Stage, victim: Victim, part: Part): Promise<void> {
  switch (victim) {
    case 'database':
      return system.database.killServer();
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

/** LotWatch goes on without a worker, and can't without its api: then it recovers from the end of its absence. */
async function struck(part: Part, at: number, over: Promise<void>, mustGoOn: boolean): Promise<Struck> {
  if (mustGoOn) return { at, impairment: { part, over } };
  await over;
  return { at: Date.now() };
}

function note({ system }: Stage, part: Part, what: Trouble['what'], from: number): Trouble {
  const trouble: Trouble = { part: part.name, what, from, to: Number.POSITIVE_INFINITY };
  system.troubles.push(trouble);
  return trouble;
}

async function pause(stage: Stage, act: Act & { kind: 'pause' }, away?: Impairment): Promise<Struck> {
  const { moment, role } = act;
  let part = choose(stage, role, away);
  let at = Date.now();
  if (moment) ({ part, at } = await atMoment(stage, { moment, role }, 'stop', away));
  else await untilTrue(`${part.name} to pause`, FOUND_MS, async () => part.freeze());
  const trouble = note(stage, part, 'paused', at);
  const over = sleep(stage.pauseMs).then(() => {
    part.thaw();
    trouble.to = Date.now();
  });
  return struck(part, at, over, part !== stage.system.api);
}

async function cut(stage: Stage, act: Act & { kind: 'cut' }, away?: Impairment): Promise<Struck> {
  const part = choose(stage, act.role, away);
  const ways = stage.system.network.of(part.name);
  const at = Date.now();
  const trouble = note(stage, part, 'cut off', at);
  ways.cut(act.from === 'both' ? ['database', 'provider'] : [act.from]);
  const longest = part === stage.system.api ? stage.pauseMs / 2 : stage.pauseMs;
  const over = sleep(SHORTEST_CUT_MS + stage.random() * (longest - SHORTEST_CUT_MS)).then(() => {
    if (act.end === 'reset') ways.reset();
    ways.mend();
    trouble.to = Date.now();
  });
  // Who can't reach the provider goes on claiming mails, which then wait for it.
  return struck(part, at, over, part !== stage.system.api && act.from !== 'provider');
}

async function restore({ system, gate }: Stage, loses: boolean): Promise<Struck> {
  const { database, network } = system;
  const next = await database.makeSuccessor();
  const pool = makePool(next.url, 1, 'faults');
  await system.furnish(pool);
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
  // What our pushers and buyers were promised must be kept, so they wait; what the workers do meanwhile is lost.
  await gate.alone(async () => {
    const from = Date.now();
    await next.restore();
    await sleep(LOSS_MS);
    await cutOff();
    await takeOver();
    system.losses.push({ from, to: Date.now() });
  });
  return { at };
}

/** One of the workers always knows all sources; what the others are told must not end any. */
async function changeSettings({ system, random }: Stage, sources: WorkerSources): Promise<Struck> {
  const mayChange = system.workers.filter((worker) =>
    system.workers.some((other) => other !== worker && other.sources === 'both'),
  );
  const worker = mayChange[Math.floor(random() * mayChange.length)];
  if (!worker) throw new Error('no worker may be told of other sources');
  worker.sources = sources;
  const at = Date.now();
  const release = await worker.hold();
  release();
  return { at };
}

/** Whether an act makes sense while a part is away: of two workers one must be left. */
export const isSound = (act: Act, away: Impairment | undefined): boolean => away === undefined || act.kind === 'kill';

/** Lets an act happen. @throws Error where it can't */
export async function perform(stage: Stage, act: Act, away: Impairment | undefined): Promise<Struck> {
  switch (act.kind) {
    case 'kill': {
      if (act.moment) {
        const { at } = await atMoment(stage, act, 'kill', away);
        return { at };
      }
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
  }
}

/** How soon LotWatch must do its work again after whatever happened to it. */
export const RECOVERY_MS = 30_000;
/** After so many times without any recovery the rest would tell nothing more. */
const MOST_STUCK = 3;

export interface ActsDone {
  done: Record<Kind, number>;
  /** Milliseconds that each recovery took. */
  recoveries: { act: string; ms: number }[];
  faults: string[];
}

export interface ActsOptions {
  stage: Stage;
  plan: readonly Act[];
  probe: Probe;
  /** How long a recovery may take, and how long it is waited for at most. */
  recoveryMs: number;
  patienceMs: number;
  /** A planted defect is looked for: the run ends as soon as a recovery fails, and a slow one says nothing. */
  untilFault: boolean;
  /** Called before each act while no part is away. */
  between(done: number): Promise<void>;
}

/**
 * Lets the acts happen, one as soon as LotWatch has recovered from the last. While one worker is away, the acts go on
 * that don't need it.
 */
export async function runActs({
  stage,
  plan,
  probe,
  recoveryMs,
  patienceMs,
  untilFault,
  between,
}: ActsOptions): Promise<ActsDone> {
  const done: ActsDone['done'] = { kill: 0, pause: 0, cut: 0, restore: 0, settings: 0 };
  const result: ActsDone = { done, recoveries: [], faults: [] };
  const waiting = [...plan];
  let away: Impairment | undefined;
  let stuck = 0;
  while (waiting.length > 0) {
    if (stuck >= MOST_STUCK || (untilFault && result.faults.length > 0)) break;
    const at = waiting.findIndex((act) => isSound(act, away));
    if (at < 0) {
      await away?.over;
      continue;
    }
    if (!away) await between(plan.length - waiting.length);
    const [act] = waiting.splice(at, 1);
    if (!act) break;
    const name = nameOf(act);
    try {
      const { at: from, impairment } = await perform(stage, act, away);
      if (impairment) {
        away = impairment;
        void impairment.over.then(() => {
          if (away === impairment) away = undefined;
        });
      }
      done[act.kind] += 1;
      const { at: to, reached, missed } = await probe.run(patienceMs);
      const ms = to - from;
      const times = [...reached].map(([station, at]) => `${station} ${((at - from) / 1000).toFixed(1)}`).join(', ');
      result.recoveries.push({ act: name, ms });
      const seconds = (ms / 1000).toFixed(1);
      if (missed.length > 0) {
        stuck += 1;
        result.faults.push(
          `no recovery in ${seconds} s after ${name}: a probe was not ${missed.join(', not ')} (${times})`,
        );
      } else if (ms > recoveryMs && !untilFault)
        result.faults.push(`slow recovery: ${seconds} s after ${name} (${times})`);
      progress(`${plan.length - waiting.length} of ${plan.length}: ${name}; recovered in ${seconds} s (${times})`);
    } catch (error) {
      result.faults.push(`unfinished: ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await away?.over;
  if (stuck >= MOST_STUCK) result.faults.push(`unfinished: ${waiting.length} acts were left out`);
  return result;
}
