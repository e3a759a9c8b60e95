import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { untilTrue } from '../../lab/until-true.ts';
import { newVisitor, PHONE, slowDown } from './browser.ts';
import { showsCars } from './opened.ts';
import type { Scene } from './scene.ts';

const TIMEOUT_MS = 60_000;
const PER_SECOND = 10;
const PRESS_EVERY_MS = 700;
/** The interactions that are kept to see which were slow. */
const WORST = 5;

/** One interaction of the Event Timing API: what was pressed, and until when the next frame was there. */
export interface Interaction {
  what: string;
  ms: number;
  /** Until the page began with it, what it did, and until that was drawn. */
  delayMs: number;
  workMs: number;
  drawMs: number;
}

interface Timed {
  id: number;
  what: string;
  ms: number;
  delayMs: number;
  workMs: number;
  drawMs: number;
}

declare global {
  interface Window {
    timedByBench?: Timed[];
  }
}

/** Runs in the page before its scripts. */
function watchInteractions(): void {
  const timed: Timed[] = [];
  window.timedByBench = timed;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      const { interactionId = 0 } = entry as PerformanceEventTiming & { interactionId?: number };
      if (interactionId === 0) continue;
      const target = entry.target instanceof Element ? entry.target.closest('button, summary, select, textarea') : null;
      const name = target?.getAttribute('aria-label') ?? target?.textContent ?? '';
      timed.push({
        id: interactionId,
        what: `${entry.name} ${name.slice(0, 40)}`.trim(),
        ms: entry.duration,
        delayMs: entry.processingStart - entry.startTime,
        workMs: entry.processingEnd - entry.processingStart,
        drawMs: entry.duration - (entry.processingEnd - entry.startTime),
      });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** The interactions, slowest first: of the events of one, the longest. */
export function interactionsOf(timed: readonly Timed[]): Interaction[] {
  const longest = new Map<number, Timed>();
  for (const one of timed) if (one.ms > (longest.get(one.id)?.ms ?? -1)) longest.set(one.id, one);
  return [...longest.values()].map(({ id: _, ...rest }) => rest).sort((a, b) => b.ms - a.ms);
}

/** Interaction to Next Paint: the slowest interaction, but one in fifty left out. @param slowestFirst those that were timed @param count of all */
export const inpOf = (slowestFirst: readonly Interaction[], count: number): number =>
  slowestFirst[Math.min(slowestFirst.length - 1, Math.floor(count / 50))]?.ms ?? 0;

/** Finds an element on the screen, below the header and above the bottom bar, where nothing covers it. */
const place = (page: Page, selector: string): Promise<{ x: number; y: number } | null> =>
  page.evaluate((wanted) => {
    for (const element of document.querySelectorAll(wanted)) {
      const box = element.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const isInSight = box.width > 0 && x > 0 && x < innerWidth && y > 0 && y < innerHeight;
      if (isInSight && element.contains(document.elementFromPoint(x, y))) return { x, y };
    }
    return null;
  }, selector);

interface Press {
  selector: string;
  /** Keys pressed afterwards, one after another. */
  keys?: readonly string[];
}

const MENU = 'button[aria-label="Open menu"], button[aria-label="Close menu"]';

/** What a buyer does on an alert's page, in turns. Two at a time, so that what was opened is closed again. */
const ALERT_PRESSES: readonly Press[] = [
  { selector: 'button[data-saves]' },
  { selector: 'article details summary' },
  { selector: MENU },
  { selector: MENU },
  { selector: '[role=group][aria-label^="Show only"] button' },
  { selector: '[role=group][aria-label^="Show only"] button' },
  { selector: 'article button:has(.lucide-notebook-pen)', keys: [...'one owner'] },
  { selector: 'select[aria-label^="Sort"]', keys: ['ArrowDown', 'ArrowUp'] },
];

/** The same on the dashboard, whose list is below its alerts. */
const DASHBOARD_PRESSES: readonly Press[] = [
  { selector: MENU },
  { selector: MENU },
  { selector: 'button[data-saves]' },
  { selector: 'article button:has(.lucide-notebook-pen)', keys: [...'one owner'] },
];

async function press(page: Page, { selector, keys = [] }: Press): Promise<boolean> {
  const at = await place(page, selector);
  if (!at) return false;
  if (selector.startsWith('select')) await page.focus(selector);
  else await page.touchscreen.tap(at.x, at.y);
  for (const key of keys) {
    await sleep(120);
    await page.keyboard.press(key);
  }
  return true;
}

/** Presses in turns until the time is over; halfway the list is scrolled, so that what comes waits. @returns presses that found nothing */
async function pressFor(page: Page, presses: readonly Press[], ms: number): Promise<string[]> {
  const notFound: string[] = [];
  const began = performance.now();
  let isScrolled = false;
  for (let turn = 0; performance.now() - began < ms; turn += 1) {
    const due = began + turn * PRESS_EVERY_MS;
    await sleep(Math.max(0, due - performance.now()));
    if (!isScrolled && performance.now() - began > ms / 2) {
      isScrolled = true;
      await page.mouse.wheel(0, 900);
    }
    const next = presses[turn % presses.length];
    if (next && !(await press(page, next))) notFound.push(next.selector);
  }
  return notFound;
}

/** Lists cars at an even rate. */
async function listEvenly(scene: Scene, numbers: readonly number[]): Promise<void> {
  const began = performance.now();
  const listed: Promise<void>[] = [];
  for (const [at, carNumber] of numbers.entries()) {
    await sleep(Math.max(0, began + (at * 1000) / PER_SECOND - performance.now()));
    listed.push(scene.list([carNumber]));
  }
  await Promise.all(listed);
}

/** How often each car stands in the list, by the number at the end of its title. */
async function countShown(page: Page): Promise<Map<number, number>> {
  const titles = await page.evaluate(() =>
    [...document.querySelectorAll('ul[aria-label="Matching listings"] article')].map(
      (card) => document.getElementById(card.getAttribute('aria-labelledby') ?? '')?.textContent ?? '',
    ),
  );
  const counts = new Map<number, number>();
  for (const title of titles) {
    const carNumber = Number(/Car (\d+)\s*$/.exec(title)?.[1]);
    counts.set(carNumber, (counts.get(carNumber) ?? 0) + 1);
  }
  return counts;
}

/** Takes the choices back that the presses left, shows what waits, and fetches all older ones. */
async function showAll(page: Page, count: number): Promise<Map<number, number>> {
  const isAllShown = async () => {
    await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      for (const button of document.querySelectorAll('button')) {
        const isFilter = button.parentElement?.getAttribute('aria-label')?.startsWith('Show only') === true;
        const isChosen = isFilter && button.getAttribute('aria-pressed') === 'true';
        if (isChosen || /^(Show \d+ new|Load older matches)$/.test(button.textContent ?? '')) button.click();
      }
    });
    return (await countShown(page)).size >= count;
  };
  // What is missing after that time is counted as missed.
  await untilTrue('the whole list', TIMEOUT_MS, isAllShown, 500).catch(() => undefined);
  return await countShown(page);
}

