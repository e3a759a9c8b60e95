import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { clearAllowedErrors, collectPageErrors } from '../../browser/page-errors.ts';
import type { Person } from '../../browser/session.ts';
import { type SpecText, specTexts } from '../spec-texts.ts';
import type { Size, State } from '../state.ts';
import type { Fixtures } from './fixtures.ts';
import { DRAWN_PHOTOS, drawnPhoto } from './listings.ts';
import { MARK_ACT, RECORD_SHIFTS, readTexts, STABLE } from './page-scripts.ts';

export type Theme = 'light' | 'dark';

/** The time for a text to appear, and for an act to find its element. */
const TIMEOUT_MS = 30_000;
/** Skeletons show after 150 ms. */
const LOADING_MS = 200;

const screens = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 } },
} as const;

/** A state that is open in a page. */
export interface OpenState {
  page: Page;
  /** Expected texts that it does not show. */
  missing: ReadonlySet<string>;
  /** Why the state could not be reached; undefined if it was. */
  failure: string | undefined;
  /** Unexpected script errors, console output and requests to other servers. */
  pageErrors(): string[];
  close(): Promise<void>;
}

const consent = JSON.stringify({
  necessary: true,
  analytics: true,
  preferences: true,
  marketing: false,
  accepted: true,
});

/** A page in which states are opened one after the other, with its errors and console output. */
interface ReusablePage {
  page: Page;
  pageErrors: string[];
  /** Running calls, so that a visit can wait for their answers. */
  calls: Set<unknown>;
}

/** Answers requests for photos. A route of Playwright's would let the browser load everything again for each page. */
async function drawPhotos(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  devtools.on('Fetch.requestPaused', ({ requestId, request: { url } }) => {
    const responseHeaders = [{ name: 'content-type', value: 'image/svg+xml' }];
    const body = Buffer.from(drawnPhoto(url)).toString('base64');
    // The page may have been closed.
    void devtools
      .send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body })
      .catch(() => undefined);
  });
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: DRAWN_PHOTOS.replace('**', '*') }] });
}

async function makeReusablePage(context: BrowserContext, home: string): Promise<ReusablePage> {
  const page = await context.newPage();
  await drawPhotos(page);
  const calls = new Set<unknown>();
  page.on('request', (request) => request.url().endsWith('/graphql') && calls.add(request));
  page.on('requestfinished', (request) => calls.delete(request));
  page.on('requestfailed', (request) => calls.delete(request));
  return { page, calls, pageErrors: collectPageErrors(page, home) };
}

/** Resets a page. Leaving its content aborts delayed calls, which would otherwise reach the server. */
async function clear({ page, pageErrors, calls }: ReusablePage, size: Size, colorScheme: Theme): Promise<void> {
  // The browser stores the scroll position of a page and would restore it for the next one at the same address.
  await page.evaluate('sessionStorage.clear(); scrollTo(0, 0)');
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.mouse.move(0, 0);
  await page.setViewportSize(screens[size].viewport);
  await page.emulateMedia({ colorScheme });
  clearAllowedErrors(page);
  pageErrors.length = 0;
  calls.clear();
}

/** Waits until the page has shown all expected texts. @returns the missing ones */
async function waitForTexts(page: Page, state: State, timeoutMs = TIMEOUT_MS): Promise<Set<string>> {
  let open = expectedTextsOf(state);
  for (const end = Date.now() + timeoutMs; ; await sleep(60)) {
    const sought = open.every(({ shown }) => !shown) ? open.map(({ text }) => text) : null;
    // A page that is navigating can't be read.
    open = missingTexts(open, await page.evaluate<string[]>(readTexts(sought)).catch(() => []));
    // Before a page is loaded, the app shows a spinner, whose label may be all that a loading state waits for.
    const isThere = open.length === 0 && (await page.locator(state.hasNoHeading ? 'main' : 'h1').count()) > 0;
    if (isThere || Date.now() > end) return new Set(open.map(({ text }) => text));
  }
}

