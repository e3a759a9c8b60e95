import { setTimeout as sleep } from 'node:timers/promises';
import { makePool } from '../../src/base/database.ts';
import type { Gate } from '../gate.ts';
import type { Moment } from '../moments/moments.ts';
import type { Part } from '../system/part.ts';
import type { System, Trouble, Worker, WorkerSources } from '../system/system.ts';
import { untilTrue } from '../until-true.ts';
import type { Act, Role, Victim } from './act-plan.ts';

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
