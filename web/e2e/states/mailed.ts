import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createAlert, type Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const TIMEOUT_MS = 30_000;

/** Waits for the mail of this kind to this address. @returns its first link, or the one with this label */
async function linkIn({ url }: Fixtures, kind: string, to: string, label = ''): Promise<string> {
  const read = async (path: string) => (await fetch(url + path)).text();
  const row = new RegExp(`href="(/dev/outbox/[^"/]+)">[^<]*</a><br>\\s*<span[^>]*>${kind} to ${to} `);
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(100)) {
    const mail = row.exec(await read('/dev/outbox'))?.[1];
    if (!mail) continue;
    const pattern = new RegExp(`${label === '' ? '' : `${label}: `}https?://[^/\\s]+(/(?:m|confirm-email)/[\\w.-]+)`);
    const link = pattern.exec(await read(`${mail}/text`))?.[1];
    if (link) return link;
  }
  throw new Error(`no mail of the kind ${kind} to ${to}`);
}

/** Requests a new address. @returns the address */
async function changeEmail(me: Person): Promise<string> {
  const email = `a-rather-long-new-address-of-${me.email}`;
  await me.ask('mutation ($email: String) { updateProfile(input: { email: $email }) { id } }', { email });
  return email;
}

let listed = 0;

/** Gives the user an alert, lists a car for it and opens a link of the mail about it. */
async function openCarLink(page: Page, fixtures: Fixtures, me: Person, label: string): Promise<void> {
  await createAlert(me, { make: 'jaguar', model: 'f-type', location: 'Kivalina, AK', radius: 25 });
  listed += 1;
  const car = {
    id: `mailed-${listed}`,
    marketplace_listing_title: '2016 Jaguar F-TYPE · S Convertible 2D',
    listing_price: { amount: `${31_000 + listed}.00`, currency: 'USD' },
    location: { reverse_geocode: { city: 'Kivalina', state: 'AK' } },
    custom_sub_titles_with_rendering_flags: [{ subtitle: `${30 + listed}K miles` }],
    listing_photos: [{ image: { uri: `${fixtures.url}/drawn-photos/coupe-red-1-0.svg` } }],
    creation_time: Math.floor(Date.now() / 1000),
    is_live: true,
  };
  await fixtures.push([car]);
  await page.goto(await linkIn(fixtures, 'match', me.email, label));
}

const press = (page: Page) => page.locator('main form button').click();

async function confirmEmail(page: Page, fixtures: Fixtures, me: Person): Promise<void> {
  await page.goto(await linkIn(fixtures, 'confirm', await changeEmail(me)));
}

async function changed(page: Page, fixtures: Fixtures, me: Person): Promise<void> {
  await confirmEmail(page, fixtures, me);
  await press(page);
  await page.goto(await linkIn(fixtures, 'address_changed', me.email));
}

/** Pages to which mailed links lead; the server renders them without scripts. */
export const mailedStates: readonly State[] = [
  {
    name: 'mailed/fewer-mails',
    who: 'new',
    path: '/auth',
    texts: [],
    also: ['Fewer mails of your Jaguar F-Type alert?', 'One mail a day', 'Snooze for 3 days'],
    act: (page, fixtures, me) => openCarLink(page, fixtures, me, 'Fewer mails'),
  },
  {
    name: 'mailed/one-mail-a-day',
    who: 'new',
    path: '/auth',
    texts: [],
    also: ['One mail a day from now on', 'Mail me at once again'],
    async act(page, fixtures, me) {
      await openCarLink(page, fixtures, me, 'Fewer mails');
      await page.locator('button[value=daily]').click();
    },
  },
  {
    name: 'mailed/not-this-car',
    who: 'new',
    path: '/auth',
    texts: [],
    also: ['Not this car?', 'Hide this car'],
    act: (page, fixtures, me) => openCarLink(page, fixtures, me, 'Not this car'),
  },
  {
    name: 'mailed/car-hidden',
    who: 'new',
    path: '/auth',
    texts: [],
    also: ['Car hidden', 'Undo'],
    async act(page, fixtures, me) {
      await openCarLink(page, fixtures, me, 'Not this car');
      await press(page);
    },
  },
  {
    name: 'confirm-email/asking',
    who: 'new',
    path: '/auth',
    texts: [],
    also: ['Confirm your email', 'Confirm this address'],
    act: confirmEmail,
  },
  {
    name: 'confirm-email/confirmed',
    who: 'new',
    path: '/auth',
    texts: [],
    also: ['Email confirmed'],
    async act(page, fixtures, me) {
      await confirmEmail(page, fixtures, me);
      await press(page);
    },
  },
  {
    name: 'confirm-email/wrong-link',
    who: 'visitor',
    path: '/confirm-email/a-token',
    texts: [],
    also: ["This link doesn't work"],
    expected: /status of 400/,
  },
  {
    name: 'undo-email/cancelling',
    who: 'new',
    path: '/auth',
    texts: [],
    also: ['Keep this address'],
    async act(page, fixtures, me) {
      await changeEmail(me);
      await page.goto(await linkIn(fixtures, 'address_change', me.email));
    },
  },
  {
    name: 'undo-email/putting-back',
    who: 'new',
    path: '/auth',
    texts: [],
    also: ['Put this address back'],
    act: changed,
  },
  {
    name: 'undo-email/put-back',
    who: 'new',
    path: '/auth',
    sizes: ['phone'],
    texts: [],
    also: ['Your address is back'],
    async act(page, fixtures, me) {
      await changed(page, fixtures, me);
      await press(page);
    },
  },
];
