import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canBrowse, lotWatch, openBrowser } from './browser/support.ts';
import { allStates } from './states/all-states.ts';
import { specTexts } from './states/spec-texts.ts';
import type { Size, State } from './states/state.ts';
import { judgeAll, MAX_SHIFT, type Verdict } from './states/tour/judge.ts';
import { wantedOf } from './states/tour/wanted.ts';
import { makeWorld, type World } from './states/tour/world.ts';

/** More visits at once than cores only wait for each other. */
const AT_ONCE = 3;

/** An action that fails on purpose looks in both sizes as before it, but for its toast: those take turns. */
function sizesOf({ sizes, prepare, act }: State, index: number): readonly Size[] {
  if (sizes) return sizes;
  if (prepare && act) return [index % 2 === 0 ? 'phone' : 'desktop'];
  return ['phone', 'desktop'];
}

/** `STATES='dashboard|alert/off'` visits only states whose name it matches. */
const chosen = allStates.filter(({ name }) => new RegExp(process.env.STATES ?? '').test(name));
const visits = chosen.flatMap((state, index) =>
  sizesOf(state, index).map((size) => ({ name: state.name, state, size })),
);
const pageOf = ({ name }: State): string => name.split('/')[0] ?? '';

describe.skipIf(!canBrowse)('every page in every condition', () => {
  const verdicts = new Map<string, Verdict>();
  let world: World | undefined;

  beforeAll(async () => {
    const browser = await openBrowser();
    world = await makeWorld(lotWatch());
    await judgeAll(browser, world, visits, AT_ONCE, ({ name }, size, verdict) =>
      verdicts.set(`${name} ${size}`, verdict),
    );
    await browser.close();
  }, 600_000);
  afterAll(() => world?.close());

  const verdictOn = ({ name }: State, size: Size): Verdict => {
    const verdict = verdicts.get(`${name} ${size}`);
    if (!verdict) throw new Error(`${name} was not visited`);
    return verdict;
  };

  describe.each(visits)('$name on a $size', ({ state, size }) => {
    it.each(wantedOf(state))('shows: $text', ({ text }) => {
      expect(verdictOn(state, size).missing.has(text)).toBe(false);
    });
    it('is brought about', () => expect(verdictOn(state, size).failures).toEqual([]));
    it('has no fault that axe finds', () => expect(verdictOn(state, size).axe).toEqual([]));
    it('makes no noise on the console, and asks only LotWatch', () =>
      expect(verdictOn(state, size).noises).toEqual([]));
    it('has one heading, stays still, and is no wider than the screen', () => {
      const { headings, shift, shiftedMost, tooWide } = verdictOn(state, size).layout;
      expect(headings).toHaveLength(1);
      expect(tooWide).toBe(0);
      expect(shift, shiftedMost).toBeLessThanOrEqual(MAX_SHIFT);
    });
  });
});

describe('the texts of the specification', () => {
  it('has states with names of their own', () => {
    expect(new Set(allStates.map(({ name }) => name)).size).toBe(allStates.length);
  });

  it.each(specTexts)('$section is shown somewhere: $text', (one) => {
    const pages = new Set(allStates.filter(({ texts }) => texts.includes(one.text)).map(pageOf));
    expect(pages.size).toBeGreaterThanOrEqual('pages' in one ? one.pages : 1);
  });
});
