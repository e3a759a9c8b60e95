import type { Page } from 'playwright-core';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const alertPage = (name: keyof Fixtures['alerts']) => (fixtures: Fixtures) => `/alert/${fixtures.alerts[name]}`;
const marks = (page: Page) => page.getByRole('list', { name: 'Cars on the map' }).getByRole('button');

/** On phones the map is closed at first. */
async function openMap(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: 'Map', exact: true });
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

/** The map of an alert's matches. */
export const alertMapStates: readonly State[] = [
  {
    name: 'alert/map',
    who: 'user',
    path: alertPage('supra'),
    texts: ['View on Marketplace'],
    also: [/^\d cars? within 100 miles of Denver, CO$/, /^[2-5]$/],
    act: openMap,
  },
  {
    name: 'alert/map-place',
    who: 'user',
    path: alertPage('supra'),
    texts: [],
    also: [/^\d cars (in|around) /, 'Show', 'Place', 'Distance'],
    async act(page) {
      await openMap(page);
      await marks(page).first().click();
      await page.getByText('As a table').click();
    },
  },
  {
    name: 'alert/map-empty',
    who: 'user',
    path: alertPage('s2000'),
    texts: [],
    also: ['No cars yet within 50 miles of Boston, MA', 'No matching listings yet'],
    act: openMap,
  },
  {
    name: 'alert/map-loading',
    who: 'user',
    path: alertPage('supra'),
    texts: [],
    also: ['Loading the map'],
    prepare: (page) => holding(page, 'MatchMap'),
    act: openMap,
  },
  {
    name: 'alert/map-failed',
    who: 'user',
    path: alertPage('supra'),
    texts: ['Try Again', 'View on Marketplace'],
    also: ['The map could not be loaded'],
    prepare: (page) => failing(page, 'MatchMap', INTERNAL_ERROR),
    act: openMap,
  },
];
