import type { Browser } from 'playwright-core';
import { axeFaults } from '../../browser/page-faults.ts';
import type { Size, State } from '../state.ts';
import { type Layout, READ_LAYOUT, STABLE } from './page-reading.ts';
import { makeTour, type Scene, type Theme } from './visit.ts';
import type { World } from './world.ts';

/** One visit of a state: opened on a screen of this size in the first theme, and then switched to the others. */
export interface Sight {
  state: State;
  size: Size;
  themes: readonly [Theme, ...Theme[]];
}

/** A fifth of the layout shift that Lighthouse rates as good. */
export const MAX_SHIFT = 0.02;
/** Chromium counts a shift as unexpected if an answer is drawn more than half a second after a click. */
const MAX_ACT_SHIFT = 0.1;

function layoutFaults({ headless }: State, { headings, tooWide, shift, actShift, shiftedMost }: Layout): string[] {
  const faults: string[] = [];
  // A page has one heading, except while it shows only a spinner.
  if (headings.length !== (headless ? 0 : 1)) faults.push(`headings of level 1: ${JSON.stringify(headings)}`);
  if (tooWide > 0) faults.push(`wider than the screen by ${tooWide} px`);
  if (shift > MAX_SHIFT) faults.push(`moves by ${shift.toFixed(3)} while it opens: ${shiftedMost}`);
  if (actShift > MAX_ACT_SHIFT) faults.push(`moves by ${actShift.toFixed(3)} after its act: ${shiftedMost}`);
  return faults;
}

async function look({ state, themes }: Sight, scene: Scene): Promise<string[]> {
  const { page, missing, failure, noises } = scene;
  const faults = [...missing].map((text) => `does not show: ${text}`);
  if (failure !== undefined) faults.unshift(`is not brought about: ${failure}`);
  const [first] = themes;
  for (const theme of themes) {
    if (theme !== first) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(STABLE);
    }
    const found = (await axeFaults(page)).filter(
      (fault) => !state.headless || !fault.startsWith('page-has-heading-one'),
    );
    faults.push(...found.map((fault) => `axe, ${theme}: ${fault}`));
  }
  faults.push(...layoutFaults(state, await page.evaluate<Layout>(READ_LAYOUT)));
  faults.push(...noises().map((noise) => `console or request: ${noise}`));
  return faults;
}

/** Visits states, several at a time. @returns the faults of each visit */
export function judgeAll(
  browser: Browser,
  world: World,
  sights: readonly Sight[],
  concurrency: number,
): Map<Sight, Promise<string[]>> {
  const tour = makeTour(browser, world);
  const verdicts = new Map(sights.map((sight) => [sight, Promise.withResolvers<string[]>()]));
  const judge = async (sight: Sight): Promise<string[]> => {
    const scene = await tour.open(sight.state, sight.size, sight.themes[0]);
    try {
      return await look(sight, scene);
    } finally {
      await scene.close();
    }
  };
  const waiting = [...verdicts];
  const walk = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [sight, { promise, resolve, reject }] = next;
      promise.catch(() => undefined);
      await judge(sight).then(resolve, reject);
    }
  };
  void Promise.all(Array.from({ length: concurrency }, walk)).then(() => tour.close());
  return new Map([...verdicts].map(([sight, { promise }]) => [sight, promise]));
}
