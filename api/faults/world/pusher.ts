import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedLock } from '../shared-lock.ts';
import { type Car, type Draw, itemOf, requestedNow } from './draw.ts';
import type { CarLog } from './journal.ts';

export const SOURCE = 'faults';

interface PusherOptions {
  url: string;
  token: string;
  draw: Draw;
  lock: SharedLock;
  /** Between two pushes. */
  everyMs: number;
  signal: AbortSignal;
}

export interface Pusher {
  cars: CarLog[];
  /** Attempts that were not acknowledged. */
  retries(): number;
  ended: Promise<void>;
}

const RETRY_DELAY_MS = 150;
const TIMEOUT_MS = 8_000;
const DROPS = 2;
/** A price out of the range of every alert with a price. */
const FAR = 95_000;
const MAX_STATES = 7;

/** Where to push, and how long to retry. */
interface PushTo {
  url: string;
  token: string;
  /** Aborted to end the retries; the push then throws. */
  signal?: AbortSignal;
}

/** Pushes one body until it is acknowledged. @returns the number of failed attempts */
export async function pushUntilAccepted({ url, token, signal }: PushTo, items: object[]): Promise<number> {
  for (let tries = 0; ; tries += 1, await sleep(RETRY_DELAY_MS)) {
    signal?.throwIfAborted();
    try {
      const response = await fetch(`${url}/api/ingest/${SOURCE}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(items),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = (await response.json()) as { rejected?: number };
      if (response.status === 200 && answer.rejected === 0) return tries;
      if (response.status < 500) throw new TypeError(`a push was refused: ${JSON.stringify(answer).slice(0, 500)}`);
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith('a push')) throw error;
    }
  }
}

/** Pushes cars, and sometimes another price or a sale, each body until it is acknowledged. */
export function startPusher({ url, token, draw, lock, everyMs, signal }: PusherOptions): Pusher {
  const cars: Car[] = [];
  let retries = 0;

  function listed(): Car {
    const drawn = draw.car();
    const car = { externalId: `car-${cars.length + 1}`, drawn, states: [requestedNow(drawn.facts)] };
    cars.push(car);
    return car;
  }

  /** Changes old cars as well as new ones, whose first search may still be under way. */
  function changed(): Car[] {
    const recent = cars.slice(-60);
    const car = recent.length > 0 && draw.random() < 0.5 ? draw.pick(recent) : undefined;
    const last = car?.states.at(-1);
    if (!car || !last?.forSale) return [];
    if (draw.random() < 0.25) {
      car.states.push(requestedNow(last.facts, false));
      return [car];
    }
    if (last.facts.price === null) return [];
    const before = car.states.at(-2)?.facts.price;
    const isAway = last.facts.price === FAR;
    const mayDrop = new Set(car.states.map(({ facts }) => facts.price)).size <= DROPS;
    const mayLeave = draw.random() < 0.4 && car.states.length < MAX_STATES;
    if (!isAway && !mayLeave && !mayDrop) return [];
    const dropped = Math.floor((last.facts.price * 0.88) / 50) * 50;
    const price = isAway ? (before ?? dropped) : mayLeave ? FAR : dropped;
    car.states.push(requestedNow({ ...last.facts, price }));
    return [car];
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await lock.shared(async () => {
        const together = [...changed(), ...Array.from({ length: draw.whole(1, 4) }, listed)];
        const items = together.flatMap((car) => car.states.slice(-1).map((state) => itemOf(car, state)));
        retries += await pushUntilAccepted({ url, token }, items);
        const done = Date.now();
        for (const car of together) {
          const state = car.states.at(-1);
          if (state) state.span.done = done;
        }
      });
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  return { cars, retries: () => retries, ended: run() };
}
