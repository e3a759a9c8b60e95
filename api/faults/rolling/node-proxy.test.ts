import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { closeServer, listen } from '../../lab/local-server.ts';
import { forkChild } from '../../lab/processes.ts';
import { freePort } from '../../src/base/free-port.ts';

it('the proxy in place of haproxy sends requests and sockets only to apis that are ready', {
  tags: 'long',
}, async () => {
  const ready = [true, true];
  const checks = [0, 0];
  const servers = ready.map((_, at) =>
    createServer((asked, answer) => {
      if (asked.url === '/readyz') {
        checks[at] = (checks[at] ?? 0) + 1;
        answer.writeHead(ready[at] ? 200 : 503).end();
      } else asked.pipe(answer.setHeader('for', String(asked.headers['x-forwarded-for'])).setHeader('by', String(at)));
    }).on('upgrade', (_asked, socket) => socket.end(`HTTP/1.1 101 by ${at}\r\n\r\n`)),
  );
  const ports = await Promise.all(servers.map(async (server) => Number(new URL(await listen(server)).port)));
  const port = await freePort();
  await using _proxy = await forkChild(new URL('./node-proxy.ts', import.meta.url), [port, ...ports].map(String));
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/any`, { method: 'POST', body: 'a body' });
    return [answer.status, answer.headers.get('by'), answer.headers.get('for'), await answer.text()];
  };
  await expect.poll(ask, { timeout: 10_000 }).toEqual([200, expect.anything(), '127.0.0.1', 'a body']);
  ready[0] = false;
  await expect.poll(async () => (await ask())[1], { timeout: 10_000 }).toBe('1');
  await expect
    .poll(async () => new Set(await Promise.all([ask(), ask(), ask()].map(async (one) => (await one)[1]))).size)
    .toBe(1);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  const [first] = await once(socket, 'data');
  expect(String(first)).toContain('101 by 1');
  // One that is thought to be ready and takes no connection is passed over.
  ready[0] = true;
  await expect.poll(async () => (await ask())[1], { timeout: 10_000 }).toBe('0');
  await closeServer(servers[0] as Server);
  expect(await ask()).toEqual([200, '1', '127.0.0.1', 'a body']);
  // Where none is ready they get the requests nevertheless.
  ready[1] = false;
  const before = checks[1] ?? 0;
  await expect.poll(() => checks[1], { timeout: 10_000 }).toBeGreaterThan(before + 3);
  expect((await ask())[1]).toBe('1');
  await closeServer(servers[1] as Server);
  expect((await ask())[0]).toBe(503);
});
