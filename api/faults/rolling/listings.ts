import { setTimeout as sleep } from 'node:timers/promises';
import type { PolledSources } from '../system/polled-sources.ts';
import { INGEST_TOKEN } from '../system/system.ts';
import type { Car } from '../world/draw.ts';
import { SOURCE } from '../world/pusher.ts';
import type { Caller } from './calls.ts';
import type { Market } from './market.ts';

/** One car of five is polled, the others are pushed. */
const POLLED_SHARE = 0.2;
const EVERY_MS = 400;
const PUSHERS = 2;
const MAX_AT_ONCE = 500;
const RETRY_MS = 250;

export interface Listings {
  /** Cars that were pushed and acknowledged, and cars that a polled source has shown, with the times of both. */
  cars: Car[];
  ended: Promise<void>;
}

/** Lists so many cars a second: programs that repeat each push until it is acknowledged, and two polled sources. */
export function startListings(
  caller: Caller,
  { market, sources }: { market: Market; sources: PolledSources },
  { perSecond, signal }: { perSecond: number; signal: AbortSignal },
): Listings {
  const cars: Car[] = [];
  const began = performance.now();
  const dueOf = (share: number) => Math.floor(((performance.now() - began) * perSecond * share) / 1000);
  const rest = () => sleep(EVERY_MS, undefined, { signal }).catch(() => {});

  const options = (some: readonly Car[]) =>
    ({
      method: 'POST',
      path: `/api/ingest/${SOURCE}`,
      headers: { authorization: `Bearer ${INGEST_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(some.map((car) => market.itemOf(car))),
    }) as const;
  const isWhole = (text: string) => (JSON.parse(text) as { rejected?: number }).rejected === 0;

  function acknowledge(some: readonly Car[]): void {
    const done = Date.now();
    for (const car of some) for (const { span } of car.states) span.done = done;
    cars.push(...some);
  }

  async function push(): Promise<void> {
    for (let sent = 0; !signal.aborted; await rest()) {
      const count = Math.min(MAX_AT_ONCE, dueOf((1 - POLLED_SHARE) / PUSHERS) - sent);
      if (count <= 0) continue;
      sent += count;
      const some = Array.from({ length: count }, () => market.car('car'));
      while ((await caller.call('push', options(some), isWhole)) === null) await sleep(RETRY_MS);
      acknowledge(some);
    }
  }

  async function show(): Promise<void> {
    for (let sent = 0; !signal.aborted; await rest()) {
      for (const due = dueOf(POLLED_SHARE); sent < due; sent += 1) {
        const car = market.car('polled');
        sources.add(sent, market.itemOf(car));
        acknowledge([car]);
      }
    }
  }

  const work = [...Array.from({ length: PUSHERS }, push), show()];
  return { cars, ended: Promise.all(work).then(() => {}) };
}
