import type { Browser } from 'playwright-core';
import { axeFaults } from '../../browser/axe-faults.ts';
import type { Size, State } from '../state.ts';
import { type Layout, READ_LAYOUT } from './page-reading.ts';
import { makeTour, type Scene, type Theme } from './visit.ts';
import type { World } from './world.ts';

/** What was seen of a state in one size; empty lists are good. */
export interface Verdict {
  missing: ReadonlySet<string>;
  /** Why it could not be brought about. */
  failures: string[];
  axe: string[];
  noises: string[];
  layout: Layout;
  /** Opened in this size, not turned to it: only then has its stillness been seen. */
  wasOpened: boolean;
}

export type OnVerdict = (state: State, size: Size, verdict: Verdict) => void;

const themes: Record<Size, Theme> = { phone: 'light', desktop: 'dark' };
/** A layout shift of Lighthouse's good pages is five times as much. */
export const MAX_SHIFT = 0.02;
/** Chromium takes for a shift without input what an answer draws later than half a second after a click. */
export const MAX_ACT_SHIFT = 0.1;

/** A page has one heading, but none while all that it shows is a spinner. */
export const headingsOf = ({ headless }: State): number => (headless ? 0 : 1);

function isGood(state: State, { missing, failures, axe, noises, layout, wasOpened }: Verdict): boolean {
  const { shift, actShift, tooWide, headings } = layout;
  const faults = missing.size + failures.length + axe.length + noises.length;
  return (
    faults === 0 &&
    (!wasOpened || (shift <= MAX_SHIFT && actShift <= MAX_ACT_SHIFT)) &&
    tooWide === 0 &&
    headings.length === headingsOf(state)
  );
}

async function look(state: State, { page, missing, failure, noises }: Scene, wasOpened: boolean): Promise<Verdict> {
  return {
    missing,
    failures: failure === undefined ? [] : [failure],
    axe: (await axeFaults(page)).filter((fault) => !state.headless || !fault.startsWith('page-has-heading-one')),
    layout: await page.evaluate<Layout>(READ_LAYOUT),
    noises: noises(),
    wasOpened,
  };
}

/**
 * Visits states, some at a time, and judges each: light on phones, dark on desktops. One visit does for both sizes: it
 * begins in the first and is turned to the second.
 */
export async function judgeAll(
  browser: Browser,
  world: World,
  visits: readonly { state: State; sizes: readonly Size[] }[],
  atOnce: number,
  onVerdict: OnVerdict,
): Promise<void> {
  const tour = makeTour(browser, world);

  /** A busy machine may stall once, and a popup closes when the screen turns; what is broken is so twice. */
  async function judgeAgain(state: State, size: Size): Promise<void> {
    const scene = await tour.open(state, size, themes[size]);
    try {
      onVerdict(state, size, await look(state, scene, true));
    } finally {
      await scene.close();
    }
  }

  async function judge(state: State, [first, second]: readonly Size[]): Promise<void> {
    if (!first) return;
    const again: Size[] = [];
    const note = (size: Size, verdict: Verdict) => {
      if (isGood(state, verdict)) onVerdict(state, size, verdict);
      else again.push(size);
    };
    const scene = await tour.open(state, first, themes[first]);
    try {
      note(first, await look(state, scene, true));
      if (second) note(second, await look(state, await scene.turnTo(second, themes[second]), false));
    } finally {
      await scene.close();
    }
    for (const size of again) await judgeAgain(state, size);
  }

  const waiting = [...visits];
  const walk = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await judge(next.state, next.sizes);
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  await tour.close();
}
