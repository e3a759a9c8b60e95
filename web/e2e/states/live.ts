import type { Page } from 'playwright-core';
import { controlConnection } from '../browser/faults.ts';
import { createAlert, type Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

/** Towns far from each other, one for each visit, so that only its own cars match. */
const towns = [
  ...['Kodiak', 'Ketchikan', 'Valdez', 'Haines', 'Shaktoolik', 'Cordova', 'Petersburg', 'Seward', 'Hoonah'],
  ...['Emmonak', 'Togiak', 'King Cove', 'Delta Junction', 'Cantwell'],
];
const colors = ['silver', 'red', 'blue', 'white', 'black', 'green'];
let visits = 0;
let listed = 0;

/** Different cars in a town, with drawn photos. */
function newCars({ url }: Fixtures, city: string, count: number): unknown[] {
  return Array.from({ length: count }, () => {
    listed += 1;
    const color = colors[listed % colors.length];
    return {
      id: `extra-${listed}`,
      marketplace_listing_title: `${2014 + (listed % 9)} Jaguar F-TYPE R`,
      listing_price: { amount: `${30_000 + listed * 700}.00`, currency: 'USD' },
      location: { reverse_geocode: { city, state: 'AK' } },
      vehicle_exterior_color: color,
      vehicle_odometer_data: { unit: 'MILES', value: 20_000 + listed * 1300 },
      listing_photos: [0, 1].map((n) => ({ image: { uri: `${url}/drawn-photos/sedan-${color}-${listed}-${n}.svg` } })),
      creation_time: Math.floor(Date.now() / 1000),
      is_live: true,
    };
  });
}

/** Makes an alert for a new user, and opens a page until its live connection is open. @returns the alert's town */
async function toLivePage(page: Page, fixtures: Fixtures, me: Person, path?: string, before = 0): Promise<string> {
  const town = towns[visits++];
  if (town === undefined) throw new Error('there are more visits than towns');
  await fixtures.push(newCars(fixtures, town, before));
  const id = await createAlert(me, { make: 'jaguar', model: 'f-type', location: `${town}, AK`, radius: 25 });
  const live = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await page.goto(path ?? `/alert/${id}`);
  await live;
  await page.waitForLoadState('networkidle');
  return town;
}

const connections = new WeakMap<Page, Awaited<ReturnType<typeof controlConnection>>>();
const trackConnection = async (page: Page) => connections.set(page, await controlConnection(page));
const supra = (fixtures: Fixtures) => `/alert/${fixtures.alerts.supra}`;

export const liveStates: readonly State[] = [
  {
    name: 'live/arrived',
    who: 'new',
    path: '/dashboard',
    texts: ['New', 'Just now', 'View on Marketplace', 'match'],
    also: [/^New match: 20\d\d Jaguar F-TYPE R, \$\d/],
    async act(page, fixtures, me) {
      const town = await toLivePage(page, fixtures, me);
      await fixtures.push(newCars(fixtures, town, 1));
    },
  },
  {
    name: 'live/counted',
    who: 'new',
    path: '/dashboard',
    texts: ['View matches'],
    also: ['2 listings', /\b2 new$/],
    async act(page, fixtures, me) {
      const town = await toLivePage(page, fixtures, me, '/my-alerts');
      await fixtures.push(newCars(fixtures, town, 2));
    },
  },
  {
    name: 'live/waiting-above',
    who: 'new',
    path: '/dashboard',
    texts: ['View on Marketplace'],
    also: ['Show 2 new'],
    async act(page, fixtures, me) {
      const town = await toLivePage(page, fixtures, me, undefined, 5);
      await page.locator('article').nth(4).waitFor();
      // The button for the new ones stands between two cards, over no part of another button.
      await page
        .locator('article')
        .nth(2)
        .evaluate((card) => scrollBy({ top: card.getBoundingClientRect().top - 102, behavior: 'instant' }));
      await fixtures.push(newCars(fixtures, town, 2));
    },
  },
  {
    name: 'live/connection-lost',
    who: 'user',
    path: supra,
    texts: ['Active', 'View on Marketplace'],
    also: ['Connection lost. Trying again…'],
    ownPage: true,
    prepare: trackConnection,
    async act(page) {
      await page.locator('article').first().waitFor();
      await page.waitForLoadState('networkidle');
      connections.get(page)?.cut();
    },
  },
];
