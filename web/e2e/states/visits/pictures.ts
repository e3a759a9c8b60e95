import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Size, State } from '../state.ts';
import type { Fixtures } from './fixtures.ts';
import type { Picture } from './gallery.ts';
import { makeStateOpener, type OpenState, type Theme } from './open-states.ts';
import { STABLE } from './page-scripts.ts';

/** The maximum height of a picture. */
const MAX_HEIGHT = 3000;
/** The height of the page, after fixing minimum heights that follow the screen's; 0 for a dialog, which keeps its screen. */
const HEIGHT = `(() => {
  if (document.querySelector('[role=dialog], [role=alertdialog]')) return 0;
  document.querySelector('main').style.minHeight = innerHeight - 65 + 'px';
  return document.documentElement.scrollHeight;
})()`;
/** Elements that must be unchanged until the animations end. */
const STILL_MS = 250;
/** The figures of the last mails arrive with the next push. */
const LATE_MS = 90_000;

/** Makes the screen as high as the page, so that bars are at its end; dialogs keep their screen. */
async function growToPage(page: Page): Promise<void> {
  const screen = page.viewportSize();
  const height = await page.evaluate<number>(HEIGHT);
  if (!screen || height <= screen.height) return;
  await page.setViewportSize({ width: screen.width, height: Math.min(height, MAX_HEIGHT) });
}

async function takeBoth(opened: OpenState, state: State, size: Size, folder: string): Promise<Picture[]> {
  const faults = [...opened.missing].map((text) => `not shown: ${text}`);
  if (opened.failure !== undefined) faults.push(opened.failure);
  faults.push(...opened.pageErrors());
  const pictures: Picture[] = [];
  await growToPage(opened.page);
  for (const theme of ['light', 'dark'] as const) {
    await opened.page.emulateMedia({ colorScheme: theme });
    await opened.page.evaluate(STABLE);
    await sleep(STILL_MS);
    const file = `${state.name.replace('/', '-')}-${size}-${theme}.png`;
    await opened.page.screenshot({ path: join(folder, file) });
    pictures.push({ state: state.name, size, theme, file, faults });
  }
  return pictures;
}

/** Takes pictures of every state in both sizes and themes, several at a time. */
export async function takeAll(
  browser: Browser,
  fixtures: Fixtures,
  states: readonly State[],
  folder: string,
  onPicture: (pictures: Picture[], left: number) => void,
): Promise<Picture[]> {
  mkdirSync(folder, { recursive: true });
  const opener = makeStateOpener(browser, fixtures);
  const waiting = states.flatMap(({ sizes = ['phone', 'desktop'], ...state }) =>
    sizes.map((size) => [state as State, size] as const),
  );
  const taken = new Map<string, Picture[]>(waiting.map(([{ name }, size]) => [`${name} ${size}`, []]));
  const walk = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [state, size] = next;
      const opened = await opener.open(state, size, 'light');
      const pictures = await takeBoth(opened, state, size, folder);
      await opened.close();
      taken.set(`${state.name} ${size}`, pictures);
      onPicture(pictures, waiting.length);
    }
  };
  await Promise.all([walk(), walk()]);
  await opener.close();
  return [...taken.values()].flat();
}

/** Takes a picture of one screen of a state, not of the whole page. @param until a text that may appear late */
export async function takeScreen(
  browser: Browser,
  fixtures: Fixtures,
  state: State,
  size: Size,
  theme: Theme,
  path: string,
  until: string,
): Promise<void> {
  const opener = makeStateOpener(browser, fixtures);
  const { page } = await opener.open(state, size, theme);
  await page.getByText(until).first().waitFor({ timeout: LATE_MS });
  await page.evaluate(STABLE);
  await sleep(STILL_MS);
  await page.screenshot({ path });
  await opener.close();
}
