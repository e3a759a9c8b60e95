import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../../demo/random.ts';
import { progress } from '../../lab/command-line.ts';
import {
  forkChild,
  INGEST_TOKEN,
  type LotWatchProcesses,
  memoryMb,
  SESSION_SECRET,
  startLotWatch,
} from '../../lab/processes.ts';
import { startThrowAway } from '../../lab/throw-away.ts';
import type { BenchOptions, BenchResult } from '../options.ts';
import type { Send } from './bare-server.ts';
import { type Group, ID_PREFIX, itemForAll, itemForGroup, makeGroups } from './cars.ts';
import { latenciesOf, median, type Outcome, type Pushed, percentilesOf, rounded, tally } from './figures.ts';
import { type Clients, now, startClients } from './processes.ts';
import { makeSubscribers, webOperation } from './subscribers.ts';

const RETRY_DELAY_MS = 50;

/** Pushes one car to a server: for a group of subscribers, or without a group for all. */
type Push = (carNumber: number, group: Group | null) => Promise<void>;

/** Pushes through the product's intake, one item a request. */
function pushToIntake(url: string, token: string): Push {
  return async (carNumber, group) => {
    const body = JSON.stringify([group ? itemForGroup(carNumber, group) : itemForAll(carNumber)]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (;;) {
      const answer = await fetch(`${url}/api/ingest/bench`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (answer.status === 200 && text.includes('"accepted":1')) return;
      // Too many pushes are under way. The wait counts, since the time of the first attempt is the start.
      if (answer.status !== 503) throw new Error(`a car was not accepted: ${text}`);
      await sleep(RETRY_DELAY_MS);
    }
  };
}

/** Pushes to the bare server: a message of the product, with the car's number. @param sample a message of the product */
function pushToBare(url: string, sample: string): Push {
  return async (carNumber, group) => {
    const numbered = sample.replaceAll(new RegExp(`${ID_PREFIX}\\d+`, 'g'), `${ID_PREFIX}${carNumber}`);
    const { payload } = JSON.parse(numbered) as { payload: { data: Send['data'] } };
    const send: Send = { data: payload.data, to: group ? group.members : null };
    await (await fetch(url, { method: 'POST', body: JSON.stringify(send) })).text();
  };
}

const LISTINGS_PER_SECOND = 20;
const TIMEOUT_MS = 30_000;

interface Run {
  seed: number;
  seconds: number;
  subscribers: number;
  groups: readonly Group[];
  clients: Clients;
  /** The number of the next car. */
  carNumber: number;
}

/** One of the two servers: how a car is pushed to it, and its sockets. */
interface Side {
  set: 'real' | 'bare';
  push: Push;
}

interface Times {
  answeredMs: number;
  firstMs: number;
  lastMs: number;
}

const pairsOf = (pushed: ReadonlyMap<number, Pushed>) =>
  [...pushed.values()].reduce((sum, { to }) => sum + to.length, 0);

/** Pushes cars for a group each, as a Poisson process of 20 a second, whether or not the previous ones were delivered. */
async function steady(run: Run, { set, push }: Side, seconds: number): Promise<Outcome> {
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
    const carNumber = run.carNumber++;
    pushed.set(carNumber, { receivedAt: now(), to: group.members });
    pushing.push(push(carNumber, group));
  }
  await Promise.all(pushing);
  const { delivered } = await run.clients.take({ set, count: pairsOf(pushed), timeoutMs: TIMEOUT_MS });
  return { pushed, delivered };
}

/** Pushes one car for all, and measures the times of the answer and of the first and last delivery. */
async function toAll(run: Run, { set, push }: Side): Promise<Outcome & Times> {
  const carNumber = run.carNumber++;
  const everyone = run.groups.flatMap(({ members }) => members);
  const receivedAt = now();
  const waiting = run.clients.take({ set, count: everyone.length, timeoutMs: TIMEOUT_MS });
  const pushing = push(carNumber, null).then(now);
  const [{ delivered }, answeredAt] = await Promise.all([waiting, pushing]);
  const times = delivered.map(({ at }) => at - receivedAt);
  return {
    pushed: new Map([[carNumber, { receivedAt, to: everyone }]]),
    delivered,
    answeredMs: answeredAt - receivedAt,
    firstMs: Math.min(...times),
    lastMs: Math.max(...times),
  };
}

const SUBSCRIBERS = 1_000;
const SECONDS = 30;
const BARE_SECONDS = 5;
/** The first round of either is a warm-up. */
const ROUNDS = 8;
const CALM_MS = 500;
const BOUNDS = { p50Ms: 50, p95Ms: 250, ratio: 2 };

const socketsOf = (url: string) => `${url.replace('http:', 'ws:')}/graphql`;

async function openReal(run: Run, { url }: LotWatchProcesses, cookies: string[]): Promise<void> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookies[0] ?? '' },
    body: JSON.stringify({ query: '{ matches(first: 1) { liveCursor } }' }),
  });
  const { data } = (await answer.json()) as { data: { matches: { liveCursor: string } } };
  const after = data.matches.liveCursor;
  const query = webOperation('MatchAdded');
  const began = performance.now();
  await run.clients.open({ set: 'real', url: socketsOf(url), origin: url, cookies, query, after });
  progress(`${run.subscribers} sockets are open after ${Math.round(performance.now() - began)} ms`);
}

