import { setTimeout as sleep } from 'node:timers/promises';
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
import { type BenchOptions, type BenchResult } from '../options.ts';
import { makeGroups } from './cars.ts';
import { latenciesOf, median, type Outcome, percentilesOf, rounded, tally } from './figures.ts';
import { startClients } from './processes.ts';
import { type Moments, pushToBare, pushToIntake, type Run, type Side, steady, toAll } from './stages.ts';
import { makeSubscribers, webOperation } from './subscribers.ts';

const SUBSCRIBERS = 1_000;
const SECONDS = 30;
const BARE_SECONDS = 5;
/** The first of either is not measured: it warms. */
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

const inWords = ({ answeredMs, firstMs, lastMs }: Moments): string =>
  `answered ${Math.round(answeredMs)}, first ${Math.round(firstMs)}, last ${Math.round(lastMs)} ms`;

/** In turns, so that a noisy moment of the machine meets both. */
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
  progress(`${loaded.pushed.size} listings, ${loaded.told.length} told: ${JSON.stringify(figures)}`);

  await using bareServer = await forkChild(new URL('./bare-server.ts', import.meta.url));
  const bare: Side = { set: 'bare', push: pushToBare(bareServer.hello, (await run.clients.look()).sample) };
  await openBare(run, bareServer.hello);
  const bareFigures = percentilesOf(latenciesOf(await steady(run, bare, Math.min(BARE_SECONDS, run.seconds))));
  const fan = await fanOut(run, real, bare, rounds);
  outcomes.push(...fan.outcomes);
  memoryMbs.push(memoryMb(parts.apiPid));
  const { missed, doubled, strangers } = tally(outcomes);
  const { begunAgain } = await run.clients.look();
  const [startMb, openMb, endMb] = memoryMbs;
  return {
    line: {
      bench: 'live',
      subscribers: run.subscribers,
      listings: loaded.pushed.size,
      told: loaded.told.length,
      ...figures,
      missed,
      doubled,
      strangers,
      begunAgain,
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
 * From the push of a listing to its subscribers' sockets: api and worker as processes, every subscriber a user with a
 * session and an alert, asking for what the web client asks for. Then one listing for all, against bare graphql-ws.
 */
export async function benchLive(options: BenchOptions, rounds = ROUNDS): Promise<BenchResult> {
  const { seed, subscribers = SUBSCRIBERS, seconds = SECONDS } = options;
  await using db = await startThrowAway();
  const groups = makeGroups(subscribers);
  const cookies = await makeSubscribers(db, groups, subscribers, SESSION_SECRET);
  await using parts = await startLotWatch(db);
  await using clients = await startClients();
  const run: Run = { seed, seconds, subscribers, groups, clients, mark: 1 };
  return await measure(run, parts, cookies, rounds);
}