interface PressedPage {
  interactions: number;
  inpMs: number;
  worst: Interaction[];
  notFound: string[];
}

interface PressedList extends PressedPage {
  arrived: number;
  missed: number;
  doubled: number;
}

/** Opens a page on a slow phone and presses on it while ten matches a second come in. @param read what is read of the page at the end */
async function pressOn<T>(
  browser: Browser,
  scene: Scene,
  path: string,
  presses: readonly Press[],
  numbers: readonly number[],
  read: (page: Page, total: number) => Promise<T>,
): Promise<PressedPage & T> {
  const context = await newVisitor(browser, scene.url, scene.cookies, PHONE);
  try {
    const page = await context.newPage();
    await page.addInitScript(watchInteractions);
    await page.goto(path, { waitUntil: 'networkidle', timeout: TIMEOUT_MS });
    const before = await scene.countMatches();
    await untilTrue('the first matches', TIMEOUT_MS, () => showsCars(page, 3));
    await slowDown(page, false);
    const [notFound] = await Promise.all([
      pressFor(page, presses, (numbers.length / PER_SECOND) * 1000),
      listEvenly(scene, numbers),
    ]);
    await sleep(1_000);
    const { timed, count } = await page.evaluate(() => ({
      timed: window.timedByBench ?? [],
      count: (performance as Performance & { interactionCount: number }).interactionCount,
    }));
    const total = before + numbers.length;
    await untilTrue('the last match', TIMEOUT_MS, async () => (await scene.countMatches()) === total);
    const worst = interactionsOf(timed);
    return {
      interactions: count,
      inpMs: inpOf(worst, count),
      worst: worst.slice(0, WORST),
      notFound,
      ...(await read(page, total)),
    };
  } finally {
    await context.close();
  }
}

/** Presses on an alert's page and on the dashboard. @param first the number of the first car that is listed meanwhile */
export async function pressWhileListing(
  browser: Browser,
  scene: Scene,
  seconds: number,
  first: number,
): Promise<{ alert: PressedList; dashboard: PressedPage }> {
  const count = seconds * PER_SECOND;
  const [numbers, later] = [first, first + count].map((from) => Array.from({ length: count }, (_, at) => from + at));
  const alert = await pressOn(
    browser,
    scene,
    `/alert/${scene.alertId}`,
    ALERT_PRESSES,
    numbers ?? [],
    async (page, total) => {
      const shown = await showAll(page, total);
      return {
        arrived: count,
        missed: (numbers ?? []).filter((carNumber) => !shown.has(carNumber)).length,
        doubled: [...shown.values()].filter((times) => times > 1).length,
      };
    },
  );
  const dashboard = await pressOn(browser, scene, '/dashboard', DASHBOARD_PRESSES, later ?? [], async () => ({}));
  return { alert, dashboard };
}
