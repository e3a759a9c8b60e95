import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../../lab/command-line.ts';
import type { Outage } from '../system/system.ts';
import { type Asked, untilServed } from './outage.ts';
import type { Node, Scene } from './scene.ts';

/** Something that an operator or fate did, while everything went on. Times are in milliseconds since 1970. */
export interface Event {
  what: string;
  from: number;
  /** When it was over: the process is ready, or goes on. */
  to: number;
}

export interface Events {
  events: Event[];
  /** From each kill of the database until every api has answered again by what it then read there. */
  outages: { from: number; to: number }[];
  /** Paused processes. */
  troubles: Outage[];
  /** How long each shutdown took, by process. */
  shutdownsMs: number[];
}

const PAUSE_MS = 20_000;
const SHORT_PAUSE_MS = 6_000;
/** So that what an event leaves behind shows before the next. */
const MIN_REST_MS = 4_000;

/** Performs all kinds of events in turn, once or for as long as the run lasts; the upgrade once. */
export async function runEvents(
  scene: Scene,
  { minutes, small, asked }: { minutes: number; small: boolean; asked: Asked },
): Promise<Events> {
  const done: Events = { events: [], outages: [], troubles: [], shutdownsMs: [] };

  async function stop(node: Node): Promise<() => void> {
    const began = Date.now();
    const release = await node.hold();
    done.shutdownsMs.push(Date.now() - began);
    return release;
  }

  async function restart(node: Node): Promise<void> {
    (await stop(node))();
    await node.untilReady();
  }

  async function pause(worker: Node): Promise<void> {
    const from = Date.now();
    worker.freeze();
    await sleep(small ? SHORT_PAUSE_MS : PAUSE_MS);
    worker.thaw();
    done.troubles.push({ part: worker.name, what: 'paused', from, to: Date.now() });
  }

  async function killDatabase(): Promise<void> {
    const from = Date.now();
    await scene.database.killServer();
    const served = await Promise.all(scene.apis.map(({ url }) => untilServed(url, asked)));
    done.outages.push({ from, to: Math.max(...served) });
  }

  /** In the order of docs/upgrades.md. */
  async function upgrade(): Promise<void> {
    const { migrator, workers, apis } = scene;
    (await migrator.hold())();
    await migrator.untilReady();
    for (const node of [...workers, ...apis]) node.upgrade();
    const releases = await Promise.all(workers.map(stop));
    for (const release of releases) release();
    await Promise.all(workers.map((worker) => worker.untilReady()));
    for (const api of apis) await restart(api);
    await migrator.hold();
  }

  const [api1, api2] = scene.apis;
  const [worker1, worker2] = scene.workers;
  const acts: readonly (readonly [what: string, act: () => Promise<void>])[] = [
    ...[api1, api2, worker1, worker2].map((node) => [`restart ${node.name}`, () => restart(node)] as const),
    ['pause worker-1', () => pause(worker1)],
    ['kill postgres', killDatabase],
    ['upgrade', upgrade],
  ];
  const rounds = small ? 1 : Math.max(1, Math.round(minutes / 5));
  const plan = Array.from({ length: rounds }, (_, round) => acts.filter(([what]) => round === 0 || what !== 'upgrade'));
  const turns = plan.flat();
  const began = Date.now();
  for (const [index, [what, act]] of turns.entries()) {
    const startsAt = began + ((index + 0.5) * minutes * 60_000) / turns.length;
    await sleep(Math.max(MIN_REST_MS, startsAt - Date.now()));
    const from = Date.now();
    progress(what);
    await act();
    done.events.push({ what, from, to: Date.now() });
  }
  await sleep(Math.max(MIN_REST_MS, began + minutes * 60_000 - Date.now()));
  return done;
}
