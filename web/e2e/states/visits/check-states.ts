import type { Browser, Page } from 'playwright-core';
import * as geometry from '../../browser/geometry.ts';
import { axeFaults } from '../../browser/page-faults.ts';
import type { Size, State } from '../state.ts';
import type { Fixtures } from './fixtures.ts';
import { makeStateOpener, type OpenState, type Theme } from './open-states.ts';
import { type Layout, READ_LAYOUT, STABLE } from './page-scripts.ts';

/** One visit of a state: opened on a screen of this size in the first theme, and then switched to the others. */
export interface Visit {
  state: State;
  size: Size;
  themes: readonly [Theme, ...Theme[]];
}

/** A fifth of the layout shift that Lighthouse rates as good. */
export const MAX_SHIFT = 0.02;
/** Chromium counts a shift as unexpected if an answer is drawn more than half a second after a click. */
const MAX_ACT_SHIFT = 0.1;

function layoutFaults({ hasNoHeading }: State, { headings, tooWide, shift, actShift, shiftedMost }: Layout): string[] {
  const faults: string[] = [];
  // A page has one heading, except while it shows only a spinner.
  if (headings.length !== (hasNoHeading ? 0 : 1)) faults.push(`headings of level 1: ${JSON.stringify(headings)}`);
  if (tooWide > 0) faults.push(`wider than the screen by ${tooWide} px`);
  if (shift > MAX_SHIFT) faults.push(`moves by ${shift.toFixed(3)} while it opens: ${shiftedMost}`);
  if (actShift > MAX_ACT_SHIFT) faults.push(`moves by ${actShift.toFixed(3)} after its act: ${shiftedMost}`);
  return faults;
}

/** The smallest phone. */
const NARROW = { width: 320, height: 640 };

/** What leaves the screen, its card or its button on the smallest phone. */
async function narrowFaults(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize(NARROW);
  await page.evaluate(STABLE);
  const faults = await geometry.layoutFaults(page);
  if (before) await page.setViewportSize(before);
  return faults.map((fault) => `${NARROW.width} px wide: ${fault}`);
}

async function checkPage({ state, size, themes }: Visit, opened: OpenState): Promise<string[]> {
  const { page, missing, failure, pageErrors } = opened;
  const faults = [...missing].map((text) => `does not show: ${text}`);
  if (failure !== undefined) faults.unshift(`is not brought about: ${failure}`);
  const [first] = themes;
  for (const theme of themes) {
    if (theme !== first) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(STABLE);
    }
    const found = (await axeFaults(page)).filter(
      (fault) => !state.hasNoHeading || !fault.startsWith('page-has-heading-one'),
    );
    faults.push(...found.map((fault) => `axe, ${theme}: ${fault}`));
  }
  faults.push(...layoutFaults(state, await page.evaluate<Layout>(READ_LAYOUT)));
  if (size === 'phone') faults.push(...(await narrowFaults(page)));
  faults.push(...pageErrors().map((pageError) => `console or request: ${pageError}`));
  return faults;
}

/** Visits states, several at a time. @returns the faults of each visit */
export function checkStates(
  browser: Browser,
  fixtures: Fixtures,
  visits: readonly Visit[],
  concurrency: number,
): Map<Visit, Promise<string[]>> {
  const opener = makeStateOpener(browser, fixtures);
  const results = new Map(visits.map((visit) => [visit, Promise.withResolvers<string[]>()]));
  const check = async (visit: Visit): Promise<string[]> => {
    const opened = await opener.open(visit.state, visit.size, visit.themes[0]);
    try {
      return await checkPage(visit, opened);
    } finally {
      await opened.close();
    }
  };
  const waiting = [...results];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [visit, { promise, resolve, reject }] = next;
      promise.catch(() => undefined);
      await check(visit).then(resolve, reject);
    }
  };
  void Promise.all(Array.from({ length: concurrency }, work)).then(() => opener.close());
  return new Map([...results].map(([visit, { promise }]) => [visit, promise]));
}
