import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hearNoise } from '../../browser/noise.ts';
import type { Person } from '../../browser/session.ts';
import type { Size, State } from '../state.ts';
import { DRAWN_PHOTOS, drawnPhoto } from './cars.ts';
import { NOTE_SHIFTS, READ_TEXTS, SETTLED } from './page-reading.ts';
import { notShown, wantedOf } from './wanted.ts';
import type { World } from './world.ts';

export type Theme = 'light' | 'dark';

/** How long a text may take to appear, and an act to find what it clicks. */
const PATIENCE_MS = 10_000;
/** How long what was shown may take to be there on another screen: after that the state is visited anew. */
const TURN_MS = 2000;
/** Skeletons show after 150 ms. */
const LOADING_MS = 200;

const screens = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 } },
} as const;

/** A state, open in a page. */
export interface Scene {
  page: Page;
  /** What it should show and does not. */
  missing: ReadonlySet<string>;
  /** Why it could not be brought about; undefined when it could. */
  failure: string | undefined;
  /** Script errors, words on the console and requests to elsewhere, but those that it expects. */
  noises(): string[];
  /** Shows the same page on another screen. @returns what that shows */
  turnTo(size: Size, theme: Theme): Promise<Scene>;
  close(): Promise<void>;
}

const consent = JSON.stringify({
  necessary: true,
  analytics: true,
  preferences: true,
  marketing: false,
  accepted: true,
});

/** Counts the calls that are under way, so that a visit can wait for their answers. */
function countCalls(page: Page): () => number {
  let calls = 0;
  const isCall = (request: { url(): string }) => request.url().endsWith('/graphql');
  page.on('request', (request) => isCall(request) && calls++);
  const answered = (request: { url(): string }) => isCall(request) && calls--;
  page.on('requestfinished', answered);
  page.on('requestfailed', answered);
  return () => calls;
}

/** Waits until the page has shown all that is wanted. @returns what it never showed */
async function waitForTexts(page: Page, state: State, patience = PATIENCE_MS): Promise<Set<string>> {
  let open = wantedOf(state);
  for (const end = Date.now() + patience; ; await sleep(40)) {
    // A page that is just going elsewhere can't be read.
    open = notShown(open, await page.evaluate<string[]>(READ_TEXTS).catch(() => []));
    if (open.length === 0 || Date.now() > end) return new Set(open.map(({ text }) => text));
  }
}

async function bringAbout(page: Page, state: State, world: World, me: Person): Promise<Set<string>> {
  const calls = countCalls(page);
  await state.prepare?.(page, world, me);
  await page.goto(typeof state.path === 'string' ? state.path : state.path(world));
  await state.act?.(page, world, me);
  const missing = await waitForTexts(page, state);
  for (const end = Date.now() + (state.prepare ? LOADING_MS : 2000); calls() > 0 && Date.now() < end; ) await sleep(20);
  await page.evaluate(SETTLED);
  return missing;
}

/** Opens states one after the other or at once; people who only look share a browser context. */
export function makeTour(browser: Browser, world: World) {
  const contexts = new Map<string, Promise<BrowserContext>>();

  async function openContext(me: Person, size: Size, colorScheme: Theme, firstVisit: boolean): Promise<BrowserContext> {
    const context = await browser.newContext({
      baseURL: world.url,
      ...screens[size],
      colorScheme,
      reducedMotion: 'reduce',
      timezoneId: 'America/Los_Angeles',
      serviceWorkers: 'block',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addCookies(me.cookies);
    await context.addInitScript(NOTE_SHIFTS);
    if (!firstVisit) await context.addInitScript(`localStorage['cookie-consent'] ??= ${JSON.stringify(consent)}`);
    await context.route(DRAWN_PHOTOS, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: drawnPhoto(route.request().url()) }),
    );
    return context;
  }

  return {
    async open(state: State, size: Size, theme: Theme): Promise<Scene> {
      const { who, firstVisit = false } = state;
      const me = who === 'new' ? await world.newPerson() : world.people[who];
      const isOwn = who === 'new' || firstVisit;
      const key = `${who} ${size} ${theme}`;
      const opened = (!isOwn && contexts.get(key)) || openContext(me, size, theme, firstVisit);
      if (!isOwn) contexts.set(key, opened);
      const context = await opened;
      const page = await context.newPage();
      const heard = hearNoise(page, world.url);
      const noises = () => heard.filter((noise) => !state.expected?.test(noise));
      let missing = new Set(wantedOf(state).map(({ text }) => text));
      let failure: string | undefined;
      try {
        missing = await bringAbout(page, state, world, me);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        missing = await waitForTexts(page, state);
      }
      const close = async () => {
        // A call that is still held would go on to the server when its page is closed; leaving the page ends it.
        if (state.prepare) await page.goto('about:blank').catch(() => undefined);
        await (isOwn ? context.close() : page.close());
      };
      const turnTo = async (other: Size, colorScheme: Theme): Promise<Scene> => {
        await page.setViewportSize(screens[other].viewport);
        await page.emulateMedia({ colorScheme });
        const lost = await waitForTexts(page, state, TURN_MS);
        await page.evaluate(SETTLED);
        return { ...scene, missing: lost };
      };
      const scene: Scene = { page, missing, failure, noises, turnTo, close };
      return scene;
    },
    async close(): Promise<void> {
      for (const context of contexts.values()) await (await context).close();
    },
  };
}
