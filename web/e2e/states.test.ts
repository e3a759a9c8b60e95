import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canBrowse, lotWatch, openBrowser } from './browser/support.ts';
import { allStates } from './states/all-states.ts';
import { specTexts } from './states/spec-texts.ts';
import type { Size, State } from './states/state.ts';
import { checkStates, type Visit } from './states/visits/check-states.ts';
import { createFixtures, type Fixtures } from './states/visits/fixtures.ts';
import type { Theme } from './states/visits/open-states.ts';

/** More concurrent visits than cores would only wait for each other. */
const CONCURRENT = 3;

const pageOf = ({ name }: State): string => name.split('/')[0] ?? '';
const sizes: readonly Size[] = ['phone', 'desktop'];
const themes: Record<Size, [Theme, Theme]> = { phone: ['light', 'dark'], desktop: ['dark', 'light'] };

/** `STATES='dashboard|alert/off'` visits only states whose name it matches. */
const states = allStates.filter(({ name }) => new RegExp(process.env.STATES ?? '').test(name));

/** Each state once, alternately on a phone in light mode and on a desktop in dark mode. */
const firstVisits = states.map((state, index): Visit => {
  const size = state.sizes?.[0] ?? sizes[index % 2] ?? 'phone';
  return { state, size, themes: [themes[size][0]] };
});
/** `npm test` opens the states in which a page can load. Tests of the features cover the clicks that lead to the others. */
const afterLoading = firstVisits.filter(({ state }) => !state.act && !state.isLong);
const afterClick = firstVisits.filter(({ state }) => state.act || state.isLong);
/** The other theme, and the other size where the state has one. */
const otherVisits = states.flatMap((state, index): Visit[] => {
  const size = firstVisits[index]?.size ?? 'phone';
  const rest = (state.sizes ?? sizes).filter((other) => other !== size);
  return [
    { state, size, themes: [themes[size][1]] },
    ...rest.map((other) => ({ state, size: other, themes: themes[other] })),
  ];
});

/** Made once a file: its users have the same names in every run. */
let fixtures: Promise<Fixtures> | undefined;
afterAll(async () => (await fixtures)?.close());

/** One test for each visit, which lists all its faults. */
function visitAll(visits: readonly Visit[]): void {
  let results = new Map<Visit, Promise<string[]>>();

  beforeAll(async () => {
    fixtures ??= createFixtures(lotWatch());
    // Each row waits for its own visit, however long all of them take.
    results = checkStates(await openBrowser(), await fixtures, visits, CONCURRENT);
  });
  afterAll(() => Promise.allSettled(results.values()));

  for (const visit of visits) {
    it(`${visit.state.name} on a ${visit.size}, ${visit.themes.join(' and ')}`, async () => {
      expect((await results.get(visit))?.join('\n')).toBe('');
    });
  }
}

describe.skipIf(!canBrowse)('every page in every condition', () => {
  describe('in which it can load', () => visitAll(afterLoading));
  describe('that needs a click, or looks like another', { tags: 'long' }, () => visitAll(afterClick));
  describe('on every other screen', { tags: 'long' }, () => visitAll(otherVisits));
});

describe('the texts of the specification', () => {
  it('have states with unique names', () => {
    expect(new Set(allStates.map(({ name }) => name)).size).toBe(allStates.length);
  });

  it('and the states are loaded by the command that takes pictures, without the test runner', async () => {
    const load = `await import(${JSON.stringify(import.meta.resolve('./states/all-states.ts'))})`;
    await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', load]);
  });

  it.each(specTexts)('$section is shown in a state: $text', (one) => {
    const pages = new Set(allStates.filter(({ texts }) => texts.includes(one.text)).map(pageOf));
    expect(pages.size).toBeGreaterThanOrEqual('pages' in one ? one.pages : 1);
  });
});
