import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

/** Tokens as long as real ones. */
const tokenOf = (name: string): string => name.padEnd(43, '-');
const pathOf = (name: string) => `/shared/${tokenOf(name)}`;

/** Links of the user of the fixtures to an alert, whose addresses are known here. */
async function linkTo(name: string, alertId: string, { pool }: Fixtures): Promise<void> {
  await pool.query(
    `insert into shared_links (user_id, alert_id, token_hash, expires_at)
     select user_id, id, $2, now() + interval '90 days' from alerts where id = $1
         on conflict (token_hash) do nothing`,
    [alertId, createHash('sha256').update(tokenOf(name)).digest()],
  );
}

/** A list of all cars of the fixtures, of which one is sold and one has no photo. */
async function linkToCars(name: string, owner: string, { pool }: Fixtures): Promise<void> {
  const { rows: cars } = await pool.query<{ id: string }>(
    "select id from listings where source = 'city-cars' order by id",
  );
  await pool.query(
    `insert into shared_links (user_id, listing_ids, token_hash, expires_at)
     select id, $3::int8[], $2, now() + interval '90 days' from users where username = $1
         on conflict (token_hash) do nothing`,
    [owner, createHash('sha256').update(tokenOf(name)).digest(), cars.map(({ id }) => id)],
  );
}

async function saveAll(_page: Page, { pool }: Fixtures, me: Person): Promise<void> {
  await pool.query(
    `insert into saved_listings (user_id, listing_id)
     select u.id, l.id from users u, listings l where u.username = $1 and l.source = 'city-cars' order by l.id`,
    [me.name],
  );
}

const openDialog = (page: Page) => page.locator('main button[aria-haspopup=dialog]:has-text("Share")').click();
const both = ['phone', 'desktop'] as const;
const shared = { who: 'visitor', texts: [] } as const;
const links = { path: '/settings/shared-links', texts: [] } as const;

export const sharingStates: readonly State[] = [
  {
    ...shared,
    name: 'shared/alert',
    path: pathOf('alert'),
    sizes: both,
    also: ['Toyota Supra', 'Denver, CO', 'Within 100 miles', 'View on Marketplace', 'Make an alert like this'],
    prepare: (_page, fixtures) => linkTo('alert', fixtures.alerts.supra, fixtures),
  },
  {
    ...shared,
    name: 'shared/list',
    isLong: true,
    path: pathOf('list'),
    sizes: both,
    also: ['Shared Cars', /^\d cars$/, 'Sold', 'Find cars with LotWatch'],
    prepare: (_page, fixtures) => linkToCars('list', 'ana', fixtures),
  },
  {
    ...shared,
    name: 'shared/none-match',
    isLong: true,
    path: pathOf('none-match'),
    sizes: ['phone'],
    also: ['Honda S2000', 'Shared alert', 'No cars match right now', 'Make an alert like this'],
    prepare: (_page, fixtures) => linkTo('none-match', fixtures.alerts.s2000, fixtures),
  },
  {
    ...shared,
    name: 'shared/ended',
    path: pathOf('no-such-link'),
    sizes: both,
    also: ['This link does not work', 'Find cars with LotWatch'],
  },
  {
    ...shared,
    name: 'shared/sign-in-first',
    path: pathOf('alert'),
    sizes: ['phone'],
    also: ['Login Required', 'Login / Register'],
    prepare: (_page, fixtures) => linkTo('alert', fixtures.alerts.supra, fixtures),
    act: (page) => page.getByRole('button', { name: 'Make an alert like this' }).click(),
  },
  {
    ...shared,
    name: 'shared/loading',
    isLong: true,
    path: pathOf('alert'),
    sizes: ['desktop'],
    also: ['Loading the shared cars'],
    prepare: (page) => holding(page, 'Shared'),
  },
  {
    ...shared,
    name: 'shared/failed',
    isLong: true,
    path: pathOf('alert'),
    sizes: ['phone'],
    also: ['The shared cars could not be loaded'],
    prepare: (page) => failing(page, 'Shared', INTERNAL_ERROR),
  },
  {
    name: 'share/alert',
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.supra}`,
    texts: [],
    sizes: both,
    also: ['Share this alert', 'Not shown:', 'Create Link'],
    act: openDialog,
  },
  {
    name: 'share/saved',
    who: 'new',
    path: '/saved',
    texts: [],
    sizes: both,
    also: ['Share saved cars', /^\d of \d cars chosen$/, 'Create Link'],
    prepare: saveAll,
    act: openDialog,
  },
  {
    name: 'share/made',
    who: 'new',
    path: '/saved',
    texts: [],
    sizes: both,
    also: ['Your link is ready', 'Shared link', 'Copy', 'Done'],
    prepare: saveAll,
    async act(page) {
      await openDialog(page);
      await page.locator('dialog fieldset').waitFor();
      await page.locator('dialog button:has-text("Create Link")').click();
    },
  },
  {
    name: 'share/again',
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.corvette}`,
    texts: [],
    sizes: both,
    also: ['Your link is ready', 'Create another link'],
    async act(page) {
      await openDialog(page);
      await page.locator('dialog button:has-text("Create Link")').click();
      await page.locator('dialog button:has-text("Done")').click();
      await openDialog(page);
    },
  },
  {
    name: 'share/refused',
    who: 'new',
    path: '/saved',
    texts: [],
    sizes: ['phone'],
    also: ['You have 20 shared links. Please end one to make another.'],
    async prepare(...given) {
      await saveAll(...given);
      await failing(given[0], 'ShareListings', {
        message: 'You have 20 shared links. Please end one to make another.',
        code: 'CONFLICT',
      });
    },
    async act(page) {
      await openDialog(page);
      await page.locator('dialog fieldset').waitFor();
      await page.locator('dialog button:has-text("Create Link")').click();
    },
  },
  {
    ...links,
    name: 'shared-links/filled',
    who: 'new',
    sizes: both,
    also: ['Shared Links', 'Links that work', 'List', /^Made /, /^Ends /, 'End'],
    async prepare(_page, fixtures, me) {
      for (const name of ['one', 'two']) await linkToCars(`${name}-of-${me.name}`, me.name, fixtures);
    },
  },
  {
    ...links,
    name: 'shared-links/ending',
    who: 'new',
    sizes: ['phone'],
    also: ['End this link?', 'End Link'],
    prepare: (_page, fixtures, me) => linkToCars(`ending-of-${me.name}`, me.name, fixtures),
    act: (page) => page.locator('main li button:has-text("End")').click(),
  },
  { ...links, name: 'shared-links/empty', isLong: true, who: 'empty', also: ['You share nothing'] },
  {
    ...links,
    name: 'shared-links/loading',
    isLong: true,
    who: 'user',
    sizes: ['desktop'],
    also: ['Loading your links'],
    prepare: (page) => holding(page, 'SharedLinks'),
  },
  {
    ...links,
    name: 'shared-links/failed',
    isLong: true,
    who: 'user',
    sizes: ['phone'],
    also: ['Your links could not be loaded'],
    prepare: (page) => failing(page, 'SharedLinks', INTERNAL_ERROR),
  },
];
