import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAt, staticWeb } from './static-web.ts';

const script = 'console.info("a script")';
const pages = [
  { path: '/', scripts: ['assets/landing.js'], head: { title: 'Find "it" & more', description: 'What <it> is' } },
  { path: '/alert/:id', scripts: ['assets/alert.js'], head: null },
  { path: '/auth', scripts: [], head: { title: 'Sign In', description: 'Come in' } },
  { path: '/shown/:token', scripts: [], head: null, unlisted: { title: 'Shown', description: 'To you' } },
  { path: '*', scripts: [], head: null },
  { path: '/beside', file: 'beside.html', scripts: [], head: { title: 'Beside', description: 'Not the app' } },
  { path: '/unbuilt', file: 'unbuilt.html', scripts: [], head: null },
];
const shell = '<!doctype html>\n<html lang="en"><head><!-- head --><title>x</title><!-- /head --></head></html>';

it('finds the page of an address in linear time, however many slashes it has', () => {
  // In quadratic time this would take minutes.
  expect(pageAt(pages, `/${'/'.repeat(200_000)}a`)).toBeUndefined();
  expect(pageAt(pages, `/auth${'/'.repeat(60_000)}`)?.path).toBe('/auth');
  expect(pageAt(pages, '//')?.path).toBe('/');
});

