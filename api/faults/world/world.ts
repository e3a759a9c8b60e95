import { setTimeout as sleep } from 'node:timers/promises';
import { makeRandom } from '../../lab/random.ts';
import { untilTrue } from '../../lab/until-true.ts';
import type { Pool } from '../../src/base/database.ts';
import { queryCopies } from '../../src/placement/shards.ts';
import { pairOf } from '../oracle/judge-matches.ts';
import type { SharedLock } from '../shared-lock.ts';
import { INGEST_TOKEN, type System } from '../system/system.ts';
import { addBrowsers, replaceBrowsersAtRandom } from './browsers.ts';
import { type Buyer, createAlert, signUp, type Target } from './buyers.ts';
import {
  actAtRandom,
  expireAtRandom,
  hideAndShowAtRandom,
  makeBuyers,
  makeDealers,
  makeExpiringBuyer,
} from './crowd.ts';
import { demoAlerts, demoCars } from './demo-cars.ts';
import { makeDraw } from './draw.ts';
import { holdAtRandom } from './hold-messages.ts';
import type { AlertLog, CarLog } from './journal.ts';
import { type Pusher, SOURCE, startPusher } from './pusher.ts';
import {
  type CursorReader,
  carOf,
  startExportReader,
  startGraphqlReader,
  startLiveReader,
  startWebhookReader,
  type WebhookReader,
} from './readers.ts';

const EVERY_MS = 400;

const WAITING = {
  name: 'faults-waiting',
  text: `select external_id as id from listings l join listings_to_match w on w.listing_id = l.id
          where source = $1 and w.is_news`,
  values: [SOURCE],
};

/**
 * Records for each acknowledged car when its search had certainly ended. On a cluster the coordinator's marks decide: another
 * server may not show a car and its mark yet that were acknowledged.
 */
