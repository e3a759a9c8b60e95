import { loadavg } from 'node:os';
import { progress } from '../../lab/command-line.ts';
import { untilTrue } from '../../lab/until-true.ts';
import { readPendingWork } from '../oracle/pending-work.ts';
import { readMails, readMatches } from '../oracle/read-rows.ts';
import { writeJournals } from '../report-faults.ts';
import { journalsIn, type RunResult, waitUntilIdle } from '../run-faults.ts';
import { type Caller, makeCaller } from './calls.ts';
import { runEvents } from './events.ts';
import { judgeCalls, judgeCars, judgeRecovery } from './judge-rolling.ts';
import { startListings } from './listings.ts';
import { makeMarket } from './market.ts';
import { makePeople, type Person } from './people.ts';
import { startRequests } from './requests.ts';
import { prepareScene, type Scene, SECRET } from './scene.ts';
import { openSockets } from './sockets.ts';

export interface RollingOptions {
  minutes: number;
  seed: number;
  small: boolean;
  /** Requests a second, where the usual ones are too many for the machine. */
  requests?: number;
  /** Whether statements go through PgBouncer. */
  pooler: boolean;
  /** The coordinator of a cluster that is used instead of a server of this run. */
  cluster?: string | undefined;
  folder: string;
}

/** What comes at the same time; per second, where it is a rate. */
interface Load {
  requests: number;
  sockets: number;
  listings: number;
  alerts: number;
}

const FULL: Load = { requests: 200, sockets: 1_000, listings: 100, alerts: 10_000 };
const SMALL: Load = { requests: 20, sockets: 50, listings: 10, alerts: 500 };
const RECOVERY_MS = 30_000;
const REST_MS = 180_000;

async function readCursor(caller: Caller, { cookie }: Person): Promise<string> {
  const body = JSON.stringify({ query: '{ matches(first: 1) { liveCursor } }' });
  const headers = { cookie, 'content-type': 'application/json' };
  const text = await caller.call('query', { method: 'POST', path: '/graphql', headers, body });
  const cursor = /"liveCursor":"([^"]+)"/.exec(text ?? '')?.[1];
  if (cursor === undefined) throw new Error(`LotWatch does not work: ${caller.results.at(-1)?.fault}`);
  return cursor;
}

/** Waits until the first reads of the polled sources are over, whose cars would be announced to nobody. */
const untilSourcesRead = ({ pool }: Scene) =>
  untilTrue('the first read of the polled sources', 60_000, async () => {
    const { rowCount } = await pool.query("select from sources where first_read_done and name like 'lot-%'");
    return rowCount === 2;
  });