describe('the web app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'static-web-'));
  const servers: Server[] = [];
  let address = '';
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), shell);
    writeFileSync(join(folder, 'beside.html'), shell.replace('</head>', '<base></head>'));
    writeFileSync(join(folder, 'pages.json'), JSON.stringify(pages));
    writeFileSync(join(folder, 'service-worker.js'), '"offline"');
    writeFileSync(join(folder, 'push-worker.js'), '"push only"');
    writeFileSync(join(folder, 'assets', 'a.js'), script);
    writeFileSync(join(folder, 'assets', 'a.js.br'), brotliCompressSync(script));
    writeFileSync(join(folder, 'assets', 'a.js.gz'), gzipSync(script));
    address = await serve(true);
  });
  afterAll(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  const serve = (testMode: boolean, publicUrl = 'https://lot.example/', offlinePages?: boolean) =>
    new Promise<string>((resolve) => {
      const isTestMode = (asked: IncomingMessage) => testMode && asked.headers.host !== 'elsewhere.example';
      const offline = offlinePages !== undefined && { offlinePages };
      const drawn = {
        fill: () => Promise.resolve(null),
        prepare: () => false,
        fillForUser: () => Promise.resolve(null),
        close() {},
      };
      const web = staticWeb(folder, { publicUrl, isTestMode, mayBeSignedIn: () => false, drawn, ...offline });
      const server = createServer(express().use(web)).listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
      servers.push(server);
    });

  it('answers every page address, marked only in test mode', async () => {
    const page = async (url: string) => {
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      return answer.text();
    };
    expect(await page(`${address}/alert/1`)).toContain('<html data-test-mode lang="en">');
    expect(await page(`${await serve(false)}/alert/1`)).toContain('<html lang="en">');
    const withoutOffline = await serve(true, 'https://lot.example/', false);
    expect(await page(`${withoutOffline}/alert/1`)).toContain('<html data-test-mode data-online-only lang="en">');
    const elsewhere = request(`${address}/alert/1`, { headers: { host: 'elsewhere.example' } }).end();
    const [answer] = (await once(elsewhere, 'response')) as [IncomingMessage];
    expect(await text(answer)).toContain('<html lang="en">');
    expect(await page(`${address}/AUTH/`)).toContain('<title>Sign In · LotWatch</title>');
  });

  it('writes the head for crawlers, and preloads the page’s scripts', async () => {
    const home = await (await fetch(`${address}/?utm=1`)).text();
    expect(home).toContain('<title>Find &quot;it&quot; &amp; more · LotWatch</title>');
    expect(home).toContain('<meta name="description" content="What &lt;it&gt; is">');
    expect(home).toContain('<link rel="canonical" href="https://lot.example/">');
    expect(home).toContain('<meta property="og:image" content="https://lot.example/icons/social.png">');
    expect(home).toContain('<link rel="modulepreload" crossorigin href="/assets/landing.js">');
    expect(home).not.toContain('noindex');
    const own = await (await fetch(`${address}/alert/7`)).text();
    expect(own).toContain('<meta name="robots" content="noindex">');
    expect(own).toContain('href="/assets/alert.js"');
    expect(own).not.toContain('canonical');
  });

  it('keeps the address of an unlisted page from indexes and other sites, and gives it a preview', async () => {
    const answer = await fetch(`${address}/shown/secret-1`);
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await answer.text();
    expect(page).toContain('<meta name="robots" content="noindex">');
    expect(page).toContain('<title>Shown · LotWatch</title>');
    expect(page).toContain('<meta property="og:description" content="To you">');
    expect(page).not.toMatch(/canonical|og:url|secret-1/);
    expect(await (await fetch(`${address}/sitemap.xml`)).text()).not.toContain('/shown');
    expect((await fetch(`${address}/auth`)).headers.get('referrer-policy')).toBeNull();
  });

  it('answers a separate page with its file, only under its address', async () => {
    const beside = await (await fetch(`${address}/beside`)).text();
    expect(beside).toContain('<html data-test-mode lang="en">');
    expect(beside).toContain('<title>Beside · LotWatch</title>');
    expect(beside).toContain('<base>');
    expect(await (await fetch(`${address}/auth`)).text()).not.toContain('<base>');
    expect((await fetch(`${address}/beside.html`)).status).toBe(404);
    expect((await fetch(`${address}/unbuilt`)).status).toBe(503);
  });

  it('escapes the characters of its public address', async () => {
    const odd = await serve(false, 'https://lot.example/"$&<b>');
    const page = await (await fetch(odd)).text();
    expect(page).toContain('href="https://lot.example/&quot;$&amp;&lt;b&gt;/"');
    expect(await (await fetch(`${odd}/sitemap.xml`)).text()).toContain('/&quot;$&amp;&lt;b&gt;/auth</loc>');
  });

  it('answers 404 for an unknown address, with the app’s own page', async () => {
    for (const path of ['/no-such-page', '/alert', '/alert/1/2', '/alert//', '/%E0%A4%A']) {
      const answer = await fetch(`${address}${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
      const page = await answer.text();
      expect(page).toContain('<title>404 Page Not Found · LotWatch</title>');
      expect(page).toContain('noindex');
    }
    const head = await fetch(`${address}/no-such-page`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([404, '']);
    expect((await fetch(`${address}/auth`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${address}/auth`, { method: 'POST' })).status).toBe(404);
  });

  it('sends no page for a missing file, and does not serve the page list', async () => {
    for (const path of ['/assets/gone.js', '/assets/../pages.json', '/pages.json', '/index.html', '/icons/gone.png']) {
      const answer = await fetch(`${address}${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).not.toContain('<!doctype html>\n');
    }
  });

  it('does not serve raw page files under any spelling of their address, and never redirects', async () => {
    const ask = (path: string) =>
      new Promise<[string, number | undefined, string | undefined]>((resolve) => {
        // Sent without fetch, which would normalize the address.
        request({ port: new URL(address).port, path }, (answer) => {
          answer.resume();
          resolve([path, answer.statusCode, answer.headers.location]);
        }).end();
      });
    for (const path of ['/index%2Ehtml', '//index.html', '/assets/..%2findex.html', '/./pages.json', '/pages%2ejson']) {
      expect(await ask(path)).toEqual([path, 404, undefined]);
    }
    for (const path of ['//evil.example/', '//evil.example/%2f..', '/assets', '/..%2f..%2fetc/passwd', '/%00']) {
      expect(await ask(path)).toEqual([path, 404, undefined]);
    }
  });

  it('treats every address as a page while the build’s list is missing, and reads the list once it exists', async () => {
    const list = join(folder, 'pages.json');
    rmSync(list);
    const [anywhere, map] = [await fetch(`${address}/no-such-page`), await fetch(`${address}/sitemap.xml`)];
    expect([anywhere.status, map.status]).toEqual([200, 404]);
    expect(await anywhere.text()).toContain('<title>x</title>');
    writeFileSync(list, '[{');
    expect((await fetch(`${address}/no-such-page`)).status).toBe(200);
    writeFileSync(list, JSON.stringify(pages));
    expect((await fetch(`${address}/no-such-page`)).status).toBe(404);
  });

  it('sends the smallest file that the browser accepts, as immutable', async () => {
    const ask = (coding: string) =>
      new Promise<Record<string, unknown>>((resolve) => {
        request(`${address}/assets/a.js`, { headers: { 'accept-encoding': coding } }, (answer) => {
          answer.resume();
          resolve(answer.headers);
        }).end();
      });
    for (const [asked, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0', undefined],
      ['', undefined],
    ] as const) {
      const headers = await ask(asked);
      expect([asked, headers['content-encoding']]).toEqual([asked, coding]);
      expect(headers['content-type']).toMatch(/^text\/javascript/);
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    expect(await (await fetch(`${address}/assets/a.js`)).text()).toBe(script);
  });

  it('sends robots.txt and a sitemap of the pages for crawlers', async () => {
    expect(await (await fetch(`${address}/robots.txt`)).text()).toContain('Sitemap: https://lot.example/sitemap.xml');
    const map = await (await fetch(`${address}/sitemap.xml`)).text();
    expect([...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
      'https://lot.example/',
      'https://lot.example/auth',
      'https://lot.example/beside',
    ]);
  });

  it('sends the service worker without caching it, and another one in its place where pages are not for offline', async () => {
    const off = await serve(true, 'https://lot.example/', false);
    for (const [url, code] of [
      [`${address}/service-worker.js`, '"offline"'],
      [`${off}/service-worker.js`, '"push only"'],
      [`${off}/push-worker.js`, '"push only"'],
    ] as const) {
      const answer = await fetch(url);
      expect([url, answer.headers.get('cache-control'), await answer.text()]).toEqual([url, 'no-cache', code]);
      expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
    }
  });
});
