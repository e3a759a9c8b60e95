import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'express';
import { parse } from 'graphql';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type DrawnPages, makeDrawnPages } from './drawn-pages.ts';

const empty = {
  html: '<html lang="en"><head><title>LotWatch</title><script type="module" crossorigin src="/assets/index-1.js"></script></head><body><div id="root"></div><noscript>No</noscript></body></html>',
  styles: ["'sha256-first'"],
};

/** Answers with the number of the drawing, and what `ask` said. */
const DRAW = `
  let count = 0;
  export async function draw({ path, execute }) {
    count++;
    if (path === '/broken') throw new Error('broken');
    const { who } = await execute({ kind: 'Document' }, {});
    return { title: path === '/terms' ? 'Terms & more' : null, html: path + ' ' + count + ' ' + who + ' $&', styles: [{ name: 'css a', css: '.a{}' }], data: '{"n":1}' };
  }`;

let folder: string;
let pages: DrawnPages;
let warnings: string[];
let counted: number;
let mayDraw: boolean;
/** What answers wait for. */
let held: Promise<void> | undefined;
let isDown: boolean;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawn-'));
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(folder, 'server', 'draw.mjs'), DRAW);
  warnings = [];
  counted = 0;
  mayDraw = true;
  held = undefined;
  isDown = false;
  pages = makeDrawnPages({
    folder,
    publicUrl: 'https://lot.example',
    asVisitor: (isTestMode) => async () => {
      await held;
      if (isDown) throw new Error('the database is down');
      return { who: isTestMode ? 'tester' : 'visitor', document: parse('{ me }').kind };
    },
    count: async () => {
      if (!mayDraw) throw new Error('too many');
      counted++;
    },
    log: { warn: (text) => void warnings.push(text) },
    waitMs: 20_000,
  });
});
afterEach(() => {
  vi.useRealTimers();
  pages.close();
  rmSync(folder, { recursive: true });
});

const request = (url: string, res = new EventEmitter()) =>
  ({ path: url.replace(/[?].*/, ''), url, res }) as unknown as Request;

const ask = (url: string, rule: { path?: string; seconds?: number; readsSearch?: true } = {}, isTestMode = false) => {
  const { path = url, ...rest } = rule;
  return pages.fill(empty, { page: { path, drawn: { starts: 'late', ...rest } }, request: request(url), isTestMode });
};

it('puts a drawn page into the file, with its scripts as a list and its styles in the policy', async () => {
  const page = await ask('/terms');
  expect(page?.html).toContain('<div id="root">/terms 1 visitor $&</div>');
  expect(page?.html).toContain('<html data-starts="late" lang="en"><head><title>Terms &amp; more · LotWatch</title>');
  expect(page?.html).toContain('<script type="application/json" id="scripts">["/assets/index-1.js"]</script>');
  expect(page?.html).toContain('<script type="application/json" id="drawn">{"n":1}</script>');
  expect(page?.html).toContain('<style data-emotion="css a">.a{}</style>');
  expect(page?.html).not.toMatch(/noscript|type="module"/);
  expect(page?.styles).toHaveLength(2);
});

it('draws once for a crowd, and apart for those who see the test mode', async () => {
  const crowd = await Promise.all([ask('/'), ask('/'), ask('/')]);
  for (const page of crowd) expect(page?.html).toContain('/ 1 visitor');
  expect((await ask('/', {}, true))?.html).toContain('/ 2 tester');
  expect((await ask('/'))?.html).toContain('/ 1 visitor');
  expect(counted).toBe(0);
});

it('sends what has just aged while the next is drawn', async () => {
  expect((await ask('/status', { seconds: 0 }))?.html).toContain('/status 1');
  expect((await ask('/status', { seconds: 0 }))?.html).toContain('/status 1');
  await expect.poll(async () => (await ask('/status', { seconds: 0 }))?.html).toContain('/status 2');
});

