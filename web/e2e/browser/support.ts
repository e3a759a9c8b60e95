import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, expect, inject } from 'vitest';
import { CHROMIUM_FLAGS } from './find-chromium.ts';
import { collectNoise } from './noise.ts';
import type { LotWatchUnderTest } from './running.ts';
import type { Cookies } from './session.ts';

export type { Cookies } from './session.ts';

const browserPath = inject('browserPath');

/** For `describe.skipIf(!canBrowse)`. */
export const canBrowse: boolean = browserPath !== null;

/** What a page may take to show something on a busy machine. */
const PATIENCE_MS = 30_000;

/** The running LotWatch. @throws where there is no browser, for then none is started */
export function lotWatch(): LotWatchUnderTest {
  const running = inject('lotWatch');
  if (running === null) throw new Error('no browser on this machine');
  return running;
}

let chromiumOfWorker: Promise<Browser> | undefined;

/**
 * The Chromium of this worker, which its files use one after another: each closes the contexts that it opened, and the
 * browser ends with the worker. (One for all workers had to be spoken to through the main process, a word at a time.)
 */
export async function openBrowser(): Promise<Browser> {
  const running = await chromiumOfWorker?.catch(() => undefined);
  if (running?.isConnected()) return running;
  chromiumOfWorker = chromium.launch({ executablePath: browserPath ?? '', args: CHROMIUM_FLAGS });
  return chromiumOfWorker;
}

export interface VisitorOptions extends BrowserContextOptions {
  /** Someone who was never asked about cookies: the banner shows. */
  firstTime?: boolean;
}

const COOKIE_CONSENT = { necessary: true, analytics: false, preferences: true, marketing: false, accepted: true };

/** A person's browser: own cookies, and pages whose relative addresses lead to LotWatch. Its cookie choice is made. */
export function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<BrowserContext> {
  const { firstTime = false, ...rest } = options;
  const localStorage = firstTime ? [] : [{ name: 'cookie-consent', value: JSON.stringify(COOKIE_CONSENT) }];
  return browser.newContext({
    baseURL: lotWatch().url,
    viewport: { width: 1280, height: 900 },
    storageState: { cookies: [], origins: [{ origin: lotWatch().url, localStorage }] },
    ...rest,
  });
}

/** Collects what a page must not do: script errors, words on the console, and requests that leave LotWatch. */
export const watchPage = (page: Page): string[] => collectNoise(page, lotWatch().url);

interface Visit extends VisitorOptions {
  /** Of someone who is signed in. */
  cookies?: Cookies;
  /** Faults that a test brings about on purpose. */
  expected?: RegExp;
}

/** One browser for a file's tests; what its pages must not do fails the test that saw it. */
export function useBrowser(): { open(visit?: Visit): Promise<Page> } {
  let browser: Browser | undefined;
  const open: { context: BrowserContext; faults: string[]; expected: RegExp }[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    const visits = open.splice(0);
    await Promise.all(visits.map(({ context }) => context.close()));
    expect(visits.flatMap(({ faults, expected }) => faults.filter((fault) => !expected.test(fault)))).toEqual([]);
  });
  return {
    async open({ cookies = [], expected = /^$/, ...options } = {}) {
      if (!browser) throw new Error('no browser');
      const context = await newVisitor(browser, { reducedMotion: 'reduce', ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      await context.addCookies(cookies);
      const page = await context.newPage();
      open.push({ context, faults: watchPage(page), expected });
      return page;
    },
  };
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

/** The path of the page's address, after it has become this one. */
export async function arrivesAt(page: Page, path: string | RegExp): Promise<void> {
  await page.waitForURL((url) => (typeof path === 'string' ? url.pathname === path : path.test(url.pathname)));
}

export interface OutboxMail {
  channel: 'email' | 'sms';
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  alertId: string | number | null;
  sentAt: string;
}

/** Where an operator can look into the database. */
export const databaseUrl = (): string => readFileSync(join(lotWatch().dataDir, 'database-url'), 'utf8').trim();

/** The mails that LotWatch has sent, newest last. */
export function readOutbox(): OutboxMail[] {
  const path = join(lotWatch().dataDir, 'outbox.ndjson');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as OutboxMail);
}

/** Pushes marketplace items as an operator would. */
export async function pushItems(source: string, items: unknown[]): Promise<unknown> {
  const answer = await fetch(`${lotWatch().url}/api/ingest/${source}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lotWatch().ingestToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(items),
  });
  return answer.json();
}
