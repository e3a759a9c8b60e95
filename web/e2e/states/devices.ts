import type { Page } from 'playwright-core';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import { logIn, PASSWORD, type Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const page = { path: '/settings/devices', texts: [] } as const;
const alsoElsewhere = (_page: Page, { url }: Fixtures, me: Person) => logIn(url, me.name, PASSWORD);
const section = 'section[aria-labelledby=devices]';

export const devicesStates: readonly State[] = [
  { ...page, name: 'devices/this-one', who: 'new', also: ['Devices', 'This device', 'Sign Out All Others'] },
  {
    ...page,
    name: 'devices/several',
    isLong: true,
    who: 'new',
    also: ['This device', 'Unknown browser', 'Used within the last hour'],
    prepare: alsoElsewhere,
  },
  {
    ...page,
    name: 'devices/signing-out',
    who: 'new',
    also: ['Sign out Unknown browser?'],
    prepare: alsoElsewhere,
    act: (page) => page.locator(`${section} li`).getByRole('button').last().click(),
  },
  {
    ...page,
    name: 'devices/signing-out-others',
    who: 'new',
    sizes: ['phone'],
    also: ['Sign out all other devices?'],
    prepare: alsoElsewhere,
    act: (page) => page.locator(section).getByRole('button').first().click(),
  },
  {
    ...page,
    name: 'devices/loading',
    isLong: true,
    who: 'user',
    sizes: ['desktop'],
    also: ['Loading your devices'],
    prepare: (page) => holding(page, 'Devices'),
  },
  {
    ...page,
    name: 'devices/failed',
    isLong: true,
    who: 'user',
    sizes: ['phone'],
    also: ['Your devices could not be loaded'],
    prepare: (page) => failing(page, 'Devices', INTERNAL_ERROR),
  },
];
