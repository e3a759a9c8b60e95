import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canBrowse, lotWatch, openBrowser } from './browser/support.ts';
import { allStates } from './states/all-states.ts';
import { specTexts } from './states/spec-texts.ts';
import type { Size, State } from './states/state.ts';
import { headingsOf, judgeAll, MAX_SHIFT, type Verdict } from './states/tour/judge.ts';
import { wantedOf } from './states/tour/wanted.ts';
import { makeWorld, type World } from './states/tour/world.ts';

/** More visits at once than cores only wait for each other. */
const AT_ONCE = 3;

/**
 * The sizes that a state is seen in: it is opened in the first, by turns a phone's or a desktop's. An action that fails
 * on purpose looks in both as before it, but for its toast, so one does.
 */
function sizesOf({ sizes, prepare, act }: State, index: number): readonly Size[] {
  if (sizes) return sizes;
  const both: readonly Size[] = index % 2 === 0 ? ['phone', 'desktop'] : ['desktop', 'phone'];
  return prepare && act ? both.slice(0, 1) : both;
}

/** `STATES='dashboard|alert/off'` visits only states whose name it matches. */
const visits = allStates
  .filter(({ name }) => new RegExp(process.env.STATES ?? '').test(name))
  .map((state, index) => ({ name: state.name, state, sizes: sizesOf(state, index) }));
const sights = visits.flatMap(({ sizes, ...visit }) => sizes.map((size) => ({ ...visit, size })));
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

  describe.each(sights)('$name on a $size', ({ state, size }) => {
    it.each(wantedOf(state))('shows: $text', ({ text }) => {
      expect(verdictOn(state, size).missing.has(text)).toBe(false);
    });
    it('is brought about', () => expect(verdictOn(state, size).failures).toEqual([]));
    it('has no fault that axe finds', () => expect(verdictOn(state, size).axe).toEqual([]));
    it('makes no noise on the console, and asks only LotWatch', () =>
      expect(verdictOn(state, size).noises).toEqual([]));
    it('has one heading once it is there, and is no wider than the screen', () => {
      const { headings, tooWide } = verdictOn(state, size).layout;
      expect(headings).toHaveLength(headingsOf(state));
      expect(tooWide).toBe(0);
    });
  });

  it.each(visits)('$name stays still while it opens', ({ state, sizes }) => {
    const opened = sizes.map((size) => verdictOn(state, size)).filter(({ wasOpened }) => wasOpened);
    expect(opened.length).toBeGreaterThan(0);
    for (const { layout } of opened) expect(layout.shift, layout.shiftedMost).toBeLessThanOrEqual(MAX_SHIFT);
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
