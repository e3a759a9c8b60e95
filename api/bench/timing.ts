import { Agent, request } from 'node:http';
import { Dice } from '../demo/random.ts';
import { progress } from '../lab/command-line.ts';
import { percentile } from '../lab/percentile.ts';
import { startLotWatch } from '../lab/processes.ts';
import { startThrowAway } from '../lab/throw-away.ts';
import { hashPassword } from '../src/accounts/passwords.ts';
import type { Pool } from '../src/base/database.ts';
import { type BenchOptions, type BenchResult } from './options.ts';

const REQUESTS = 1_000;
const WARM_UP = 20;
/** Below this p the times of the two kinds differ by more than chance. */
const MIN_P = 0.01;
const PASSWORD = 'the-password-of-the-bench';

interface Series {
  name: 'login' | 'reset' | 'registration';
  query: string;
  /** An operation about an account that exists or not. */
  variables(isKnown: boolean, index: number): Record<string, unknown>;
  /** Concurrent requests: where most of the time is waiting, sequential ones would take an hour. */
  concurrency: number;
}

/** The name and address of an account, all equally long. */
const account = (isKnown: boolean, index: number) => `${isKnown ? 'known' : 'ghost'}-${String(index).padStart(6, '0')}`;
const address = (isKnown: boolean, index: number) => `${account(isKnown, index)}@example.test`;

const series: readonly Series[] = [
  {
    name: 'login',
    query:
      'mutation ($username: String!, $password: String!) { login(username: $username, password: $password) { id } }',
    variables: (isKnown, index) => ({ username: account(isKnown, index), password: 'not-that-password' }),
    concurrency: 1,
  },
  {
    name: 'reset',
    query: 'mutation ($email: String!) { requestPasswordReset(email: $email) { message } }',
    variables: (isKnown, index) => ({ email: address(isKnown, index) }),
    concurrency: 4,
  },
  {
    // A taken username is reported, as the user has to choose another; whether an address has an account is not.
    name: 'registration',
    query: 'mutation ($input: RegisterInput!) { register(input: $input) { id } }',
    variables: (isKnown, index) => ({
      input: {
        username: `${isKnown ? 'first' : 'other'}-${String(index).padStart(6, '0')}`,
        password: PASSWORD,
        email: address(isKnown, index),
      },
    }),
    concurrency: 4,
  },
];

export interface Timing {
  name: string;
  /** How many requests of each kind. */
  n: number;
  knownMs: number;
  unknownMs: number;
  /** The probability that times of one kind differ as much by chance. */
  p: number;
  /** The distinct answers to both kinds, without names; a single one where they don't differ. */
  answers: string[];
}

