import { Agent, request } from 'node:http';
import { progress } from '../lab/command-line.ts';
import { startLotWatch } from '../lab/processes.ts';
import { startThrowAway } from '../lab/throw-away.ts';
import { type BenchResult } from './options.ts';

const REQUESTS = 3_000;
const WARM_UP = 300;
/** As many users that none of them reaches the default limit. */
const USERS = 100;
/** The most time of a counted request, as a multiple of an uncounted one. */
const MAX_RATIO = 1.05;
/** The share of the slowest and the fastest requests that are left out as noise. */
const CUT = 0.1;

type Headers = Record<string, string>;

interface Case {
  name: string;
  path: string;
  headersOf(request: number): Headers;
}

/** @returns the milliseconds that it took */
function ask(agent: Agent, url: string, headers: Headers): Promise<number> {
  return new Promise((resolve, fail) => {
    const started = performance.now();
    const call = request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) fail(new Error(`answered ${response.statusCode}`));
      response.resume();
      response.once('end', () => resolve(performance.now() - started));
    });
    call.once('error', fail);
    call.end();
  });
}

function middleMean(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor(CUT * sorted.length), Math.ceil((1 - CUT) * sorted.length));
  return middle.reduce((sum, ms) => sum + ms, 0) / middle.length;
}

/** Sends requests one after another, alternately to the api that counts and to the one that doesn't. */
async function compare(urls: { on: string; off: string }, { name, path, headersOf }: Case) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = { on: [] as number[], off: [] as number[] };
  for (let index = 0; index < REQUESTS + WARM_UP; index += 1) {
    const order = index % 2 ? (['on', 'off'] as const) : (['off', 'on'] as const);
    for (const which of order) {
      const ms = await ask(agent, urls[which] + path, headersOf(index));
      if (index >= WARM_UP) times[which].push(ms);
    }
  }
  agent.destroy();
  const [onMs, offMs] = [middleMean(times.on), middleMean(times.off)];
  const result = { name, onMs: Number(onMs.toFixed(3)), offMs: Number(offMs.toFixed(3)) };
  progress(`${name}: ${result.onMs} ms counted, ${result.offMs} ms not counted`);
  return { ...result, ratio: Number((onMs / offMs).toFixed(3)) };
}

/** Measures the cost of counting requests, for the smallest calls of the API. */
export async function benchLimits(): Promise<BenchResult> {
  await using db = await startThrowAway();
  const start = (limits: 'on' | 'off') => startLotWatch(db, { env: { TRUSTED_PROXIES: '1', RATE_LIMITS: limits } });
  const [on, off] = [await start('on'), await start('off')];
  try {
    const urls = { on: on.url, off: off.url };
    const cookies: string[] = [];
    for (let user = 0; user < USERS; user += 1) {
      const answer = await fetch(`${off.url}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: `user-${user}`, password: 'secret-1', email: `user-${user}@example.test` }),
      });
      cookies.push(answer.headers.getSetCookie()[0]?.split(';')[0] ?? '');
    }
    const users = await compare(urls, {
      name: 'users',
      path: '/api/user',
      headersOf: (index) => ({ cookie: cookies[index % USERS] ?? '' }),
    });
    // A single request does not use up a chunk of the count, so each one needs an extra statement.
    const strangers = await compare(urls, {
      name: 'strangers',
      path: '/api/subscription/plans',
      headersOf: (index) => ({ 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` }),
    });
    const missed = users.ratio > MAX_RATIO ? [`${users.ratio} of an uncounted request's time, above ${MAX_RATIO}`] : [];
    return { line: { bench: 'limits', requests: REQUESTS, users, strangers }, missed };
  } finally {
    await on.stop();
    await off.stop();
  }
}
