import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/base/free-port.ts';
import { setUpFolder } from '../set-up.ts';

const caddyfile = readFileSync(new URL('../../deploy/caddy/Caddyfile', import.meta.url), 'utf8');

function hasCaddy(): boolean {
  try {
    execFileSync('caddy', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('\n!!! NOT TESTED: the settings of Caddy, which is not installed. !!!\n\n');
    return false;
  }
}

describe.skipIf(!hasCaddy())("Caddy's settings before apis of two versions", () => {
  /** What each api was asked for. */
  const asked: string[][] = [[], []];
  const apis: Server[] = [];
  const stops: (() => void)[] = [];
  const folder = setUpFolder();
  let site = '';

  beforeAll(async () => {
    let config = caddyfile.replace('admin 127.0.0.1:2019', 'admin off');
    for (const version of [1, 2]) {
      const api = createServer(({ url = '', headers }, response) => {
        if (url === '/readyz') return void response.end();
        asked[version - 1]?.push(url);
        const has = !url.startsWith('/assets/') || url === `/assets/app-${version}.js` || url === '/assets/both.js';
        response.writeHead(has ? 200 : 404).end(has ? `${version} ${headers.traceparent ?? ''}` : 'none');
      });
      apis.push(api);
      await once(api.listen(0, '127.0.0.1'), 'listening');
      config = config.replaceAll(`api${version}:4000`, `127.0.0.1:${(api.address() as AddressInfo).port}`);
    }
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, config);
    site = `http://127.0.0.1:${await freePort()}`;
    const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SITE_ADDRESS: site },
    });
    stops.push(() => caddy.kill('SIGKILL'));
    await vi.waitFor(async () => expect((await fetch(`${site}/`)).ok).toBe(true), { timeout: 20_000, interval: 50 });
  });
  afterAll(() => {
    for (const stop of stops) stop();
    for (const api of apis) {
      api.closeAllConnections();
      api.close();
    }
  });

  const get = async (path: string) => {
    const answer = await fetch(site + path, { headers: { traceparent: 'from outside' } });
    return `${answer.status} ${(await answer.text()).trim()}`;
  };

  it('find each file of the web app, whichever version has it, and ask for a page once', async () => {
    for (let round = 0; round < 4; round++) {
      // Twice each, as a proxy that takes turns would be right by chance.
      for (let turn = 0; turn < 2; turn++) expect(await get('/assets/app-1.js')).toBe('200 1');
      for (let turn = 0; turn < 2; turn++) expect(await get('/assets/app-2.js')).toBe('200 2');
      expect(await get('/assets/both.js')).toMatch(/^200/);
      expect(await get('/assets/gone.js')).toBe('404 none');
    }
    for (const all of asked) all.length = 0;
    for (let round = 0; round < 4; round++) expect(await get(`/page-${round}`)).toMatch(/^200/);
    expect(asked.flat().toSorted()).toEqual(['/page-0', '/page-1', '/page-2', '/page-3']);
  });

  it('find the files of the other while one is gone', async () => {
    apis[0]?.closeAllConnections();
    apis[0]?.close();
    for (let round = 0; round < 3; round++) expect(await get('/assets/app-2.js')).toBe('200 2');
    expect(await get('/assets/app-1.js')).toBe('404 none');
  });
});
