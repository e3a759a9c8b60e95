import type { Page } from 'playwright-core';
import { lotWatch } from './support.ts';

let people = 0;

/** A name that no other test uses. */
export const newName = (): string => `buyer${process.pid}x${++people}`;

export async function registerOn(page: Page, name: string): Promise<void> {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill('secret-1');
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
