/** @module-tag long */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closeServer, listen } from '../../lab/local-server.ts';
import { freePort } from '../../src/base/free-port.ts';
import { startTestProxy } from './proxy.ts';

it('the proxy asks the other api for a file that one does not have, also one that drains, but not for anything else', async () => {
  const ready = [true, true];
  const servers = ready.map((_, at) =>
    createServer(({ url, method }, answer) => {
      const has = url === `/assets/of-${at}.js` || url === '/both';
      const status = url === '/readyz' ? (ready[at] ? 200 : 503) : has ? 200 : 404;
      answer.writeHead(status, { by: String(at) }).end(`${method}`);
    }),
  );
  const [first = 0, second = 0] = await Promise.all(
    servers.map(async (server) => Number(new URL(await listen(server)).port)),
  );
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-proxy-'));
  const port = await freePort();
  const proxy = await startTestProxy(folder, port, [first, second]);
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return `${answer.status} ${answer.headers.get('by')}`;
  };
  const askAll = (path: string) => Promise.all(Array.from({ length: 20 }, () => ask(path)));
  try {
    await expect
      .poll(async () => new Set(await askAll('/both')), { timeout: 10_000 })
      .toEqual(new Set(['200 0', '200 1']));
    for (const at of [0, 1]) expect(new Set(await askAll(`/assets/of-${at}.js`))).toEqual(new Set([`200 ${at}`]));
    ready[0] = false;
    await expect.poll(async () => new Set(await askAll('/both')), { timeout: 10_000 }).toEqual(new Set(['200 1']));
    for (const at of [0, 1]) expect(new Set(await askAll(`/assets/of-${at}.js`))).toEqual(new Set([`200 ${at}`]));
    expect(await ask('/assets/of-none.js')).toMatch(/^404/);
    expect(await ask('/of-0.js')).toBe('404 1');
    expect(await ask('/assets/of-0.js', 'POST')).toBe('404 1');
  } finally {
    await proxy.stop();
    await Promise.all(servers.map(closeServer));
    rmSync(folder, { recursive: true });
  }
});