async function perform(scene: Scene, load: Load, options: RollingOptions): Promise<RunResult> {
  const { minutes, seed, small, folder } = options;
  const market = makeMarket(load.alerts, seed);
  const people = await makePeople(scene, market.alerts, SECRET);
  await scene.start();
  await untilSourcesRead(scene);
  const caller = makeCaller(scene.url);
  const [first] = people;
  if (!first) throw new Error('there is nobody');
  const followers = people.slice(0, load.sockets);
  const sockets = await openSockets(scene.url, followers, (person) => readCursor(caller, person));
  progress(`everything is ready, behind ${scene.proxy.name}`);

  const began = Date.now();
  const stopping = new AbortController();
  const { signal } = stopping;
  const requests = startRequests(caller, people, { perSecond: load.requests, seed: seed + 1, signal });
  const listings = startListings(caller, { market, sources: scene.sources }, { perSecond: load.listings, signal });
  const loads: number[] = [];
  const measuring = setInterval(() => loads.push(loadavg()[0] ?? 0), 5_000);
  const asked = { cookie: first.cookie };
  const { events, outages: windows, troubles, shutdownsMs } = await runEvents(scene, { minutes, small, asked });
  const seconds = (Date.now() - began) / 1000;
  stopping.abort();
  progress('the events are over');
  await Promise.all([requests.ended, listings.ended]);
  clearInterval(measuring);
  progress('waiting for the pending work');
  const pendingWork = await waitUntilIdle(() => readPendingWork(scene.pool), REST_MS);
  const { rows } = await readMatches(scene.pool);
  await untilTrue('the last match at its page', 30_000, async () => sockets.deliveries.size >= rows.length).catch(
    (error: Error) => progress(error.message),
  );
  sockets.close();
  caller.close();

  const lives = [...scene.apis, ...scene.workers].flatMap((node) => node.lives);
  const { outages } = scene.database;
  const calls = judgeCalls(caller.results, windows);
  const pairs = judgeCars({
    ...{ alerts: market.alerts, cars: listings.cars, rows, deliveries: sockets.deliveries },
    ...{ mails: await readMails(scene.pool), accepted: scene.provider.accepted, lives, outages, troubles, losses: [] },
  });
  const recoveries = judgeRecovery(events, { ...pairs, deliveries: sockets.deliveries });
  const { rows: made } = await scene.pool.query<{ n: number }>(
    "select count(*)::int as n from alerts where make = 'kia'",
  );
  const alertsMade = made[0]?.n ?? 0;
  const ended = lives.filter(({ how, stoppedAt }) => how !== undefined && stoppedAt === undefined);
  const hard = lives.filter(({ how, stoppedAt }) => stoppedAt !== undefined && how !== 'exit 0');
  const { mails } = pairs;
  const faults = [
    ...(pendingWork === '' ? [] : [`still pending: ${pendingWork}`]),
    ...calls.failed.map(({ kind, begun, ended: at, fault }) => {
      const when = events.findLast(({ from }) => from <= at)?.what ?? 'the start';
      return `failed: ${kind} after ${when}, ${new Date(begun).toISOString()}, ${at - begun} ms: ${fault}`;
    }),
    ...pairs.missing.map((pair) => `missing: ${pair}`),
    ...pairs.extra.map((pair) => `extra: ${pair}`),
    ...pairs.doubled.map((pair) => `doubled: ${pair}`),
    ...pairs.lost.map((pair) => `lost: ${pair} at its page`),
    ...pairs.twice.map((pair) => `doubled live: ${pair}`),
    ...sockets.strangers.map((one) => `stranger: ${one}`),
    ...mails.lost.map((one) => `mail lost: ${one}`),
    ...mails.doubled.map((one) => `mail doubled: ${one}`),
    ...mails.wrong.map((one) => `mail wrong: ${one}`),
    ...recoveries
      .filter(({ recoveryMs }) => !(recoveryMs <= RECOVERY_MS))
      .map(({ what, recoveryMs }) => `no recovery from ${what} within ${RECOVERY_MS} ms: ${recoveryMs}`),
    ...ended.map(({ part, how }) => `ended: ${part} by itself with ${how}`),
    ...hard.map(({ part, how }) => `ended: ${part} did not shut down in time: ${how}`),
    ...(alertsMade === requests.created.size
      ? []
      : [`created: ${alertsMade} alerts, of ${requests.created.size} calls`]),
    ...(requests.notSent() === 0 ? [] : [`not sent: ${requests.notSent()} requests, as too many were under way`]),
  ];
  writeJournals(journalsIn(folder), {
    calls: caller.results.filter(({ fault }) => fault !== null),
    ...{ events, windows, lives, explained: mails.explained, refusals: sockets.refusals },
  });
  const sum = (list: readonly number[]) => list.reduce((one, other) => one + other, 0);
  const line = {
    ...{ faults: true, rolling: true, minutes, seed, proxy: scene.proxy.name, pooler: scene.pooler },
    asked: load,
    requestsPerSecond: Math.round(caller.results.filter(({ kind }) => kind !== 'push').length / seconds),
    listingsPerSecond: Math.round(listings.cars.length / seconds),
    requests: calls.kinds,
    ...{ failed: calls.failed.length, failedInOutages: calls.failedInOutages, notSent: requests.notSent() },
    outagesMs: windows.map(({ from, to }) => to - from),
    sockets: {
      open: sockets.opened(),
      reconnected: sockets.reconnected.size,
      reconnects: sockets.reconnects(),
      refused: sockets.refusals.length,
    },
    ...{ listings: listings.cars.length, expected: pairs.expected.size },
    ...{ missing: pairs.missing.length, extra: pairs.extra.length, doubled: pairs.doubled.length },
    ...{ lostLive: pairs.lost.length, doubledLive: pairs.twice.length },
    ...{ mailsExpected: mails.expected, mailsLost: mails.lost.length, mailsDoubled: mails.doubled.length },
    ...{ mailsExplained: mails.explained.length, alertsMade },
    recoveryMaxMs: Math.max(...recoveries.map(({ recoveryMs }) => recoveryMs)),
    shutdownMaxMs: Math.max(...shutdownsMs),
    events: recoveries,
    loadAverage: Math.round((sum(loads) / Math.max(1, loads.length)) * 10) / 10,
    seconds: Math.round(seconds),
  };
  return { line, faults };
}

/**
 * Runs a mixed load on two apis and two workers behind a proxy, while processes are restarted, upgraded and paused and the
 * database is killed, and judges every request and every match.
 */
export async function runRolling(options: RollingOptions): Promise<RunResult> {
  const scene = await prepareScene(options.folder, options.pooler, options.cluster);
  try {
    const { small, requests } = options;
    const load = small ? SMALL : FULL;
    return await perform(scene, { ...load, requests: requests ?? load.requests }, options);
  } finally {
    await scene.stop();
  }
}
