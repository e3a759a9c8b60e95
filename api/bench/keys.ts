import { Agent, request } from 'node:http';
import { progress } from '../lab/command-line.ts';
import { percentile } from '../lab/percentile.ts';
import { startLotWatch } from '../lab/processes.ts';
import { startThrowAway } from '../lab/throw-away.ts';
import { generateApiKey } from '../src/domain/api-key.ts';
import { type BenchOptions, type BenchResult } from './options.ts';

const ROUNDS = 5;
const CONCURRENCY = 16;
/** The least share of the rate of a session: concurrent requests are counted together, a single one waits for its count. */
const MIN_RATIOS = { together: 0.75, alone: 0.5 };

type Headers = Record<string, string>;

/** Measures how many requests of one account are answered a second. */
async function load(url: string, headers: Headers, concurrency: number, forMs: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const times: number[] = [];
  const end = performance.now() + forMs;
  const one = () =>
    new Promise<void>((resolve, fail) => {
      const started = performance.now();
      const call = request(`${url}/api/user`, { agent, headers }, (response) => {
        if (response.statusCode !== 200) fail(new Error(`answered ${response.statusCode}`));
        response.resume();
        response.once('end', () => {
          times.push(performance.now() - started);
          resolve();
        });
      });
      call.once('error', fail);
      call.end();
    });
  const worker = async () => {
    while (performance.now() < end) await one();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  agent.destroy();
  return { perSecond: times.length / (forMs / 1000), p50Ms: percentile(times, 0.5) };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Compares one call with a key and with a session's cookie, alternately: the cost of finding, checking and counting a key. */
async function compare(url: string, cookie: Headers, key: Headers, concurrency: number, forMs: number) {
  const rates = { session: [] as number[], key: [] as number[] };
  const times = { session: [] as number[], key: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [who, headers] of [
      ['session', cookie],
      ['key', key],
    ] as const) {
      const { perSecond, p50Ms } = await load(url, headers, concurrency, forMs);
      progress(`${concurrency} at once, ${who}: ${Math.round(perSecond)} requests/s, p50 ${p50Ms} ms`);
      if (round === 0) continue;
      rates[who].push(perSecond);
      times[who].push(p50Ms);
    }
  }
  return {
    concurrency,
    requestsPerSecond: Math.round(median(rates.key)),
    p50Ms: median(times.key),
    session: { requestsPerSecond: Math.round(median(rates.session)), p50Ms: median(times.session) },
    ratio: Number((median(rates.key) / median(rates.session)).toFixed(2)),
  };
}

/** Measures the cost of a key: the smallest call of the API, of one account, with a key and with a cookie. */
export async function benchKeys({ seconds = 2 }: BenchOptions): Promise<BenchResult> {
  await using db = await startThrowAway();
  const unlimited = String(1_000_000_000);
  await using parts = await startLotWatch(db, {
    env: { RATE_REQUESTS_PER_USER: unlimited, RATE_KEY_REQUESTS_PER_HOUR: unlimited },
  });
  const answer = await fetch(`${parts.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'dealer', password: 'secret-1', email: 'dealer@example.test' }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { id } = (await answer.json()) as { id: number };
  await db.pool.query('update users set plan_id = 4 where id = $1', [id]);
  const { text, prefix, hash } = generateApiKey(Buffer.alloc(32, 5));
  await db.pool.query(
    "insert into api_keys (user_id, name, prefix, secret_hash, scopes) values ($1, 'bench', $2, $3, '{read,write}')",
    [id, prefix, hash],
  );
  await db.pool.query('insert into api_allowances (user_id) values ($1)', [id]);
  const key = { authorization: `Bearer ${text}` };
  const many = await compare(parts.url, { cookie }, key, CONCURRENCY, seconds * 1000);
  const alone = await compare(parts.url, { cookie }, key, 1, seconds * 1000);
  const missed = [
    { ...many, least: MIN_RATIOS.together },
    { ...alone, least: MIN_RATIOS.alone },
  ]
    .filter(({ ratio, least }) => ratio < least)
    .map(
      ({ ratio, least, concurrency }) => `${ratio} of a session's requests with ${concurrency} at once, below ${least}`,
    );
  return { line: { bench: 'keys', ...many, alone }, missed };
}
