import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Request } from 'express';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Ask, makeDrawThread } from './draw-thread.ts';
import { type DrawnPages, makeDrawnPages } from './drawn-pages.ts';

const empty = { html: '<html lang="en"><head></head><body><div id="root"></div></body></html>', styles: [] };

/** Draws what is answered, and what a user is asked for; a page that fails asks once more when another is drawn. */
const DRAW = `
  let late;
  let count = 0;
  export async function draw({ path, execute, answers }) {
    if (path === '/dashboard?fails') {
      late = execute;
      throw new Error('broken');
    }
    if (path === '/dashboard?hangs') await new Promise(() => {});
    void late?.({}, { late: true });
    late = undefined;
    const { who } = await execute({}, {});
    const html = path + ' in drawing ' + ++count + ' of ' + who + ' with ' + (answers ? answers[0].data.at : 'nothing');
    return { title: null, html, styles: [{ name: 'css a', css: '.a{}' }], data: '{"answers":[]}' };
  }`;

let folder: string;
let warnings: string[];
let pages: DrawnPages;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawn-'));
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(folder, 'server', 'draw.mjs'), DRAW);
  warnings = [];
  pages = makePages(20_000);
});
afterEach(() => {
  pages.close();
  rmSync(folder, { recursive: true });
});

const makePages = (userWaitMs: number) =>
  makeDrawnPages({
    folder,
    publicUrl: 'https://lot.example',
    asVisitor: () => async () => ({ who: 'a visitor' }),
    count: async () => {},
    log: { warn: (text) => void warnings.push(text) },
    userWaitMs,
    firstWaitMs: userWaitMs,
  });

const request = (url: string) =>
  ({ path: url.replace(/[?].*/, ''), url, originalUrl: url, res: new EventEmitter() }) as unknown as Request;

const at = new Date('2026-11-25T17:00:00.123Z');
const asUser =
  (who: string): Ask =>
  () =>
    Promise.resolve({ who });
let users = 0;
const pageOf = (who: string, url = '/dashboard', ask = asUser(who), userId = ++users, asked = request(url)) =>
  pages.fillForUser(empty, asked, { answers: [{ name: 'Viewer', variables: {}, data: { at } }], ask, userId });
const visitors = () =>
  pages.fill(empty, { page: { path: '/', drawn: { starts: 'late' } }, request: request('/'), isTestMode: false });

it('draws a page for its user, with data as a browser gets it, to be removed once it is read', async () => {
  const page = await pageOf('Zuzana');
  expect(page?.html).toContain('<div id="root">/dashboard in drawing 1 of Zuzana with 2026-11-25T17:00:00.123Z</div>');
  expect(page?.html).toContain('<script type="application/json" id="first-data">{"answers":[]}</script>');
  expect(page?.html).toContain('<html data-starts="soon"');
  expect(page?.styles).toHaveLength(1);
});

it('keeps no page of a user, and draws those of several users and of visitors apart', async () => {
  const who = ['Zuzana', 'Bohumil', 'Zuzana', 'Ctibor'];
  const drawn = await Promise.all([...who.map((name) => pageOf(name)), visitors()]);
  expect(drawn.map((page) => / of (.*) with/.exec(page?.html ?? '')?.[1])).toEqual([...who, 'a visitor']);
  expect((await visitors())?.html).toContain('of a visitor with nothing');
});

it('answers no late question of a page that is over, not even for the user whose page is drawn next', async () => {
  expect(await pageOf('Zuzana', '/dashboard?fails')).toBeNull();
  const asked: unknown[] = [];
  const page = await pageOf('Bohumil', '/dashboard', async (_document, variables) => {
    asked.push(variables);
    return { who: 'Bohumil' };
  });
  expect(page?.html).toContain('of Bohumil');
  expect(asked).toEqual([{}]);
});

it('leaves pages empty in a flood, and where one takes too long', async () => {
  const gate = Promise.withResolvers<void>();
  const flood = Array.from({ length: 50 }, (_, n) =>
    pageOf(`user ${n}`, '/dashboard', async () => {
      await gate.promise;
      return { who: 'one' };
    }),
  );
  for (const refused of flood.slice(4)) expect(await refused).toBeNull();
  gate.resolve();
  for (const page of flood.slice(0, 4)) expect((await page)?.html).toContain('of one');
  pages.close();
  pages = makePages(50);
  expect(await pageOf('Zuzana', '/dashboard?hangs')).toBeNull();
  expect(warnings).toEqual(['a page could not be drawn', 'a page could not be drawn']);
});

it('is ready for an address as the table spells it alone, and with a build', () => {
  const ready = (url: string, path = '/dashboard') => pages.prepare({ path }, request(url));
  expect([ready('/dashboard'), ready('/dashboard?car=7'), ready('/alert/7', '/alert/:id')]).toEqual([true, true, true]);
  expect([ready('/Dashboard'), ready('/dashboard/'), ready('/alert/7/', '/alert/:id')]).toEqual([false, false, false]);
  expect(ready(`/dashboard?${'a'.repeat(2_000)}`)).toBe(false);
  rmSync(join(folder, 'server'), { recursive: true });
  expect(ready('/dashboard')).toBe(false);
});

it('has one page of a user in hand', async () => {
  const [first, second] = await Promise.all([
    pageOf('Zuzana', '/dashboard', undefined, 7),
    pageOf('Zuzana', '/dashboard', undefined, 7),
  ]);
  expect([first?.html.includes('of Zuzana'), second]).toEqual([true, null]);
  expect((await pageOf('Zuzana', '/dashboard', undefined, 7))?.html).toContain('of Zuzana');
});

it('ends a drawing whose user has gone at its question, and goes on with the next in the same thread', async () => {
  await pageOf('Zuzana');
  const asked = request('/dashboard');
  const isAsked = Promise.withResolvers<void>();
  const never: Ask = () => {
    isAsked.resolve();
    return new Promise(() => {});
  };
  const left = pageOf('Zuzana', '/dashboard', never, ++users, asked);
  await isAsked.promise;
  (asked.res as unknown as EventEmitter).emit('close');
  expect(await left).toBeNull();
  // Long before a thread counts as stuck. Another thread would begin with 1.
  expect((await pageOf('Bohumil'))?.html).toContain('drawing 2 of Bohumil');
});

it('keeps the thread while it draws, and after a call to be ready for as long as after any other', async () => {
  const module = pathToFileURL(join(folder, 'server', 'draw.mjs'));
  const thread = makeDrawThread({ module, publicUrl: 'https://lot.example', idleMs: 50 });
  const slowly: Ask = async () => {
    thread.wake();
    await new Promise((resolve) => setTimeout(resolve, 150));
    return { who: 'one' };
  };
  const draw = () => thread.draw({ path: '/dashboard', ask: slowly });
  const drawn = [await draw(), await draw()];
  expect(drawn.map(({ html }) => html)).toEqual([
    expect.stringContaining('drawing 1 of one'),
    expect.stringContaining('drawing 2 of one'),
  ]);
  thread.close();
});
