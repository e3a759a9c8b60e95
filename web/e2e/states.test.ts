import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canBrowse, lotWatch, openBrowser } from './browser/support.ts';
import { allStates } from './states/all-states.ts';
import { specTexts } from './states/spec-texts.ts';
import type { Size, State } from './states/state.ts';
import { judgeAll, type Sight } from './states/tour/judge.ts';
import type { Theme } from './states/tour/visit.ts';
import { makeWorld, type World } from './states/tour/world.ts';

/** More visits at once than cores only wait for each other. */
const AT_ONCE = 3;

const pageOf = ({ name }: State): string => name.split('/')[0] ?? '';
const sizes: readonly Size[] = ['phone', 'desktop'];
const themes: Record<Size, [Theme, Theme]> = { phone: ['light', 'dark'], desktop: ['dark', 'light'] };

/** `STATES='dashboard|alert/off'` visits only states whose name it matches. */
const states = allStates.filter(({ name }) => new RegExp(process.env.STATES ?? '').test(name));

/** Each state once: on a phone in light or on a desktop in dark, by turns. */
const once = states.map((state, index): Sight => {
  const size = state.sizes?.[0] ?? sizes[index % 2] ?? 'phone';
  return { state, size, themes: [themes[size][0]] };
});
/** `npm test` opens those that a page comes up in. What leads to the others is clicked by the tests of its feature. */
const opened = once.filter(({ state }) => !state.act);
const broughtAbout = once.filter(({ state }) => state.act);
/** The other theme, and the other size where the state has one. */
const others = states.flatMap((state, index): Sight[] => {
  const size = once[index]?.size ?? 'phone';
  const rest = (state.sizes ?? sizes).filter((other) => other !== size);
  return [
    { state, size, themes: [themes[size][1]] },
    ...rest.map((other) => ({ state, size: other, themes: themes[other] })),
  ];
});

/** Made once a file: its people have the same names wherever they are. */
let world: Promise<World> | undefined;
afterAll(async () => (await world)?.close());

/** One visit a sight, each a test that says all that is wrong with it. */
function visitAll(sights: readonly Sight[]): void {
  let verdicts = new Map<Sight, Promise<string[]>>();

  beforeAll(async () => {
    world ??= makeWorld(lotWatch());
    // Each row waits for its own visit, however long a busy machine takes for all of them.
    verdicts = judgeAll(await openBrowser(), await world, sights, AT_ONCE);
  });
  afterAll(() => Promise.allSettled(verdicts.values()));

  for (const sight of sights) {
    it(`${sight.state.name} on a ${sight.size}, ${sight.themes.join(' and ')}`, async () => {
      expect((await verdicts.get(sight))?.join('\n')).toBe('');
    });
  }
}

describe.skipIf(!canBrowse)('every page in every condition', () => {
  describe('that it comes up in', () => visitAll(opened));
  describe('that someone brings about', { tags: 'long' }, () => visitAll(broughtAbout));
  describe('on every other screen', { tags: 'long' }, () => visitAll(others));
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
