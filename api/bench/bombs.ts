import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { progress } from '../lab/command-line.ts';
import { percentile } from '../lab/percentile.ts';
import { startLotWatch } from '../lab/processes.ts';
import { startThrowAway } from '../lab/throw-away.ts';
import { bodyBombs, documentBombs, jsonBombs } from '../test/hostile/bombs.ts';
import { type BenchResult } from './options.ts';

const TIMES = 15;
/** The longest time to refuse one, in milliseconds. */
const MAX_MS = 50;
/** A WebSocket message may have 64 kB, an HTTP body 200 kB; the bombs stay below. */
const [SOCKET_BYTES, HTTP_BYTES] = [45_000, 170_000];
const PLAIN = JSON.stringify({ query: '{ me { id } }' });

interface Took {
  name: string;
  p50Ms: number;
}

/** Sends one after another, each after the answer to the previous one. Returns the median of the times. */
async function medianMs(ask: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < TIMES + 2; index += 1) {
    const started = performance.now();
    await ask();
    if (index >= 2) times.push(performance.now() - started);
  }
  return Number(percentile(times, 0.5).toFixed(2));
}

/** A socket whose operations are answered one by one; it is opened again when an operation has closed it. */
function makeAsker(url: string, headers: Record<string, string>) {
  let current: WebSocket | undefined;
  async function opened(): Promise<WebSocket> {
    if (current?.readyState === WebSocket.OPEN) return current;
    const fresh = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
    fresh.on('error', () => undefined);
    await new Promise((resolve) => fresh.once('open', resolve));
    const known = new Promise((resolve) => fresh.once('message', resolve));
    fresh.send('{"type":"connection_init"}');
    await known;
    current = fresh;
    return fresh;
  }
  let id = 0;
  return {
    ready: opened,
    async ask(payload: string): Promise<void> {
      const socket = await opened();
      id += 1;
      const done = new Promise<void>((resolve) => {
        const end = () => {
          socket.off('message', end).off('close', end);
          resolve();
        };
        socket.on('message', end).on('close', end);
      });
      socket.send(`{"id": "${id}", "type": "subscribe", "payload": ${payload}}`);
      await done;
      // Completion is a separate message.
      await sleep(1);
    },
    close: () => current?.terminate(),
  };
}

/** How long it takes to refuse expensive operations, compared with the smallest one that is answered. */
export async function benchBombs(): Promise<BenchResult> {
  await using db = await startThrowAway();
  await using parts = await startLotWatch(db, { env: { RATE_LIMITS: 'off' } });
  const json = { 'content-type': 'application/json' };
  const made = await fetch(`${parts.url}/api/register`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username: 'bomber', password: 'secret-1', email: 'bomber@example.test' }),
  });
  const headers = { ...json, origin: parts.url, cookie: made.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const post = (path: string, body: string) => async () => {
    await (await fetch(parts.url + path, { method: 'POST', headers, body })).text();
  };
  const asker = makeAsker(parts.url, headers);
  const plain = { http: await medianMs(post('/graphql', PLAIN)), socket: await medianMs(() => asker.ask(PLAIN)) };
  const took = { http: [] as Took[], socket: [] as Took[] };
  const note = (transport: 'http' | 'socket', name: string, p50Ms: number) => {
    took[transport].push({ name, p50Ms });
    if (p50Ms > MAX_MS) progress(`${transport}: ${name} takes ${p50Ms} ms`);
  };
  const asBodies = (bombs: Readonly<Record<string, string>>) =>
    Object.entries(bombs).map(([name, query]) => [name, JSON.stringify({ query })] as const);
  for (const [name, body] of [...asBodies(documentBombs(HTTP_BYTES)), ...Object.entries(bodyBombs(HTTP_BYTES))]) {
    note('http', name, await medianMs(post('/graphql', body)));
  }
  for (const [name, body] of Object.entries(jsonBombs)) {
    for (const path of ['/graphql', '/api/alerts'])
      note('http', `${name} to ${path}`, await medianMs(post(path, body)));
  }
  for (const [name, body] of [...asBodies(documentBombs(SOCKET_BYTES)), ...Object.entries(bodyBombs(SOCKET_BYTES))]) {
    await asker.ready();
    note('socket', name, await medianMs(() => asker.ask(body)));
  }
  asker.close();
  const summed = (transport: 'http' | 'socket') => {
    const slowest = took[transport].toSorted((a, b) => b.p50Ms - a.p50Ms).slice(0, 3);
    const worst = slowest[0]?.p50Ms ?? 0;
    const ratio = Number((worst / plain[transport]).toFixed(1));
    return { bombs: took[transport].length, plainMs: plain[transport], worstMs: worst, ratio, slowest };
  };
  const [http, socket] = [summed('http'), summed('socket')];
  const missed = [http, socket].flatMap(({ worstMs, slowest }) =>
    worstMs > MAX_MS ? [`${slowest[0]?.name} takes ${worstMs} ms, above ${MAX_MS}`] : [],
  );
  return { line: { bench: 'bombs', http, socket }, missed };
}
