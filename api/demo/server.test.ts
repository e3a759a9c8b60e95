import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../lab/local-server.ts';
import { demoProxy } from '../src/http/local/demo-proxy.ts';
import { demoStream } from './ids.ts';
import type { DemoItem } from './item.ts';
import { makeDemoServer } from './server.ts';

let now = new Date('2026-11-21T12:00:00Z');
const stream = demoStream(7, 2);
let demo: Server;
let front: Server;
let demoUrl: string;
let frontUrl: string;

async function items(query = ''): Promise<DemoItem[]> {
  const response = await fetch(`${demoUrl}/items${query}`);
  return ((await response.json()) as { items: DemoItem[] }).items;
}

beforeAll(async () => {
  demo = makeDemoServer({ stream, publicUrl: 'http://localhost:4000/demo', now: () => now });
  demoUrl = await listen(demo);
  front = createServer(
    express()
      .use('/demo', demoProxy(demoUrl))
      .use((_request, response) => void response.status(404).send('ours')),
  );
  frontUrl = await listen(front);
});
afterAll(() => Promise.all([demo, front].map(closeServer)));

describe('the list', () => {
  it('pages newest first and ends', async () => {
    const [first, second, last] = await Promise.all([
      items('?offset=0&limit=10'),
      items('?offset=10&limit=10'),
      items('?offset=400'),
    ]);
    expect([...first, ...second]).toEqual(await items('?limit=20'));
    expect(last).toEqual([]);
    const [newest, ...others] = first.map(({ creation_time: at }) => at ?? 0);
    expect(newest).toBeGreaterThanOrEqual(Math.max(...others) - 1);
  });

  it('has an ETag that changes with the list', async () => {
    const first = await fetch(`${demoUrl}/items`);
    const etag = first.headers.get('etag') ?? '';
    const again = () => fetch(`${demoUrl}/items`, { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    now = new Date(now.getTime() + 500);
    const later = await again();
    expect(later.status).toBe(200);
    expect(await later.text()).not.toBe(await first.text());
  });

  it.each(['?offset=-1', '?limit=0', '?limit=x', '?offset=1.5'])('refuses %s', async (query) => {
    expect((await fetch(`${demoUrl}/items${query}`)).status).toBe(400);
  });

  it('asks for its token when it has one', async () => {
    const guarded = makeDemoServer({ stream, publicUrl: 'http://localhost/demo', token: 't' });
    const url = await listen(guarded);
    const statuses = await Promise.all(
      ['', 'wrong', 't'].map(
        async (token) => (await fetch(`${url}/items`, { headers: { 'x-demo-token': token } })).status,
      ),
    );
    expect(statuses).toEqual([401, 401, 200]);
    guarded.close();
    guarded.closeAllConnections();
  });

  it('answers pages without delay', async () => {
    await items();
    const start = performance.now();
    for (let round = 0; round < 20; round++) await items('?limit=50');
    expect((performance.now() - start) / 20).toBeLessThan(500);
  });
});

describe('photos and pages through LotWatch’s port', () => {
  const local = (url = '') => url.replace('http://localhost:4000', frontUrl);

  it('shows every photo and page of the list, also those of an earlier run', async () => {
    const earlier = makeDemoServer({ stream: demoStream(99, 5), publicUrl: 'http://localhost:4000/demo' });
    const url = await listen(earlier);
    const old = ((await (await fetch(`${url}/items?limit=3`)).json()) as { items: DemoItem[] }).items;
    earlier.close();
    earlier.closeAllConnections();
    now = new Date();
    for (const item of [...(await items('?limit=12')), ...old]) {
      const page = await fetch(local(item.url));
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      for (const { image } of item.listing_photos ?? []) {
        const photo = await fetch(local(image.uri));
        expect(photo.headers.get('content-type')).toBe('image/svg+xml');
        expect(await photo.text()).toMatch(/^<svg .*a demo car.*<\/svg>$/s);
      }
    }
    const home = await (await fetch(`${frontUrl}/demo/`)).text();
    expect(home).toContain('/demo/listing/');
    expect(home).toContain('Demo marketplace');
  });

  it('answers 404 for a car that was never listed, or not yet', async () => {
    for (const path of ['listing/demo-7-1jk-zzzzzz', 'listing/x', 'photos/demo-7-1jk-1/99.svg', 'photos/x/0.svg']) {
      expect((await fetch(`${frontUrl}/demo/${path}`)).status).toBe(404);
    }
  });

  it('passes no cookie on and leaves every other path to LotWatch', async () => {
    const seen: Record<string, unknown>[] = [];
    const spy = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(200, { 'set-cookie': 'a=b' }).end('x');
    });
    const proxied = createServer(express().use('/demo', demoProxy(await listen(spy))));
    const url = await listen(proxied);
    const answer = await fetch(`${url}/demo/photos/x/0.svg`, {
      headers: { cookie: 'sid=secret', authorization: 'Bearer x' },
    });
    expect(await answer.text()).toBe('x');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(seen[0]).not.toHaveProperty('cookie');
    expect(seen[0]).not.toHaveProperty('authorization');
    await fetch(`${url}/demo/items`);
    await fetch(`${url}/demo/`, { method: 'POST' });
    expect(seen).toHaveLength(1);
    // A request line that names another host still goes to the demo.
    await new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write('GET http://127.0.0.1:1/demo/photos/y HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      });
      socket.on('data', () => {}).on('close', resolve);
    });
    expect(seen).toHaveLength(2);
    for (const server of [spy, proxied]) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('forwards neither the body of a request nor a credential that comes with Expect', async () => {
    const seen: { path: string; headers: IncomingHttpHeaders }[] = [];
    const spy = createServer(({ url: path = '', headers }, response) => {
      seen.push({ path, headers });
      response.end('x');
    });
    const proxied = createServer(express().use('/demo', demoProxy(await listen(spy))));
    const url = await listen(proxied);
    const inner = 'GET /items HTTP/1.1\r\nhost: x\r\n\r\n';
    const head = 'host: x\r\ncookie: sid=secret\r\nauthorization: Bearer x\r\nconnection: close\r\n';
    for (const request of [
      `GET /demo/photos/y HTTP/1.1\r\n${head}content-length: ${inner.length}\r\n\r\n${inner}`,
      `GET /demo/photos/z HTTP/1.1\r\n${head}expect: 100-continue\r\n\r\n`,
    ]) {
      await new Promise((resolve) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request));
        socket.on('data', () => {}).on('close', resolve);
      });
    }
    expect(seen.map(({ path }) => path)).toEqual(['/photos/y', '/photos/z']);
    for (const { headers } of seen) expect(Object.keys(headers).sort()).toEqual(['connection', 'host']);
    for (const server of [spy, proxied]) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('reports when the demo is down', async () => {
    const proxied = createServer(express().use('/demo', demoProxy('http://127.0.0.1:1')));
    const answer = await fetch(`${await listen(proxied)}/demo/`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toMatch(/does not answer/);
    proxied.closeAllConnections();
    proxied.close();
  });
});
