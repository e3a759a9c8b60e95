import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import { startLocalServer } from '../../lab/local-server.ts';
import { newVisitor, PHONE, slowDown } from './browser.ts';
import type { Scene } from './scene.ts';

const TIMEOUT_MS = 60_000;
/** For what moves after the photo is there. */
const AFTER_MS = 1_500;

/** Times in milliseconds from the press on a link. */
export interface PhoneVisit {
  firstPaintMs: number;
  /** When the first photo of a car is painted. */
  photoMs: number;
  /** The largest paint, which may be a text. */
  largestMs: number;
  /** The sum of the layout shifts. */
  shift: number;
}

interface Seen {
  photoMs: number | null;
  largestMs: number;
  shift: number;
}

declare global {
  interface Window {
    seenByBench?: Seen;
  }
}

/**
 * Runs in the page before its scripts, where only what is inside of it exists: no function in it may have a name, which
 * the compiler would note with a helper. A photo is named for Element Timing, which tells when it is painted.
 */
function watchPaints(): void {
  const seen: Seen = { photoMs: null, largestMs: 0, shift: 0 };
  window.seenByBench = seen;
  new MutationObserver(() => {
    for (const image of document.querySelectorAll('img[src*="/photos/"]:not([elementtiming])'))
      image.setAttribute('elementtiming', 'photo');
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['src'] });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.photoMs = Math.min(seen.photoMs ?? entry.startTime, entry.startTime);
  }).observe({ type: 'element', buffered: true });
  new PerformanceObserver((list) => {
    seen.largestMs = list.getEntries().at(-1)?.startTime ?? 0;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Opens an address on a slow phone, and waits for a car's photo. */
async function visit(context: BrowserContext, address: string): Promise<PhoneVisit> {
  const page = await context.newPage();
  await page.addInitScript(watchPaints);
  await slowDown(page, true);
  await page.goto(address, { waitUntil: 'commit', timeout: TIMEOUT_MS });
  await page.waitForFunction(() => window.seenByBench?.photoMs != null, undefined, {
    timeout: TIMEOUT_MS,
    polling: 500,
  });
  await sleep(AFTER_MS);
  const { paint, seen } = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    seen: window.seenByBench,
  }));
  await page.close();
  const ms = (time: number | null | undefined) => Math.round(time ?? Number.NaN);
  return {
    firstPaintMs: ms(paint),
    photoMs: ms(seen?.photoMs),
    largestMs: ms(seen?.largestMs),
    shift: Math.round((seen?.shift ?? 0) * 1000) / 1000,
  };
}

/** Opens an address twice, as somebody whose browser has nothing of it yet, and again. */
async function visitTwice(browser: Browser, url: string, path: string, cookies: Scene['cookies']) {
  const context = await newVisitor(browser, url, cookies, PHONE);
  try {
    const cold = await visit(context, `${url}${path}`);
    return { cold, warm: await visit(context, `${url}${path}`) };
  } finally {
    await context.close();
  }
}

export type TwoVisits = Awaited<ReturnType<typeof visitTwice>>;

/** The alert's page, to which its mails link, on a slow phone. */
export const openMailLink = (browser: Browser, { url, alertId, cookies }: Scene): Promise<TwoVisits> =>
  visitTwice(browser, url, `/alert/${alertId}`, cookies);

/** The least that the network and the processor allow: a page of one photo and nothing else. @param photo as LotWatch sends it */
export async function openBarePage(browser: Browser, photo: { type: string; bytes: Buffer }): Promise<TwoVisits> {
  const html = '<!doctype html><meta name=viewport content="width=device-width"><img src="/photos/0" width=390>';
  const bare = await startLocalServer(({ url }, response) => {
    const isPhoto = url === '/photos/0';
    response.setHeader('content-type', isPhoto ? photo.type : 'text/html');
    response.setHeader('cache-control', isPhoto ? 'max-age=3600' : 'no-cache');
    response.end(isPhoto ? photo.bytes : html);
  });
  try {
    return await visitTwice(browser, bare.url, '/', []);
  } finally {
    await bare.close();
  }
}

/** The first car's photo as LotWatch sends it to a phone. @throws Error if the alert's page shows none */
export async function photoOf(browser: Browser, { url, alertId, cookies }: Scene) {
  const context = await newVisitor(browser, url, cookies, PHONE);
  try {
    const page = await context.newPage();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/photos/') && response.ok()),
      page.goto(`/alert/${alertId}`),
    ]);
    return { type: answer.headers()['content-type'] ?? '', bytes: await answer.body() };
  } finally {
    await context.close();
  }
}
