import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../../demo/random.ts';
import type { Tell } from './bare-server.ts';
import { type Group, itemForAll, itemForGroup, MARK } from './cars.ts';
import type { Outcome, Pushed } from './figures.ts';
import { type Clients, now } from './processes.ts';

const AGAIN_MS = 50;

/** Hands one car to a server: one for a group of subscribers, or without a group for all. */
type Push = (mark: number, group: Group | null) => Promise<void>;

/** Through the product's own intake, one item a request. */
export function pushToIntake(url: string, token: string): Push {
  return async (mark, group) => {
    const body = JSON.stringify([group ? itemForGroup(mark, group) : itemForAll(mark)]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (;;) {
      const answer = await fetch(`${url}/api/ingest/bench`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (answer.status === 200 && text.includes('"accepted":1')) return;
      // Too many are under way: the wait counts, since the car was handed over when it was tried first.
      if (answer.status !== 503) throw new Error(`a car was not taken: ${text}`);
      await sleep(AGAIN_MS);
    }
  };
}

/** To the bare server: what the product once sent, with the car's mark. @param sample a message as it came */
export function pushToBare(url: string, sample: string): Push {
  return async (mark, group) => {
    const marked = sample.replaceAll(new RegExp(`${MARK}\\d+`, 'g'), `${MARK}${mark}`);
    const { payload } = JSON.parse(marked) as { payload: { data: Tell['data'] } };
    const tell: Tell = { data: payload.data, to: group ? group.members : null };
    await (await fetch(url, { method: 'POST', body: JSON.stringify(tell) })).text();
  };
}

const LISTINGS_PER_SECOND = 20;
const PATIENCE_MS = 30_000;

export interface Run {
  seed: number;
  seconds: number;
  subscribers: number;
  groups: readonly Group[];
  clients: Clients;
  /** The mark of the next car. */
  mark: number;
}

/** One of the two servers: how it is told of a car, and which sockets hang on it. */
export interface Side {
  set: 'real' | 'bare';
  push: Push;
}

export interface Moments {
  answeredMs: number;
  firstMs: number;
  lastMs: number;
}

const pairsOf = (pushed: ReadonlyMap<number, Pushed>) =>
  [...pushed.values()].reduce((sum, { to }) => sum + to.length, 0);

/** Cars for a group each. They come by themselves, whether or not the one before was told: Poisson, 20 a second. */
export async function steady(run: Run, { set, push }: Side, seconds: number): Promise<Outcome> {
  const dice = new Dice(run.seed, seconds);
  const pushed = new Map<number, Pushed>();
  const pushing: Promise<void>[] = [];
  const began = now();
  for (let dueMs = 0; ; ) {
    dueMs += (-Math.log(1 - dice.next()) * 1000) / LISTINGS_PER_SECOND;
    if (dueMs > seconds * 1000) break;
    await sleep(Math.max(0, began + dueMs - now()));
    const group = run.groups[dice.whole(0, run.groups.length - 1)];
    if (!group) continue;
    const mark = run.mark++;
    pushed.set(mark, { receivedAt: now(), to: group.members });
    pushing.push(push(mark, group));
  }
  await Promise.all(pushing);
  const { told } = await run.clients.take({ set, count: pairsOf(pushed), patienceMs: PATIENCE_MS });
  return { pushed, told };
}

/** One car for everybody: how long until the server has answered, the first one is told, the last one is told. */
export async function toAll(run: Run, { set, push }: Side): Promise<Outcome & Moments> {
  const mark = run.mark++;
  const everyone = run.groups.flatMap(({ members }) => members);
  const receivedAt = now();
  const waiting = run.clients.take({ set, count: everyone.length, patienceMs: PATIENCE_MS });
  const pushing = push(mark, null).then(now);
  const [{ told }, answeredAt] = await Promise.all([waiting, pushing]);
  const moments = told.map(({ at }) => at - receivedAt);
  return {
    pushed: new Map([[mark, { receivedAt, to: everyone }]]),
    told,
    answeredMs: answeredAt - receivedAt,
    firstMs: Math.min(...moments),
    lastMs: Math.max(...moments),
  };
}
