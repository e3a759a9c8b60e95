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
/** A layout shift of Lighthouse's good pages is five times as much. */
export const MAX_SHIFT = 0.02;

function isGood({ missing, failures, axe, noises, layout }: Verdict): boolean {
  const { shift, tooWide, headings } = layout;
  const faults = missing.size + failures.length + axe.length + noises.length;
  return faults === 0 && shift <= MAX_SHIFT && tooWide === 0 && headings.length === 1;
}

/** Visits states, some at a time, and judges each: light on phones, dark on desktops. */
export async function judgeAll(
  browser: Browser,
  world: World,
  visits: readonly { state: State; size: Size }[],
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

  /** A busy machine may stall once; what is broken is so twice. */
  async function judgeFairly(state: State, size: Size): Promise<Verdict> {
    const first = await judge(state, size);
    return isGood(first) ? first : judge(state, size);
  }

  const waiting = [...visits];
  const walk = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { state, size } = next;
      onVerdict(state, size, await judgeFairly(state, size));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  await tour.close();
}
