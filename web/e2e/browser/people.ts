import type { Page } from 'playwright-core';
import { type Cookies, lotWatch } from './support.ts';

let people = 0;

/** A name that no other test uses. */
export const newName = (): string => `buyer${process.pid}x${++people}`;

export const PASSWORD = 'secret-1';

/** Someone with an account, and with the session that a browser of theirs would hold. */
export interface Person {
  name: string;
  email: string;
  cookies: Cookies;
  /** Asks the API as this person. @throws what it refused */
  ask<T>(query: string, variables?: Record<string, unknown>): Promise<T>;
}

async function post(query: string, variables: unknown, cookie = ''): Promise<Response> {
  return fetch(`${lotWatch().url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ query, variables }),
  });
}

/** Registers over the API, which is quicker than the form. */
export async function newPerson(): Promise<Person> {
  const name = newName();
  const email = `${name}@example.com`;
  const answer = await post('mutation ($input: RegisterInput!) { register(input: $input) { id } }', {
    input: { username: name, password: PASSWORD, email },
  });
  const pair = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`no session: ${await answer.text()}`);
  return {
    name,
    email,
    cookies: [{ name: pair.slice(0, at), value: pair.slice(at + 1), url: lotWatch().url }],
    async ask<T>(query: string, variables: Record<string, unknown> = {}) {
      const { data, errors } = (await (await post(query, variables, pair)).json()) as { data: T; errors?: unknown };
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
  };
}

/** Asks for a car that the demo never lists: nothing matches but what a test pushes. */
export const QUIET_ALERT = {
  make: 'jaguar',
  model: 'f-type',
  location: 'Nome, AK',
  radius: 50,
  priceMin: 0,
  priceMax: 50_000,
};

/** Makes an alert over the API. @returns its id */
export async function giveAlert(person: Person, overrides: Record<string, unknown> = {}): Promise<string> {
  const { createAlert } = await person.ask<{ createAlert: { id: string } }>(
    'mutation ($input: AlertInput!) { createAlert(input: $input) { id } }',
    { input: { ...QUIET_ALERT, ...overrides } },
  );
  return createAlert.id;
}

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

/** A marketplace item as a partner would push it. */
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

/** A car that `QUIET_ALERT` asks for, but somewhere else: so only a test that looks there sees it. */
export const quietCar = (city: string, title: string, overrides: Record<string, unknown> = {}) =>
  pushedCar({
    marketplace_listing_title: `2016 Jaguar F-TYPE · ${title}`,
    location: { reverse_geocode: { city, state: 'AK' } },
    ...overrides,
  });
