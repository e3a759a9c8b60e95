import type { Browser } from 'playwright-core';
import { progress } from '../../lab/command-line.ts';
import { percentile } from '../../lab/percentile.ts';
import type { BenchOptions, BenchResult } from '../options.ts';
import { launchBrowser } from './browser.ts';
import { type OpenedPage, pagesOf, traceOpening, type Weight, weighOpening } from './opened.ts';
import { openBarePage, openMailLink, type PhoneVisit, photoOf, type TwoVisits } from './phone.ts';
import { pressWhileListing } from './presses.ts';
import { type Scene, startScene } from './scene.ts';
import { LONG_TASK_MS, type MainThread } from './trace.ts';

const VISITS = 5;
const SECONDS = 20;
const MATCHES = 3;
const BOUNDS: Record<string, { taskMs?: number; scriptBytes?: number }> = {
  landing: { taskMs: 150, scriptBytes: 120_000 },
  dashboard: { taskMs: 180, scriptBytes: 230_000 },
};
const PHOTO_MS = 2_500;
const INP_MS = 200;

const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Takes the median of each figure, as not every figure is the middle one in the same visit. */
function medians<T extends Record<string, number>>(visits: readonly T[]): T {
  const [first] = visits;
  return Object.fromEntries(
    Object.keys(first ?? {}).map((key) => [key, median(visits.map((visit) => visit[key] ?? Number.NaN))]),
  ) as T;
}

async function repeat<T>(times: number, visit: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < times) all.push(await visit());
  return all;
}

type Opened = Omit<MainThread, 'longMs'> & { longTasks: number } & Omit<Weight, 'scripts'>;

/** Opens a page several times. The first visit of all warms up the server and counts for nothing. */
async function measureOpened(browser: Browser, scene: Scene, page: OpenedPage, visits: number): Promise<Opened> {
  const { scripts, ...weight } = await weighOpening(browser, scene, page);
  const threads = await repeat(visits, () => traceOpening(browser, scene, page));
  const opened = {
    ...medians(threads.map(({ taskMs, longestMs, longMs }) => ({ taskMs, longestMs, longTasks: longMs.length }))),
    by: medians(threads.map(({ by }) => by)),
    ...weight,
  };
  progress(`${page.name}: ${JSON.stringify(opened)}`);
  for (const [path, bytes] of Object.entries(scripts)) progress(`  ${bytes} ${path}`);
  return opened;
}

async function measurePhone(visits: number, open: () => Promise<TwoVisits>) {
  const all = await repeat(visits, open);
  const of = (which: keyof TwoVisits) =>
    medians<PhoneVisit & Record<string, number>>(all.map((one) => ({ ...one[which] })));
  return { cold: of('cold'), warm: of('warm') };
}

/** The bounds that the opened pages miss. */
export function missedBy(pages: Record<string, Pick<Opened, 'taskMs' | 'longestMs' | 'script'>>): string[] {
  return Object.entries(BOUNDS).flatMap(([name, { taskMs = 0, scriptBytes = 0 }]) => {
    const page = pages[name];
    if (!page) return [`${name} was not measured`];
    return [
      ...(page.taskMs <= taskMs ? [] : [`${name}: tasks of ${page.taskMs} ms, not ${taskMs}`]),
      ...(page.longestMs <= LONG_TASK_MS ? [] : [`${name}: a task of ${page.longestMs} ms, not ${LONG_TASK_MS}`]),
      ...(page.script <= scriptBytes ? [] : [`${name}: ${page.script} bytes of scripts, not ${scriptBytes}`]),
    ];
  });
}

/**
 * Opens the built web app in Chromium: what its pages weigh and take of the main thread, how soon a slow phone shows the
 * car of a mail, compared with a page of that photo alone, and how soon it answers a press while ten matches a second
 * come in. @param options `visits` is how often each page is opened, `seconds` how long is pressed
 */
export async function benchPages({ visits = VISITS, seconds = SECONDS }: BenchOptions): Promise<BenchResult> {
  await using scene = await startScene(MATCHES);
  const browser = await launchBrowser();
  try {
    const pages: Record<string, Opened> = {};
    for (const page of pagesOf(scene, MATCHES)) pages[page.name] = await measureOpened(browser, scene, page, visits);
    const phone = await measurePhone(visits, () => openMailLink(browser, scene));
    progress(`phone: ${JSON.stringify(phone)}`);
    const photo = await photoOf(browser, scene);
    const bare = await measurePhone(visits, () => openBarePage(browser, photo));
    const ratio = Math.round((phone.cold.photoMs / bare.cold.photoMs) * 100) / 100;
    progress(`bare page: ${JSON.stringify(bare)}`);
    const presses = await pressWhileListing(browser, scene, seconds, MATCHES + 1);
    const missed = missedBy(pages);
    for (const [when, { photoMs }] of Object.entries(phone))
      if (photoMs > PHOTO_MS) missed.push(`the car's photo after ${photoMs} ms, not ${PHOTO_MS} (${when})`);
    for (const [name, { inpMs }] of Object.entries(presses))
      if (inpMs > INP_MS) missed.push(`${name}: an answer to a press after ${inpMs} ms, not ${INP_MS}`);
    if (presses.alert.missed + presses.alert.doubled > 0)
      missed.push(`${presses.alert.missed} matches missed and ${presses.alert.doubled} doubled on the page`);
    return {
      line: { bench: 'pages', visits, pages, phone, bare, ratio, photoBytes: photo.bytes.length, presses },
      missed,
    };
  } finally {
    await browser.close();
  }
}