async function watchSearches(
  { pool, database }: System,
  lock: SharedLock,
  cars: readonly CarLog[],
  signal: AbortSignal,
): Promise<void> {
  let searched = 0;
  const look = async () => {
    const begun = Date.now();
    const rows = database.cluster
      ? queryCopies<{ id: string }>(pool, WAITING)
      : pool.query<{ id: string }>(WAITING).then((answer) => answer.rows);
    const waiting = await rows.then((cars) => new Set(cars.map(({ id }) => id))).catch(() => null);
    if (waiting) {
      const now = Date.now();
      // Only the newest cars change.
      for (const car of cars.slice(Math.max(0, searched - 100))) {
        const state = car.states.at(-1);
        if (state && state.span.done < begun && !waiting.has(car.externalId)) state.searchedBy ??= now;
      }
      searched = cars.length;
    }
  };
  while (!signal.aborted) {
    // Pairs that are seen during the dump of a lossy restore may be lost as well.
    await lock.shared(look);
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** Records when each complete read of the demo marketplace ended. */
async function watchReads(pool: Pool, lock: SharedLock, reads: Date[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await lock.shared(async () => {
      const last = await pool
        .query<{ at: Date | null }>("select max(last_success_at) as at from sources where name = 'demo'")
        .then(({ rows }) => rows[0]?.at)
        .catch(() => null);
      if (last && last.getTime() !== reads.at(-1)?.getTime()) reads.push(last);
    });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** Reads the hidden pairs of these buyers' alerts. */
async function readHidden(pool: Pool, userIds: readonly number[]): Promise<string[]> {
  const { rows } = await pool.query<{ url: string; alertId: number }>(
    `select l.url, m.alert_id as "alertId"
       from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id and m.alert_version <> a.version
       join listings l on l.id = m.listing_id where a.user_id = any ($1)`,
    [userIds],
  );
  return rows.map(({ url, alertId }) => pairOf(carOf(url), alertId));
}

/**
 * Records for each pair of these buyers when it was last seen hidden. A page has removed the pair by then, so it must be
 * delivered again when it is shown again.
 */
async function watchHidden(
  pool: Pool,
  lock: SharedLock,
  userIds: readonly number[],
  hidden: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await lock.shared(async () => {
      const begun = Date.now();
      const pairs = await readHidden(pool, userIds).catch(() => []);
      for (const pair of pairs) hidden.set(pair, begun);
    });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

const READY_MS = 180_000;

interface WorldOptions {
  system: System;
  target: Target;
  lock: SharedLock;
  seed: number;
  small: boolean;
  /** Whether nobody changes alerts. */
  isCalm: boolean;
  /** Whether the clocks of the workers differ. */
  clocks: boolean;
}

/** The clients of LotWatch: the pusher of cars, the buyers, and the readers by cursor. */
export interface World {
  target: Target;
  buyers: Buyer[];
  dealers: Buyer[];
  readers: CursorReader[];
  webhooks: WebhookReader[];
  /** When a pair of a dealer's was last seen hidden, in milliseconds since 1970. */
  hiddenAt: Map<string, number>;
  /** The alerts of all buyers but the watcher of the demo marketplace. */
  alerts(): AlertLog[];
  cars(): CarLog[];
  watcher: Buyer | null;
  retries(): number;
  start(): Promise<void>;
  /** Ends all acts; readers by cursor continue. */
  stop(): Promise<void>;
  /** Stops the demo marketplace and waits until it is read once more. @returns its cars */
  readDemoToItsEnd(): Promise<CarLog[]>;
  stopWatching(): Promise<void>;
  /** Ends the readers by cursor. */
  close(): Promise<void>;
}

/** Makes a buyer with alerts for the demo marketplace's cars, before its first read. */
async function watchDemo(system: System, target: Target) {
  const watcher = await signUp(target, 'watcher');
  for (const asked of demoAlerts()) await createAlert(target, watcher, asked);
  const from = new Date();
  await untilTrue('the first read of the demo marketplace', READY_MS, async () => {
    const { rowCount } = await system.pool.query("select 1 from sources where first_read_done and name = 'demo'");
    return (rowCount ?? 0) > 0;
  });
  return { watcher, from, announcedFrom: new Date() };
}

async function untilReadAfter(system: System, time: Date): Promise<void> {
  await untilTrue('the last read of the demo marketplace', READY_MS, async () => {
    const { rowCount } = await system.pool.query(
      "select 1 from sources where name = 'demo' and last_success_at > $1::timestamptz + interval '16 seconds'",
      [time],
    );
    return (rowCount ?? 0) > 0;
  });
}

export async function makeWorld({ system, target, lock, seed, small, isCalm, clocks }: WorldOptions): Promise<World> {
  const draw = makeDraw(seed + 1);
  const { pushProvider } = system;
  // A worker whose clock is wrong signs what push services refuse (RFC 8292), so in a run with wrong clocks there are none.
  const withBrowsers = (buyer: Buyer) => (clocks ? Promise.resolve() : addBrowsers(target, pushProvider, buyer));
  const buyers = await makeBuyers(target, draw, small ? 3 : 6, withBrowsers);
  const dealers = await makeDealers(target, draw, small ? 1 : 2);
  const leaver = await makeExpiringBuyer(target, draw);
  const demo = small ? null : await watchDemo(system, target);
  const stopping = new AbortController();
  const atRest = new AbortController();
  const hiddenAt = new Map<string, number>();
  const reads: Date[] = [];
  let pusher: Pusher | undefined;
  let busy: Promise<unknown> = Promise.resolve();
  let watching: Promise<unknown> = Promise.resolve();
  const changeAlertsAtRandom = (signal: AbortSignal) =>
    Promise.all([
      actAtRandom(target, lock, buyers, makeDraw(seed + 3), signal),
      hideAndShowAtRandom(target, lock, dealers, makeDraw(seed + 6), signal),
      expireAtRandom(target, lock, leaver, makeDraw(seed + 7), signal),
      holdAtRandom(target, lock, buyers, makeDraw(seed + 8), signal),
    ]);
  const world: World = {
    target,
    buyers,
    dealers,
    readers: [],
    webhooks: [],
    hiddenAt,
    alerts: () => [...buyers, ...dealers, leaver].flatMap((buyer) => buyer.alerts),
    cars: () => pusher?.cars ?? [],
    watcher: demo?.watcher ?? null,
    retries: () => pusher?.retries() ?? 0,
    async start() {
      const { signal } = stopping;
      for (const dealer of dealers) {
        world.readers.push(startLiveReader(target, dealer), startGraphqlReader(target, dealer));
        world.readers.push(startExportReader(target, dealer));
        world.webhooks.push(await startWebhookReader(target, dealer, makeRandom(seed + 5)));
      }
      const { url, pool } = target;
      pusher = startPusher({ url, token: INGEST_TOKEN, draw, lock, everyMs: 300, signal });
      busy = Promise.all([
        pusher.ended,
        isCalm || changeAlertsAtRandom(signal),
        clocks || replaceBrowsersAtRandom(target, lock, pushProvider, buyers, makeDraw(seed + 10), signal),
      ]);
      const ids = dealers.map(({ id }) => id);
      watching = Promise.all([
        watchSearches(system, lock, pusher.cars, atRest.signal),
        watchReads(pool, lock, reads, atRest.signal),
        watchHidden(pool, lock, ids, hiddenAt, atRest.signal),
      ]);
    },
    async stop() {
      stopping.abort();
      for (const webhook of world.webhooks) webhook.recover();
      await busy;
    },
    async readDemoToItsEnd() {
      if (!demo) return [];
      const to = system.freezeDemo();
      await untilReadAfter(system, to);
      return demoCars(system.stream, { ...demo, to, reads });
    },
    async stopWatching() {
      atRest.abort();
      await watching;
    },
    async close() {
      stopping.abort();
      atRest.abort();
      for (const webhook of world.webhooks) webhook.stop();
      await Promise.all(world.readers.map((reader) => reader.stop()));
    },
  };
  return world;
}
