import type { Page } from 'playwright-core';
import { DISMISSED } from '../../../api/src/entities/notification-rules.ts';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import { createAlert, type Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const page = { path: '/saved', texts: [] } as const;

/** All cars of the fixtures, of which one is sold, one has no photo and one is cheaper than before. */
async function withAll(_page: Page, { pool }: Fixtures, me: Person): Promise<void> {
  await pool.query(
    `insert into saved_listings (user_id, listing_id)
     select u.id, l.id from users u, listings l where u.username = $1 and l.source = 'city-cars' order by l.id`,
    [me.name],
  );
}

export const savedStates: readonly State[] = [
  {
    ...page,
    name: 'saved/filled',
    who: 'new',
    sizes: ['phone', 'desktop'],
    also: ['Saved Cars', /^Saved on /, 'Sold', 'Save'],
    prepare: withAll,
  },
  {
    ...page,
    name: 'saved/removed',
    who: 'new',
    sizes: ['phone', 'desktop'],
    also: ['Removed from your saved cars.', 'Save again'],
    prepare: withAll,
    act: (page) => page.getByRole('button', { name: 'Save', pressed: true }).first().click(),
  },
  {
    ...page,
    name: 'saved/noted',
    who: 'new',
    sizes: ['phone', 'desktop'],
    also: ['Ask about the tires, and whether the second key is there.', 'Edit note', 'Your note', 'Save note'],
    async prepare(...given) {
      await withAll(...given);
      const [, { pool }, me] = given;
      await pool.query(
        `insert into listing_notes (user_id, listing_id, note)
         select s.user_id, max(s.listing_id), 'Ask about the tires, and whether the second key is there.'
           from saved_listings s join users u on u.id = s.user_id where u.username = $1 group by 1`,
        [me.name],
      );
    },
    act: (page) => page.getByRole('button', { name: 'Add a note' }).first().click(),
  },
  {
    ...page,
    name: 'saved/hidden',
    isLong: true,
    who: 'new',
    sizes: ['phone', 'desktop'],
    also: [/^Saved on .* · Hidden from your matches$/, 'Show again'],
    async prepare(...given) {
      await withAll(...given);
      const [, { pool }, me] = given;
      const alertId = await createAlert(me, { make: 'jaguar', location: 'Adak, AK', radius: 5 });
      await pool.query(
        `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
         select max(listing_id), $1::int8, u.id, $2::int4, 1, true from saved_listings s join users u on u.id = s.user_id
          where u.username = $3 group by u.id`,
        [alertId, DISMISSED, me.name],
      );
    },
  },
  {
    ...page,
    path: '/saved?sort=price',
    name: 'saved/sorted',
    isLong: true,
    who: 'new',
    sizes: ['phone', 'desktop'],
    also: ['Lowest price', 'Price drops', 'Below fair price', /^Saved on /],
    prepare: withAll,
  },
  {
    ...page,
    path: '/saved?only=new,price_drop,below_fair_price',
    name: 'saved/none-left',
    isLong: true,
    who: 'new',
    sizes: ['phone'],
    also: ['No saved car is left by these filters', 'Show all saved cars'],
    prepare: withAll,
  },
  { ...page, name: 'saved/empty', who: 'empty', also: ['No Saved Cars Yet', 'See your matches'] },
  {
    ...page,
    name: 'saved/loading',
    isLong: true,
    who: 'user',
    sizes: ['desktop'],
    also: ['Loading your saved cars'],
    prepare: (page) => holding(page, 'SavedListings'),
  },
  {
    ...page,
    name: 'saved/failed',
    isLong: true,
    who: 'user',
    sizes: ['phone'],
    also: ['Your saved cars could not be loaded'],
    prepare: (page) => failing(page, 'SavedListings', INTERNAL_ERROR),
  },
];
