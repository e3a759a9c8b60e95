import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { makePool } from '../../../api/src/base/database.ts';
import { type Account, createAlert, PASSWORD, type Person, personAt, register } from './session.ts';
import { databaseUrl, lotWatch } from './support.ts';

export { PASSWORD, type Person } from './session.ts';

let people = 0;

/** A name that no other test uses. */
export const newName = (): string => `buyer${process.pid}x${++people}`;

const personOf = (account: Account): Person => personAt(lotWatch().url, account);

/** Registers a new user with an e-mail address. */
export const newPerson = async (): Promise<Person> => personOf(await register(lotWatch().url, newName(), PASSWORD));

/**
 * A user who was made before the tests: a `user` without alerts on the free plan, the `admin`, or a `paid` user on Pro.
 * All files share them, so a test must not change them or sign them out.
 */
export function someone(who: 'user' | 'admin' | 'paid'): Person {
  const account = inject('accounts')?.[who];
  if (!account) throw new Error('no browser on this machine');
  return personOf(account);
}

/** Puts a user on a plan, as a payment does: 1 Free, 2 Starter, 3 Pro, 4 Elite. */
export async function putOnPlan(person: Account, planId: number): Promise<void> {
  const pool = makePool(databaseUrl(), 1, 'browser-tests');
  await pool.query('update users set plan_id = $2 where username = $1', [person.name, planId]);
  await pool.end();
}

/** An alert for a car that the demo never lists, so only cars that a test pushes match. */
export const RARE_ALERT = {
  make: 'jaguar',
  model: 'f-type',
  location: 'Nome, AK',
  radius: 50,
  priceMin: 0,
  priceMax: 50_000,
};

/** Creates a `RARE_ALERT` over the API. @returns its id */
export const giveAlert = (person: Person, overrides: Record<string, unknown> = {}): Promise<string> =>
  createAlert(person, { ...RARE_ALERT, ...overrides });

export async function registerOn(page: Page, name: string): Promise<void> {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.waitForURL('**/dashboard');
}

/** Makes an alert with the form's defaults; ends on /my-alerts. */
export async function createAlertOn(page: Page, make: string, model: string, location: string): Promise<void> {
  await page.goto('/create-alert');
  await page.getByLabel('Make').selectOption({ label: make });
  await page.getByLabel('Model').selectOption({ label: model });
  await page.getByLabel('Location').fill(location);
  await page.getByRole('button', { name: 'Create Alert' }).last().click();
  await page.waitForURL('**/my-alerts');
}

/** A marketplace item, as a partner pushes it. */
export function pushedCar(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const id = `e2e-${process.pid}-${++people}`;
  return {
    id,
    marketplace_listing_title: '2019 Mazda Miata · Club Convertible 2D',
    listing_price: { amount: '21500.00', currency: 'USD' },
    location: { reverse_geocode: { city: 'Boise', state: 'ID' } },
    custom_sub_titles_with_rendering_flags: [{ subtitle: '31K miles' }],
    listing_photos: [{ image: { uri: `${lotWatch().url}/favicon.svg` } }],
    creation_time: Math.floor(Date.now() / 1000),
    is_live: true,
    ...overrides,
  };
}

/** A car for `RARE_ALERT` in another place, so that only a test with an alert there sees it. */
export const rareCar = (city: string, title: string, overrides: Record<string, unknown> = {}) =>
  pushedCar({
    marketplace_listing_title: `2016 Jaguar F-TYPE · ${title}`,
    location: { reverse_geocode: { city, state: 'AK' } },
    ...overrides,
  });
