import type { Page } from 'playwright-core';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const page = { path: '/settings/api', texts: [] } as const;
const onElite = (_page: Page, { pool }: Fixtures, me: Person) =>
  pool.query('update users set plan_id = 4 where username = $1', [me.name]);

async function createKey(page: Page): Promise<void> {
  const keys = page.locator('section[aria-labelledby=keys]');
  await keys.getByRole('button').first().click();
  await page.locator('dialog input[name=name]').fill('Inventory sync');
  await page.locator('dialog button').last().click();
}

export const apiSettingsStates: readonly State[] = [
  {
    ...page,
    name: 'api-settings/upgrade',
    isLong: true,
    who: 'user',
    also: ['The API is part of the Elite plan', 'Upgrade'],
  },
  {
    ...page,
    name: 'api-settings/no-keys',
    who: 'new',
    also: ['No keys yet', 'No requests in the last 7 days.', 'Your first call'],
    prepare: onElite,
  },
  {
    ...page,
    name: 'api-settings/name-refused',
    who: 'new',
    sizes: ['phone'],
    also: ['Please give the key a name'],
    prepare: onElite,
    async act(page) {
      await page.locator('section[aria-labelledby=keys]').getByRole('button').first().click();
      await page.locator('dialog button').last().click();
    },
  },
  {
    ...page,
    name: 'api-settings/revoking',
    who: 'new',
    sizes: ['desktop'],
    also: ['Revoke “Inventory sync”?', 'Revoke Key'],
    prepare: onElite,
    async act(page) {
      await createKey(page);
      await page.locator('section[aria-labelledby=keys] li').getByRole('button').last().click();
    },
  },
  {
    ...page,
    name: 'api-settings/loading',
    isLong: true,
    who: 'new',
    sizes: ['desktop'],
    also: ['Loading your plan'],
    prepare: (page) => holding(page, 'CurrentSubscription'),
  },
  {
    ...page,
    name: 'api-settings/failed',
    isLong: true,
    who: 'new',
    sizes: ['desktop'],
    also: ['Your keys could not be loaded', 'The usage could not be loaded'],
    async prepare(page, fixtures, me) {
      await onElite(page, fixtures, me);
      await failing(page, 'ApiKeys', INTERNAL_ERROR);
      await failing(page, 'ApiUsage', INTERNAL_ERROR);
    },
  },
];
