import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { makeTestApi } from '../../test/make-app.ts';
import { holdBody, rawSocket } from '../../test/raw-socket.ts';
import { freePort } from '../base/free-port.ts';

const ready = async (url: string) => {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.json()];
};

/** Whether nobody listens. */
const isRefused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });

it('an api that drains sends its sockets elsewhere, answers what comes meanwhile, and ends what has begun', async () => {
  const api = await makeTestApi({ env: { DRAIN_SECONDS: '1' } });
  expect(await (await fetch(`${api.url}/readyz`)).json()).toEqual({ status: 'ok' });
  const { browser } = await api.user('waiting');
  const { socket, seen } = await rawSocket(api, browser.cookie);
  const begun = holdBody(api.port, {}, JSON.stringify({ query: '{ me { id } }' }));
  const drained = api.drain();
  expect(await ready(api.url)).toEqual([503, { status: 'draining' }]);
  expect((await fetch(`${api.url}/livez`)).status).toBe(200);
  const answer = await fetch(`${api.url}/terms`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('connection')).toBe('close');
  expect(seen.ended).toBe(false);
  await drained;
  await expect.poll(() => seen.received.includes('Restarting')).toBe(true);
  socket.destroy();
  const closed = api.close();
  await expect.poll(() => isRefused(api.port)).toBe(true);
  begun.finish();
  expect(await begun.answered).toMatch(/^HTTP\/1\.1 200 .*{"data":{"me":null}}/s);
  await closed;
});

it('an api without sockets drains as long as one with many, as proxies take their time', async () => {
  const api = await makeTestApi({ env: { DRAIN_SECONDS: '1' } });
  const began = performance.now();
  await api.drain();
  // Timers may come a little early.
  expect(performance.now() - began).toBeGreaterThan(990);
  await api.close();
});

it('an api that drains while its machine is too busy to answer begins to count afterwards', async () => {
  const api = await makeTestApi({ env: { DRAIN_SECONDS: '1' } });
  const drained = api.drain();
  const began = performance.now();
  while (performance.now() - began < 1_000);
  await drained;
  expect(performance.now() - began).toBeGreaterThan(1_850);
  await api.close();
});

it('an api that closes answers what has come on a connection that was idle', async () => {
  const api = await makeTestApi();
  const socket = connect(api.port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  const ended = new Promise((resolve) => socket.on('close', resolve).on('error', () => {}));
  const ask = () => socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const answers = () => received.split('HTTP/1.1 200 OK').length - 1;
  ask();
  await expect.poll(answers).toBe(1);
  const closed = api.close();
  ask();
  await Promise.all([closed, ended]);
  expect(answers()).toBe(2);
});

it('the health stands at a port of its own too, and does not need the pool of requests', async () => {
  const port = await freePort();
  const api = await makeTestApi({ env: { HEALTH_PORT: String(port), DRAIN_SECONDS: '0.3' } });
  const held = await Promise.all(Array.from({ length: api.db.pool.options.max ?? 10 }, () => api.db.pool.connect()));
  try {
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    const health = `http://127.0.0.1:${port}`;
    expect(await (await fetch(`${health}/readyz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${health}/livez`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${health}/graphql`)).status).toBe(404);
    // Also without sockets, requests are served for the whole time.
    const began = performance.now();
    await api.drain();
    expect(performance.now() - began).toBeGreaterThan(290);
  } finally {
    for (const client of held) client.release();
    await api.close();
  }
});