/** Creates accounts with confirmed addresses. */
async function insertAccounts(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into users (username, email, email_confirmed_at, password_hash)
     select 'known-' || lpad(n::text, 6, '0'), 'known-' || lpad(n::text, 6, '0') || '@example.test', now(), $2
       from generate_series(0, $1 - 1) n`,
    [count, await hashPassword(PASSWORD)],
  );
  await pool.query('analyze users');
}

/** Sends each request from a network of its own, so that none is refused as too many attempts. */
function ask(agent: Agent, url: string, body: string, network: number): Promise<{ ms: number; text: string }> {
  return new Promise((resolve, fail) => {
    const started = performance.now();
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      origin: url,
      'x-forwarded-for': `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`,
    };
    const call = request(`${url}/graphql`, { agent, method: 'POST', headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.once('error', fail);
      response.once('end', () =>
        resolve({ ms: performance.now() - started, text: `${response.statusCode} ${Buffer.concat(pieces)}` }),
      );
    });
    call.once('error', fail);
    call.end(body);
  });
}

function shuffled<T>(values: readonly T[], dice: Dice): T[] {
  const all = [...values];
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = Math.floor(dice.next() * (last + 1));
    [all[last], all[other]] = [all[other] as T, all[last] as T];
  }
  return all;
}

let networks = 0;

async function timeSeries(
  url: string,
  { name, query, variables, concurrency }: Series,
  requests: number,
  seed: number,
) {
  const asked = (from: number, count: number) =>
    shuffled(
      Array.from({ length: 2 * count }, (_, n) => ({ isKnown: n % 2 === 0, index: from + (n >> 1) })),
      new Dice(seed, name.length),
    );
  const warmUp = Math.min(WARM_UP, requests);
  const queue = [...asked(requests, warmUp), ...asked(0, requests)].entries();
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const times = { known: [] as number[], unknown: [] as number[] };
  const answers = new Set<string>();
  const worker = async () => {
    for (const [at, { isKnown, index }] of queue) {
      networks += 1;
      const { ms, text } = await ask(
        agent,
        url,
        JSON.stringify({ query, variables: variables(isKnown, index) }),
        networks,
      );
      answers.add(text.replaceAll(/"id":"\d+"/g, '"id":"…"'));
      if (at >= 2 * warmUp) times[isKnown ? 'known' : 'unknown'].push(ms);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  agent.destroy();
  return { times, answers: [...answers] };
}

/** Times requests about existing and missing accounts, in random order. */
export async function timeAnswers(url: string, pool: Pool, requests: number, seed: number): Promise<Timing[]> {
  await insertAccounts(pool, requests + WARM_UP);
  const timings: Timing[] = [];
  for (const one of series) {
    const { times, answers } = await timeSeries(url, one, requests, seed);
    const timing: Timing = {
      name: one.name,
      n: requests,
      knownMs: percentile(times.known, 0.5),
      unknownMs: percentile(times.unknown, 0.5),
      p: Number(mannWhitneyP(times.known, times.unknown).toPrecision(3)),
      answers,
    };
    progress(`${timing.name}: known ${timing.knownMs} ms, unknown ${timing.unknownMs} ms, p ${timing.p}`);
    timings.push(timing);
  }
  return timings;
}

/** The share of a normal distribution that is further from its middle than z, on both sides (Numerical Recipes' erfc). */
function beyond(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  return t * Math.exp(-x * x + terms.reduceRight((sum, term) => sum * t + term, 0));
}

/**
 * The probability that two samples of one distribution differ at least as much: the two-sided p of the Mann–Whitney U test,
 * by the normal approximation with corrections for ties and continuity.
 */
export function mannWhitneyP(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))];
  all.sort((a, b) => a.value - b.value);
  const [n, m] = [one.length, other.length];
  let ranksOfOne = 0;
  let ties = 0;
  for (let start = 0; start < all.length; ) {
    let end = start + 1;
    while (end < all.length && all[end]?.value === all[start]?.value) end += 1;
    const same = end - start;
    ranksOfOne += all.slice(start, end).filter(({ isOne }) => isOne).length * ((start + 1 + end) / 2);
    ties += same ** 3 - same;
    start = end;
  }
  const u = ranksOfOne - (n * (n + 1)) / 2;
  const spread = Math.sqrt(((n * m) / 12) * (n + m + 1 - ties / ((n + m) * (n + m - 1))));
  if (!(spread > 0)) return 1;
  return Math.min(1, beyond(Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / spread));
}

/** Differences of the answers that reveal whether an account exists. */
export function leaksOf(timings: readonly Timing[]): string[] {
  return timings.flatMap(({ name, p, answers }) => [
    ...(p > MIN_P ? [] : [`${name}: the time reveals who has an account, p ${p}, not above ${MIN_P}`]),
    ...(answers.length === 1 ? [] : [`${name}: ${answers.length} different answers`]),
  ]);
}

/** Tests whether the time of an answer reveals who has an account. @param options `requests` is how many of each kind */
export async function benchTiming({ requests = REQUESTS, seed }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  await using parts = await startLotWatch(db, {
    // As in production; the worker sends the mails meanwhile.
    env: { TRUSTED_PROXIES: '1', CONFIRM_EMAIL: 'on' },
  });
  const timings = await timeAnswers(parts.url, db.pool, requests, seed);
  return { line: { bench: 'timing', timings, minP: MIN_P }, missed: leaksOf(timings) };
}
