import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canBrowse, lotWatch, openBrowser } from './browser/support.ts';
import { allStates } from './states/all-states.ts';
import { specTexts } from './states/spec-texts.ts';
import type { Size, State } from './states/state.ts';
import { headingsOf, judgeAll, MAX_ACT_SHIFT, MAX_SHIFT, type Verdict } from './states/tour/judge.ts';
import { wantedOf } from './states/tour/wanted.ts';
import { makeWorld, type World } from './states/tour/world.ts';

/** More visits at once than cores only wait for each other. */
const AT_ONCE = 3;

const pageOf = ({ name }: State): string => name.split('/')[0] ?? '';
/** The first state of each page stands for its frame in both sizes; the others are by turns a phone's or a desktop's. */
const firstOfPage = new Set([...Map.groupBy(allStates, pageOf).values()].map(([first]) => first));

function sizesOf(state: State, index: number): readonly Size[] {
  if (state.sizes) return state.sizes;
  const both: readonly Size[] = index % 2 === 0 ? ['phone', 'desktop'] : ['desktop', 'phone'];
  return firstOfPage.has(state) ? both : both.slice(0, 1);
}

/** `STATES='dashboard|alert/off'` visits only states whose name it matches. */
const visits = allStates
  .filter(({ name }) => new RegExp(process.env.STATES ?? '').test(name))
  .map((state, index) => ({ name: state.name, state, sizes: sizesOf(state, index) }));
const sights = visits.flatMap(({ sizes, ...visit }) => sizes.map((size) => ({ ...visit, size })));

describe.skipIf(!canBrowse)('every page in every condition', () => {
  const verdicts = new Map(sights.map(({ name, size }) => [`${name} ${size}`, Promise.withResolvers<Verdict>()]));
  let world: World | undefined;
  let touring: Promise<void> | undefined;

  beforeAll(async () => {
    const browser = await openBrowser();
    world = await makeWorld(lotWatch());
    // Each row waits for its own visit, however long a busy machine takes for all of them.
    touring = judgeAll(browser, world, visits, AT_ONCE, ({ name }, size, verdict) =>
      verdicts.get(`${name} ${size}`)?.resolve(verdict),
    ).catch((error: unknown) => {
      for (const { promise, reject } of verdicts.values()) {
        promise.catch(() => undefined);
        reject(error);
      }
    });
  });
  afterAll(async () => {
    await touring;
    await world?.close();
  });

  const verdictOn = async ({ name }: State, size: Size): Promise<Verdict> => {
    const verdict = await verdicts.get(`${name} ${size}`)?.promise;
    if (!verdict) throw new Error(`${name} is not visited`);
    return verdict;
  };

  describe.each(sights)('$name on a $size', ({ state, size }) => {
    it.each(wantedOf(state))('shows: $text', async ({ text }) => {
      expect((await verdictOn(state, size)).missing.has(text)).toBe(false);
    });
    it('is brought about', async () => expect((await verdictOn(state, size)).failures).toEqual([]));
    it('has no fault that axe finds', async () => expect((await verdictOn(state, size)).axe).toEqual([]));
    it('makes no noise on the console, and asks only LotWatch', async () =>
      expect((await verdictOn(state, size)).noises).toEqual([]));
    it('has one heading once it is there, and is no wider than the screen', async () => {
      const { headings, tooWide } = (await verdictOn(state, size)).layout;
      expect(headings).toHaveLength(headingsOf(state));
      expect(tooWide).toBe(0);
    });
  });

  it.each(visits)('$name stays still while it opens', async ({ state, sizes }) => {
    const seen = await Promise.all(sizes.map((size) => verdictOn(state, size)));
    const opened = seen.filter(({ wasOpened }) => wasOpened);
    expect(opened.length).toBeGreaterThan(0);
    for (const { layout } of opened) {
      expect(layout.shift, layout.shiftedMost).toBeLessThanOrEqual(MAX_SHIFT);
      expect(layout.actShift, layout.shiftedMost).toBeLessThanOrEqual(MAX_ACT_SHIFT);
    }
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