it('sends the page from before when the next fails, for a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const rule = { seconds: 5 };
  expect((await ask('/status', rule))?.html).toContain('/status 1');
  isDown = true;
  for (const seconds of [11, 11, 11]) {
    vi.setSystemTime(Date.now() + seconds * 1000);
    expect((await ask('/status', rule))?.html).toContain('/status 1');
  }
  expect(warnings).toHaveLength(1);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await ask('/status', rule)).toBeNull();
  isDown = false;
  vi.setSystemTime(Date.now() + 6_000);
  expect((await ask('/status', rule))?.html).toContain('visitor');
});

it('keeps places for shared pages in a flood of others', async () => {
  const rule = { seconds: 0 };
  const first = (await ask('/', rule))?.html;
  expect(first).toContain('/ 1 visitor');
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const flood = Array.from({ length: 30 }, (_, at) => ask(`/shared/${at}`, { path: '/shared/:token' }));
  for (const refused of flood.slice(10)) expect(await refused).toBeNull();
  // It waits behind the others, and the page from before is sent.
  for (const page of [await ask('/', rule), await ask('/', rule)]) expect(page?.html).toBe(first);
  const other = ask('/terms');
  gate.resolve();
  expect((await other)?.html).toContain('/terms');
  for (const drawn of flood.slice(0, 10)) expect(await drawn).not.toBeNull();
});

it('leaves out what nobody waits for any more', async () => {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const drawn = ask('/terms');
  const page = { path: '/shared/:token', drawn: { starts: 'late' } as const };
  const responses = [new EventEmitter(), new EventEmitter()];
  const visits = responses.map((response) =>
    pages.fill(empty, { page, request: request('/shared/a', response), isTestMode: false }),
  );
  // Both are counted first.
  await expect.poll(() => counted).toBe(2);
  responses[0]?.emit('close');
  expect(await visits[0]).toBeNull();
  gate.resolve();
  expect((await drawn)?.html).toContain('/terms 1');
  expect((await visits[1])?.html).toContain('/shared/a 2');
  expect(warnings).toEqual([]);
});

it('draws a shared link and a search for each visitor alone, and counts them', async () => {
  const shared = { path: '/shared/:token' };
  expect((await ask('/shared/abc_-1', shared))?.html).toContain('/shared/abc_-1 1');
  expect((await ask('/shared/abc_-1', shared))?.html).toContain('/shared/abc_-1 2');
  expect((await ask('/auth?plan=pro', { path: '/auth', readsSearch: true }))?.html).toContain('/auth?plan=pro 3');
  expect(counted).toBe(3);
  mayDraw = false;
  expect(await ask('/shared/abc_-1', shared)).toBeNull();
  expect((await ask('/auth', { readsSearch: true }))?.html).toContain('/auth 4');
  expect(warnings).toEqual([]);
});

it('leaves a page empty that fails or hangs, and says so once', async () => {
  const shared = { path: '/:name' };
  expect(await ask('/broken', shared)).toBeNull();
  expect(await ask('/broken', shared)).toBeNull();
  expect(warnings).toHaveLength(1);
  expect((await ask('/terms'))?.html).toContain('/terms');
  pages.close();
  expect(await ask('/broken', shared)).toBeNull();
});

it('leaves other spellings, what is too long, and pages without a rule or a build to the browser', async () => {
  const page = { path: '/terms' };
  expect(await ask('/TERMS', page)).toBeNull();
  expect(await ask('/terms/', page)).toBeNull();
  expect(await ask('/shared/a%20b', { path: '/shared/:token' })).toBeNull();
  expect(await ask(`/auth?a=${'b'.repeat(1000)}`, { path: '/auth', readsSearch: true })).toBeNull();
  expect(await pages.fill(empty, { page, request: request('/terms'), isTestMode: false })).toBeNull();
  rmSync(join(folder, 'server'), { recursive: true });
  expect(await ask('/terms')).toBeNull();
});
