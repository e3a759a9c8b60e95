import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const TIMEOUT_MS = 30_000;

/** Waits for the mail of this kind to this address. @returns its link */
async function linkIn({ url }: Fixtures, kind: string, to: string): Promise<string> {
  const read = async (path: string) => (await fetch(url + path)).text();
  const row = new RegExp(`href="(/dev/outbox/[^"/]+)">[^<]*</a><br>\\s*<span[^>]*>${kind} to ${to} `);
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(100)) {
    const mail = row.exec(await read('/dev/outbox'))?.[1];
    if (!mail) continue;
    const link = /https?:\/\/[^/\s]+(\/(?:m|confirm-email)\/[\w.-]+)/.exec(await read(`${mail}/text`))?.[1];
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
