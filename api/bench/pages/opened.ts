import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { newVisitor } from './browser.ts';
import type { Scene } from './scene.ts';
import { type MainThread, readMainThread, TRACE_CATEGORIES, type TraceEvent } from './trace.ts';

/** After the network fell quiet: what a page does later, for example fetch ahead. */
const AFTER_MS = 1_500;
const TIMEOUT_MS = 60_000;

type Visited = Pick<Scene, 'url' | 'cookies'>;

/** A page that is opened, and how one sees that it is whole. */
export interface OpenedPage {
  name: string;
  path: string;
  signedIn: boolean;
  /** Whether the page shows all that belongs to it. */
  isWhole(page: Page): Promise<boolean>;
}

/** Whether at least as many cars are shown, and a photo of them. */
export const showsCars = (page: Page, count: number): Promise<boolean> =>
  page.evaluate((least) => {
    const photos = [...document.querySelectorAll<HTMLImageElement>('article img')];
    return document.querySelectorAll('article').length >= least && photos.some(({ naturalWidth }) => naturalWidth > 0);
  }, count);

/** The pages that are measured, with an alert of `matches` matches. */
export const pagesOf = ({ alertId }: Scene, matches: number): OpenedPage[] => [
  {
    name: 'landing',
    path: '/',
    signedIn: false,
    isWhole: (page) => page.getByRole('article', { name: 'Elite plan' }).isVisible(),
  },
  { name: 'dashboard', path: '/dashboard', signedIn: true, isWhole: (page) => showsCars(page, matches) },
  { name: 'alert', path: `/alert/${alertId}`, signedIn: true, isWhole: (page) => showsCars(page, matches) },
  {
    name: 'status',
    path: '/status',
    signedIn: false,
    isWhole: (page) => page.getByRole('heading', { level: 1 }).isVisible(),
  },
];

/**
 * Opens a page and leaves it alone until it is whole: nothing is asked of it meanwhile, as each question is a task of its
 * main thread. A page that is not whole after that time, on a busy machine, is opened again for longer.
 */
async function open<T>(
  browser: Browser,
  visited: Visited,
  opened: OpenedPage,
  begin: (page: Page) => Promise<(html: string) => Promise<T>>,
  waitMs = AFTER_MS,
): Promise<T> {
  const { path, signedIn, isWhole } = opened;
  const context = await newVisitor(browser, visited.url, signedIn ? visited.cookies : []);
  try {
    const page = await context.newPage();
    const end = await begin(page);
    const answer = await page.goto(path, { waitUntil: 'networkidle', timeout: TIMEOUT_MS });
    await sleep(waitMs);
    const result = await end((await answer?.text()) ?? '');
    if (await isWhole(page)) return result;
  } finally {
    await context.close();
  }
  if (waitMs > TIMEOUT_MS) throw new Error(`${path} never shows all that belongs to it`);
  return await open(browser, visited, opened, begin, waitMs * 2);
}

/** The work of the main thread while a page is opened, not slowed down. */
export const traceOpening = (browser: Browser, visited: Visited, opened: OpenedPage): Promise<MainThread> =>
  open(browser, visited, opened, async (page) => {
    await browser.startTracing(page, { categories: TRACE_CATEGORIES });
    return async () => {
      const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
      return readMainThread(trace.traceEvents);
    };
  });

/** The bytes that a page fetches before anybody does anything on it, as sent with gzip. */
export interface Weight {
  /** Scripts in files and in the page. */
  script: number;
  all: number;
  requests: number;
  /** Of the scripts in files, largest first. */
  scripts: Record<string, number>;
}

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>([\s\S]*?)<\/script>/g;

/** Scripts that stand in the page itself, compressed on their own. */
export function weighInlineScripts(html: string): number {
  const texts = [...html.matchAll(INLINE_SCRIPT)].map(([, text = '']) => text).filter((text) => text !== '');
  return texts.length === 0 ? 0 : gzipSync(texts.join('\n')).length;
}

/** Weighs what a page fetches. */
export const weighOpening = (browser: Browser, visited: Visited, opened: OpenedPage): Promise<Weight> =>
  open(browser, visited, opened, async (page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } });
    const kinds = new Map<string, { url: string; isScript: boolean }>();
    const sizes = new Map<string, number>();
    devtools.on('Network.responseReceived', ({ requestId, response }) =>
      kinds.set(requestId, { url: response.url, isScript: /javascript/.test(response.mimeType) }),
    );
    devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) =>
      sizes.set(requestId, (sizes.get(requestId) ?? 0) + encodedDataLength),
    );
    return async (html) => {
      const files = [...kinds].map(([id, { url, isScript }]) => ({ url, isScript, size: sizes.get(id) ?? 0 }));
      const sum = (of: typeof files) => of.reduce((bytes, { size }) => bytes + size, 0);
      const scripts = files.filter(({ isScript }) => isScript).sort((a, b) => b.size - a.size);
      return {
        script: sum(scripts) + weighInlineScripts(html),
        all: sum(files),
        requests: files.length,
        scripts: Object.fromEntries(scripts.map(({ url, size }) => [new URL(url).pathname, size])),
      };
    };
  });
