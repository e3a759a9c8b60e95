import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Size, State } from '../state.ts';
import type { Picture } from './gallery.ts';
import { STABLE } from './page-reading.ts';
import { makeTour, type Scene, type Theme } from './visit.ts';
import type { World } from './world.ts';

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

async function takeBoth(scene: Scene, state: State, size: Size, folder: string): Promise<Picture[]> {
  const faults = [...scene.missing].map((text) => `not shown: ${text}`);
  if (scene.failure !== undefined) faults.push(scene.failure);
  faults.push(...scene.noises());
  const pictures: Picture[] = [];
  await growToPage(scene.page);
  for (const theme of ['light', 'dark'] as const) {
    await scene.page.emulateMedia({ colorScheme: theme });
    await scene.page.evaluate(STABLE);
    await sleep(STILL_MS);
    const file = `${state.name.replace('/', '-')}-${size}-${theme}.png`;
    await scene.page.screenshot({ path: join(folder, file) });
    pictures.push({ state: state.name, size, theme, file, faults });
  }
  return pictures;
}

/** Takes pictures of every state in both sizes and themes, several at a time. */
export async function takeAll(
  browser: Browser,
  world: World,
  states: readonly State[],
  folder: string,
  onPicture: (pictures: Picture[], left: number) => void,
): Promise<Picture[]> {
  mkdirSync(folder, { recursive: true });
  const tour = makeTour(browser, world);
  const waiting = states.flatMap(({ sizes = ['phone', 'desktop'], ...state }) =>
    sizes.map((size) => [state as State, size] as const),
  );
  const taken = new Map<string, Picture[]>(waiting.map(([{ name }, size]) => [`${name} ${size}`, []]));
  const walk = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [state, size] = next;
      const scene = await tour.open(state, size, 'light');
      const pictures = await takeBoth(scene, state, size, folder);
      await scene.close();
      taken.set(`${state.name} ${size}`, pictures);
      onPicture(pictures, waiting.length);
    }
  };
  await Promise.all([walk(), walk()]);
  await tour.close();
  return [...taken.values()].flat();
}

/** Takes a picture of one screen of a state, not of the whole page. @param until a text that may appear late */
export async function takeScreen(
  browser: Browser,
  world: World,
  state: State,
  size: Size,
  theme: Theme,
  path: string,
  until: string,
): Promise<void> {
  const tour = makeTour(browser, world);
  const { page } = await tour.open(state, size, theme);
  await page.getByText(until).first().waitFor({ timeout: LATE_MS });
  await page.evaluate(STABLE);
  await sleep(STILL_MS);
  await page.screenshot({ path });
  await tour.close();
}