async function reachState(
  { page, calls }: ReusablePage,
  state: State,
  fixtures: Fixtures,
  me: Person,
): Promise<Set<string>> {
  await state.prepare?.(page, fixtures, me);
  await page.goto(typeof state.path === 'string' ? state.path : state.path(fixtures));
  if (state.act) await page.evaluate(MARK_ACT);
  await state.act?.(page, fixtures, me);
  const missing = await waitForTexts(page, state);
  for (const end = Date.now() + (state.prepare ? LOADING_MS : 2000); calls.size > 0 && Date.now() < end; )
    await sleep(20);
  await page.evaluate(STABLE);
  return missing;
}

/** Opens states one after the other or concurrently; users who only read share a browser context. */
export function makeStateOpener(browser: Browser, fixtures: Fixtures) {
  const contexts = new Map<string, Promise<BrowserContext>>();
  const free = new Map<string, ReusablePage[]>();

  async function openContext(me: Person, size: Size, colorScheme: Theme, firstVisit: boolean): Promise<BrowserContext> {
    const context = await browser.newContext({
      baseURL: fixtures.url,
      ...screens[size],
      colorScheme,
      reducedMotion: 'reduce',
      timezoneId: 'America/Los_Angeles',
      serviceWorkers: 'block',
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    await context.addCookies(me.cookies);
    await context.addInitScript(RECORD_SHIFTS);
    if (!firstVisit) await context.addInitScript(`localStorage['cookie-consent'] ??= ${JSON.stringify(consent)}`);
    return context;
  }

  return {
    async open(state: State, size: Size, theme: Theme): Promise<OpenState> {
      const { who, firstVisit = false } = state;
      const me = who === 'new' ? await fixtures.newPerson() : fixtures.people[who];
      const isOwn = who === 'new' || firstVisit;
      const key = `${who} ${size} ${theme}`;
      const opened = (!isOwn && contexts.get(key)) || openContext(me, size, theme, firstVisit);
      if (!isOwn) contexts.set(key, opened);
      const context = await opened;
      const isReused = !isOwn && !state.ownPage;
      const reusable = (isReused && free.get(key)?.pop()) || (await makeReusablePage(context, fixtures.url));
      const { page } = reusable;
      const pageErrors = () => reusable.pageErrors.filter((pageError) => !state.expected?.test(pageError));
      let missing = new Set(expectedTextsOf(state).map(({ text }) => text));
      let failure: string | undefined;
      try {
        missing = await reachState(reusable, state, fixtures, me);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        missing = await waitForTexts(page, state);
      }
      const close = async () => {
        if (isOwn) return context.close();
        if (!isReused || failure !== undefined) return page.close();
        await clear(reusable, size, theme);
        free.set(key, [...(free.get(key) ?? []), reusable]);
      };
      return { page, missing, failure, pageErrors, close };
    },
    async close(): Promise<void> {
      for (const context of contexts.values()) await (await context).close();
    },
  };
}

/** An expected text: its name, and its form on the page. */
interface ExpectedText {
  text: string;
  shown: RegExp | undefined;
}

const known = new Map<string, SpecText>(specTexts.map((one) => [one.text, one]));

/** The texts that a state's page must show. */
function expectedTextsOf({ texts, also = [] }: State): ExpectedText[] {
  return [
    ...texts.map((text) => ({ text, shown: known.get(text)?.shown })),
    ...also.map((one) => (typeof one === 'string' ? { text: one, shown: undefined } : { text: `${one}`, shown: one })),
  ];
}

/** Those of `wanted` that are not among a page's texts. */
function missingTexts(expected: readonly ExpectedText[], texts: readonly string[]): ExpectedText[] {
  const whole = new Set(texts);
  return expected.filter(({ text, shown }) => (shown ? !texts.some((one) => shown.test(one)) : !whole.has(text)));
}
