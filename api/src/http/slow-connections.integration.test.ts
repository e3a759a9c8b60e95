import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { makeTestApi, setUpApi } from '../../test/make-app.ts';
import { upgradeByHand } from '../../test/raw-socket.ts';

const SECOND = 1_000;
const logIn = 'mutation { login(username: "quick", password: "secret-1") { id } }';
const api = setUpApi({}, () => makeBrowser(api.url).register('quick'));

interface Slow {
  socket: Socket;
  received(): string;
  ended: Promise<number>;
}

/** Sends the first part of a request at once, and the rest byte by byte. */
function slow(port: number, begin: string, rest: string, everyMs: number): Slow {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  if (begin !== '') socket.write(begin);
  let sent = 0;
  const dripping = setInterval(() => socket.write(rest[sent++ % rest.length] ?? ''), everyMs);
  const began = performance.now();
  const ended = new Promise<number>((resolve) => {
    socket.once('close', () => {
      clearInterval(dripping);
      resolve(performance.now() - began);
    });
  });
  return { socket, received: () => received, ended };
}

const headers = (port: number, everyMs = 100) =>
  slow(port, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'x', everyMs);
const body = (port: number, everyMs = 100) =>
  slow(
    port,
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"username":"',
    'x',
    everyMs,
  );

describe('a slow client', () => {
  const connectionBounds = { headersWithinMs: 400, requestWithinMs: 800, lookEveryMs: 100 };

  it.each([
    ['headers', headers],
    ['a body', body],
  ])('%s is disconnected, even if it leaves its side open', async (_, open) => {
    const strict = await makeTestApi({ db: api.db, connectionLimits: connectionBounds });
    const one = open(strict.port, 50);
    expect(await one.ended).toBeLessThan(2 * SECOND);
    expect(one.received()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"MALFORMED"/);
    await strict.close();
  });

  it('that sends nothing is disconnected', async () => {
    const strict = await makeTestApi({ db: api.db, connectionLimits: connectionBounds });
    const socket = connect(strict.port, '127.0.0.1');
    const began = performance.now();
    await new Promise((resolve) => socket.once('close', resolve).resume());
    expect(performance.now() - began).toBeLessThan(2 * SECOND);
    await strict.close();
  });

  it('that does not read a long response is disconnected', async () => {
    const strict = await makeTestApi({ db: api.db, connectionLimits: { silentMs: 300 } });
    const socket = connect(strict.port, '127.0.0.1');
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    // More than the buffers of the system hold.
    const ask = 'GET /assets/app-1a2b3c4d.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(4_000);
    socket.pause();
    socket.write(ask);
    await new Promise((resolve) => setTimeout(resolve, 2 * SECOND));
    socket.resume();
    await ended;
    await strict.close();
  });
});

it('the connections of a network are limited, and those of others not affected', async () => {
  const narrow = await makeTestApi({
    db: api.db,
    env: { SOCKETS_PER_NETWORK: '1' },
    connectionLimits: { requestsOfNetwork: 3 },
  });
  const open = Array.from({ length: 4 }, () => connect(narrow.port, '127.0.0.1'));
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  const began = performance.now();
  const refused = connect(narrow.port, '127.0.0.1');
  await new Promise((resolve) =>
    refused
      .once('close', resolve)
      .on('error', () => undefined)
      .resume(),
  );
  expect(performance.now() - began).toBeLessThan(SECOND);
  open.pop()?.destroy();
  await expect.poll(async () => (await fetch(`${narrow.url}/healthz`).catch(() => null))?.status).toBe(200);
  for (const socket of open) socket.destroy();
  await narrow.close();
  const proxied = await makeTestApi({
    db: api.db,
    env: { SOCKETS_PER_NETWORK: '1', TRUSTED_PROXIES: '1' },
    connectionLimits: { requestsOfNetwork: 0 },
  });
  const proxies = Array.from({ length: 3 }, () => connect(proxied.port, '127.0.0.1'));
  await Promise.all(proxies.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  expect((await fetch(`${proxied.url}/healthz`)).status).toBe(200);
  for (const socket of proxies) socket.destroy();
  await proxied.close();
});

it('beside 500 slow requests and 500 half-open sockets a login takes less than a second', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const held: Slow[] = [];
  for (let made = 0; made < 250; made += 1) held.push(headers(api.port), body(api.port));
  const sockets: Socket[] = [];
  for (let made = 0; made < 250; made += 1) {
    sockets.push(connect(api.port, '127.0.0.1').on('error', () => undefined));
    sockets.push((await upgradeByHand(api)).socket);
  }
  const times: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const began = performance.now();
    const { status, errors } = await makeBrowser(api.url).gql(logIn);
    times.push(performance.now() - began);
    expect([status, errors]).toEqual([200, []]);
  }
  expect(Math.max(...times)).toBeLessThan(SECOND);
  // Slow bytes don't keep a connection open: the headers must come within ten seconds, the body within a minute.
  const ends = await Promise.all(held.filter((_, index) => index % 2 === 0).map(({ ended }) => ended));
  expect(Math.max(...ends)).toBeLessThan(20 * SECOND);
  for (const { socket } of held) socket.destroy();
  for (const socket of sockets) socket.destroy();
});