async function openBare(run: Run, url: string): Promise<void> {
  const cookies = Array.from({ length: run.subscribers }, () => '');
  const query = webOperation('MatchAdded');
  await run.clients.open({ set: 'bare', url: socketsOf(url), origin: url, cookies, query, after: null });
  while (Number(await (await fetch(url)).text()) < run.subscribers) await sleep(50);
}

const inWords = ({ answeredMs, firstMs, lastMs }: Times): string =>
  `answered ${Math.round(answeredMs)}, first ${Math.round(firstMs)}, last ${Math.round(lastMs)} ms`;

/** Alternates between the two, so that noise of the machine affects both. */
async function fanOut(run: Run, real: Side, bare: Side, rounds: number) {
  const outcomes: Outcome[] = [];
  const [realMs, bareMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const [ours, theirs] = [await toAll(run, real), await toAll(run, bare)];
    outcomes.push(ours);
    progress(`one car for all: ${inWords(ours)}; bare ${inWords(theirs)}`);
    if (round > 0) {
      realMs.push(ours.lastMs);
      bareMs.push(theirs.lastMs);
    }
    await sleep(CALM_MS);
  }
  const [lastMs, bareLastMs] = [median(realMs), median(bareMs)];
  const line = { rounds: realMs.length, lastMs: rounded(lastMs), bareLastMs: rounded(bareLastMs) };
  return { line: { ...line, ratio: Math.round((lastMs / bareLastMs) * 100) / 100 }, outcomes };
}

async function measure(run: Run, parts: LotWatchProcesses, cookies: string[], rounds: number): Promise<BenchResult> {
  const real: Side = { set: 'real', push: pushToIntake(parts.url, INGEST_TOKEN) };
  const memoryMbs = [memoryMb(parts.apiPid)];
  await openReal(run, parts, cookies);
  memoryMbs.push(memoryMb(parts.apiPid));
  const outcomes: Outcome[] = [await toAll(run, real)];
  const loaded = await steady(run, real, run.seconds);
  outcomes.push(loaded);
  const figures = percentilesOf(latenciesOf(loaded));
  progress(`${loaded.pushed.size} listings, ${loaded.delivered.length} delivered: ${JSON.stringify(figures)}`);

  await using bareServer = await forkChild(new URL('./bare-server.ts', import.meta.url));
  const bare: Side = { set: 'bare', push: pushToBare(bareServer.hello, (await run.clients.report()).sample) };
  await openBare(run, bareServer.hello);
  const bareFigures = percentilesOf(latenciesOf(await steady(run, bare, Math.min(BARE_SECONDS, run.seconds))));
  const fan = await fanOut(run, real, bare, rounds);
  outcomes.push(...fan.outcomes);
  memoryMbs.push(memoryMb(parts.apiPid));
  const { missed, doubled, strangers } = tally(outcomes);
  const { restarts } = await run.clients.report();
  const [startMb, openMb, endMb] = memoryMbs;
  return {
    line: {
      bench: 'live',
      subscribers: run.subscribers,
      listings: loaded.pushed.size,
      delivered: loaded.delivered.length,
      ...figures,
      missed,
      doubled,
      strangers,
      restarts,
      bare: bareFigures,
      fanOut: fan.line,
      apiMemoryMb: { start: startMb, socketsOpen: openMb, end: endMb },
    },
    missed: [
      ...(figures.p50Ms > BOUNDS.p50Ms ? [`p50 is ${figures.p50Ms} ms, not ${BOUNDS.p50Ms}`] : []),
      ...(figures.p95Ms > BOUNDS.p95Ms ? [`p95 is ${figures.p95Ms} ms, not ${BOUNDS.p95Ms}`] : []),
      ...(fan.line.ratio > BOUNDS.ratio ? [`a car for all takes ${fan.line.ratio} × the bare server's time`] : []),
      ...(missed + doubled + strangers > 0 ? [`${missed} missed, ${doubled} doubled, ${strangers} strangers`] : []),
    ],
  };
}

/**
 * Measures from the push of a listing to its subscribers' sockets, with api and worker as processes, and every subscriber a
 * user with a session, an alert and the web client's query. Then one listing for all, compared with bare graphql-ws.
 */
export async function benchLive(options: BenchOptions, rounds = ROUNDS): Promise<BenchResult> {
  const { seed, subscribers = SUBSCRIBERS, seconds = SECONDS } = options;
  await using db = await startThrowAway();
  const groups = makeGroups(subscribers);
  const cookies = await makeSubscribers(db, groups, subscribers, SESSION_SECRET);
  await using parts = await startLotWatch(db);
  await using clients = await startClients();
  const run: Run = { seed, seconds, subscribers, groups, clients, carNumber: 1 };
  return await measure(run, parts, cookies, rounds);
}
