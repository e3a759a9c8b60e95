import type { Browser } from 'playwright-core';
import { axeFaults } from '../../browser/axe-faults.ts';
import type { Size, State } from '../state.ts';
import { type Layout, READ_LAYOUT } from './page-reading.ts';
import { makeTour, type Theme } from './visit.ts';
import type { World } from './world.ts';

/** What was seen of a state in one size; empty lists are good. */
export interface Verdict {
  missing: ReadonlySet<string>;
  /** Why it could not be brought about. */
  failures: string[];
  axe: string[];
  noises: string[];
  layout: Layout;
}

const themes: Record<Size, Theme> = { phone: 'light', desktop: 'dark' };
/** Visits states, some at a time, and judges each: light on phones, dark on desktops. */
export async function judgeAll(
  browser: Browser,
  world: World,
  visits: readonly (readonly [State, Size])[],
  atOnce: number,
  onVerdict: (state: State, size: Size, verdict: Verdict) => void,
): Promise<void> {
  const tour = makeTour(browser, world);

  async function judge(state: State, size: Size): Promise<Verdict> {
    const scene = await tour.open(state, size, themes[size]);
    try {
      return {
        missing: scene.missing,
        failures: scene.failure === undefined ? [] : [scene.failure],
        axe: await axeFaults(scene.page),
        layout: await scene.page.evaluate<Layout>(READ_LAYOUT),
        noises: scene.noises(),
      };
    } finally {
      await scene.close();
    }
  }

  const waiting = [...visits];
  const walk = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) onVerdict(...next, await judge(...next));
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  await tour.close();
}
