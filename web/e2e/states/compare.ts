import type { Page } from 'playwright-core';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

/** Opens the comparison of the newest matches of an alert. */
async function compare(page: Page, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1)
    await page.locator('article button[aria-pressed]:has-text("Compare")').nth(at).click();
  await page.locator('a[href^="/compare?ids="]').click();
}
const alertPage = (fixtures: Fixtures) => `/alert/${fixtures.alerts.supra}`;
const page = { path: '/compare?ids=1', texts: [] } as const;

export const compareStates: readonly State[] = [
  {
    name: 'compare/chosen',
    who: 'user',
    path: alertPage,
    texts: ['View on Marketplace'],
    also: ['2 of 4', 'Compare 2 cars', 'Clear'],
    sizes: ['phone', 'desktop'],
    ownPage: true,
    async act(page) {
      for (const at of [0, 1]) await page.locator('article button[aria-pressed]:has-text("Compare")').nth(at).click();
    },
  },
  {
    name: 'compare/filled',
    who: 'user',
    path: alertPage,
    texts: [],
    also: ['Compare Cars', 'Lowest price', 'Time on sale', 'Your note'],
    sizes: ['phone', 'desktop'],
    ownPage: true,
    act: (page) => compare(page, 3),
  },
  {
    ...page,
    path: '/compare',
    name: 'compare/empty',
    who: 'empty',
    also: ['No Cars to Compare Yet', 'See your matches'],
  },
  {
    ...page,
    name: 'compare/gone',
    isLong: true,
    who: 'empty',
    sizes: ['phone'],
    also: ['No Cars Left to Compare', '1 car is no longer among your matches or saved cars.'],
  },
  {
    ...page,
    name: 'compare/loading',
    isLong: true,
    who: 'user',
    sizes: ['desktop'],
    also: ['Loading the cars'],
    prepare: (page) => holding(page, 'CompareCars'),
  },
  {
    ...page,
    name: 'compare/failed',
    isLong: true,
    who: 'user',
    sizes: ['phone'],
    also: ['The cars could not be loaded'],
    prepare: (page) => failing(page, 'CompareCars', INTERNAL_ERROR),
  },
];
