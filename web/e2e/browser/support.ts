import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, expect, inject } from 'vitest';
import { CHROMIUM_FLAGS } from './find-chromium.ts';
import { collectPageErrors } from './page-errors.ts';
import { giveBack, type ReusedContext, takeContext } from './reused-contexts.ts';
import { type LotWatchUnderTest, push } from './running.ts';
import type { Cookies } from './session.ts';

export type { Cookies } from './session.ts';

const browserPath = inject('browserPath');

/** For `describe.skipIf(!canBrowse)`. */
export const canBrowse: boolean = browserPath !== null;

/** The time that a page may take to show something on a busy machine. */
const TIMEOUT_MS = 30_000;

/** The running LotWatch. @throws without a browser, because then none is started */
export function lotWatch(): LotWatchUnderTest {
  const running = inject('lotWatch');
  if (running === null) throw new Error('no browser on this machine');
  return running;
}

let chromiumOfWorker: Promise<Browser> | undefined;

/**
 * The Chromium of this worker. Its files use it one after another, and each other's contexts (`reused-contexts.ts`); the
 * browser ends with the worker.
 */
export async function openBrowser(): Promise<Browser> {
  const running = await chromiumOfWorker?.catch(() => undefined);
  if (running?.isConnected()) return running;
  chromiumOfWorker = chromium.launch({ executablePath: browserPath ?? '', args: CHROMIUM_FLAGS });
  return chromiumOfWorker;
}

export interface VisitorOptions extends BrowserContextOptions {
  /** A visitor without a cookie choice, to whom the banner is shown. */
  firstTime?: boolean;
}

const CONSENT = 'cookie-consent';
const COOKIE_CONSENT = { necessary: true, analytics: false, preferences: true, marketing: false, accepted: true };

/** A browser context with its own cookies and a cookie choice, in which relative addresses lead to LotWatch. */
export function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<BrowserContext> {
  const { firstTime = false, ...rest } = options;
  const localStorage = firstTime ? [] : [{ name: CONSENT, value: JSON.stringify(COOKIE_CONSENT) }];
  return browser.newContext({
    baseURL: lotWatch().url,
    viewport: { width: 1280, height: 900 },
    // A page with one has requests that a test can't see. Tests of what it does allow it.
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [{ origin: lotWatch().url, localStorage }] },
    ...rest,
  });
}

/** A visitor as `newVisitor` makes one, in a context that earlier tests have used. */
async function reuseVisitor(browser: Browser, { firstTime = false, ...options }: VisitorOptions) {
  const make = () => newVisitor(browser, options);
  const reused = await takeContext(browser, lotWatch().url, JSON.stringify(options), make);
  await reused.keeper.evaluate(
    ([name, consent]) => (consent === undefined ? localStorage.removeItem(name) : localStorage.setItem(name, consent)),
    [CONSENT, firstTime ? undefined : JSON.stringify(COOKIE_CONSENT)] as const,
  );
  return reused;
}

/** Collects faults of a page: script errors, console output, and requests to other servers. */
export const watchPage = (page: Page): string[] => collectPageErrors(page, lotWatch().url);

interface Visit extends VisitorOptions {
  /** The cookies of a signed-in user. */
  cookies?: Cookies;
  /** Faults that a test causes on purpose. */
  expected?: RegExp;
  /** A context that no other test uses, where the test sets the clock, or counts what is loaded. */
  ownContext?: true;
}

interface OpenVisit {
  context: BrowserContext;
  reused: ReusedContext | undefined;
  faults: string[];
  expected: RegExp;
}

/**
 * Opens one browser for the tests of a file. A fault of a page fails the test in which it occurred. Contexts are reused
 * without what tests have left in them; only the browser's cache stays.
 */
export function useBrowser(): { open(visit?: Visit): Promise<Page> } {
  let browser: Browser | undefined;
  const open: OpenVisit[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async ({ task }) => {
    const visits = open.splice(0);
    const unexpected = () => visits.flatMap(({ faults, expected }) => faults.filter((fault) => !expected.test(fault)));
    const isFailed = task.result?.state === 'fail' || unexpected().length > 0;
    await Promise.all(visits.map(({ context, reused }) => (reused && !isFailed ? giveBack(reused) : context.close())));
    expect(unexpected()).toEqual([]);
  });

  return {
    async open({ cookies = [], expected = /^$/, ownContext = false, ...visit } = {}) {
      if (!browser) throw new Error('no browser');
      const options = { reducedMotion: 'reduce' as const, ...visit };
      // A service worker would outlive its pages, and without scripts there is nothing to compile.
      const isOwn = ownContext || options.serviceWorkers === 'allow' || options.javaScriptEnabled === false;
      const reused = isOwn ? undefined : await reuseVisitor(browser, options);
      const context = reused?.context ?? (await newVisitor(browser, options));
      context.setDefaultTimeout(TIMEOUT_MS);
      await context.addCookies(cookies);
      const page = await context.newPage();
      open.push({ context, reused, faults: watchPage(page), expected });
      return page;
    },
  };
}

/** Waits until the server draws this page. The first drawing on a busy machine may take longer than a visitor waits. */
export const untilDrawn = (path: string): Promise<void> =>
  expect.poll(async () => (await fetch(`${lotWatch().url}${path}`)).text()).toContain('data-starts');

/** Keeps the app's code back. @returns a function that lets it go */
export async function holdApp(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Waits until the page shows these texts, each exactly as written. */
export async function sees(page: Page, ...texts: string[]): Promise<void> {
  await Promise.all(texts.map((text) => page.getByText(text, { exact: true }).first().waitFor()));
}

/** Waits for a toast with this title and text. */
export async function seesToast(page: Page, title: string, text: string): Promise<void> {
  const toasts = page.getByRole('region', { name: 'Notifications (F8)' });
  const shown = () => toasts.getByRole('button', { name: 'Close' }).count();
  await toasts.getByText(title, { exact: true }).waitFor();
  await toasts.getByText(text, { exact: true }).waitFor();
  expect(await shown()).toBe(1);
}

/** Waits until the app has taken over a page that the server drew, which it does at a sign of somebody. */
export async function takenOver(page: Page): Promise<void> {
  const hydrated = page.evaluate(() => {
    if (!document.documentElement.dataset.starts) return;
    return new Promise<void>((resolve) => {
      document.addEventListener('hydrated', () => resolve(), { once: true });
    });
  });
  await page.mouse.move(3, 3);
  await page.mouse.move(4, 4);
  await hydrated;
}

/** Waits until the page's address has this path. @throws an error with what the page shows instead */
export async function arrivesAt(page: Page, path: string | RegExp): Promise<void> {
  const isThere = (url: URL) => (typeof path === 'string' ? url.pathname === path : path.test(url.pathname));
  await page.waitForURL(isThere).catch(async (cause: Error) => {
    const shown = await page.locator('body').ariaSnapshot().catch(String);
    throw new Error(`did not arrive at ${path}: the page is at ${page.url()} and shows\n${shown}`, { cause });
  });
}

interface OutboxMail {
  channel: 'email' | 'sms' | 'push';
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  alertId: string | number | null;
  sentAt: string;
}

/** The address of the database. */
export const databaseUrl = (): string => lotWatch().databaseUrl;

/** The mails that LotWatch has sent, newest last. */
export function readOutbox(): OutboxMail[] {
  const path = join(lotWatch().dataDir, 'outbox.ndjson');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as OutboxMail);
}

/** Pushes marketplace items, as an operator does. */
export const pushItems = (source: string, items: readonly unknown[]): Promise<unknown> =>
  push(lotWatch(), source, items);
