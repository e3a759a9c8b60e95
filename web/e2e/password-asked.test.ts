import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool, type Pool } from '../../api/src/base/database.ts';
import { collectCalls } from './browser/calls.ts';
import { focusedName, tabTo } from './browser/focus-walk.ts';
import { newPerson, PASSWORD, putOnPlan } from './browser/people.ts';
import { letMinutesPass } from './browser/session.ts';
import { canBrowse, databaseUrl, sees, seesToast, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('the password dialog', () => {
  const browser = useBrowser();
  let pool: Pool;
  beforeAll(() => {
    pool = makePool(databaseUrl(), 1, 'password-test');
  });
  afterAll(() => pool.end());

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm your password' });
  const isFocused = (page: Page, name: string) => expect.poll(() => focusedName(page)).toBe(name);

  it('opens before an address is changed, accepts only the right password, and then sends the call', async () => {
    const person = await newPerson();
    await letMinutesPass(pool, person, 10);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Edit Contact Info' }).click();
    await page.getByLabel('Email').fill(`new-${person.email}`);
    const calls = collectCalls(page);
    await page.keyboard.press('Enter');
    await isFocused(page, 'Current password');
    const field = dialog(page).getByLabel('Current password');
    expect(await field.getAttribute('autocomplete')).toBe('current-password');
    expect(await dialog(page).locator('input[autocomplete=username]').inputValue()).toBe(person.name);

    await page.keyboard.press('Enter');
    await sees(page, 'Current password is required');
    await field.fill('not-the-password');
    await page.keyboard.press('Enter');
    await sees(page, 'Current password is incorrect');
    await isFocused(page, 'Current password');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill(PASSWORD);
    await page.keyboard.press('Enter');
    const sent = `We sent a link to new-${person.email}. Open it to confirm the address.`;
    await seesToast(page, 'Profile updated', sent);
    await sees(page, `new-${person.email}`);
    expect(await dialog(page).count()).toBe(0);
    const names = calls.map(({ operationName }) => operationName);
    expect(names.filter((name) => ['UpdateProfile', 'ConfirmPassword'].includes(name))).toEqual([
      'UpdateProfile',
      'ConfirmPassword',
      'ConfirmPassword',
      'UpdateProfile',
    ]);

    // The dialog does not open again for ten minutes.
    await page.goto('/data-rights');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ]);
    expect(download.suggestedFilename()).toContain(person.name);
  });

  it('can be closed, which changes nothing', { tags: 'long' }, async () => {
    const person = await newPerson();
    await letMinutesPass(pool, person, 10);
    const page = await browser.open({ cookies: person.cookies, viewport: { width: 390, height: 844 } });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Edit Contact Info' }).click();
    await page.getByLabel('Phone').fill('(415) 555-0100');
    await tabTo(page, 'Save Changes');
    await page.keyboard.press('Space');
    await isFocused(page, 'Current password');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await isFocused(page, 'Save Changes');
    expect(await page.getByLabel('Phone').inputValue()).toBe('(415) 555-0100');
    await expect.poll(() => page.getByRole('button', { name: 'Save Changes' }).isEnabled()).toBe(true);
    expect(await page.getByText('Update failed').count()).toBe(0);
    expect(await person.ask('{ me { phone } }')).toEqual({ me: { phone: null } });
  });

  it('opens above another dialog, which stays as it is when the password dialog is closed', {
    tags: 'long',
  }, async () => {
    const person = await newPerson();
    await putOnPlan(person, 4);
    await letMinutesPass(pool, person, 10);
    const page = await browser.open({ cookies: person.cookies, colorScheme: 'dark' });
    await page.goto('/settings/api');
    const keys = page.getByRole('region', { name: 'API keys' });
    await keys.getByRole('button', { name: 'Create Key' }).click();
    const creating = page.getByRole('dialog', { name: 'Create an API key' });
    await creating.getByLabel('Name').fill('Inventory sync');
    const create = creating.getByRole('button', { name: 'Create Key' });
    await create.click();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await creating.getByLabel('Name').inputValue()).toBe('Inventory sync');
    expect(await creating.getByRole('alert').count()).toBe(0);
    await create.click();
    await dialog(page).getByLabel('Current password').fill(PASSWORD);
    await dialog(page).getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(() => page.getByLabel('Your new API key').inputValue()).toMatch(/^lw_live_/);

    await letMinutesPass(pool, person, 10);
    await keys.getByRole('button', { name: /Revoke/ }).click();
    const revoking = page.getByRole('alertdialog');
    await revoking.getByRole('button', { name: 'Revoke Key' }).click();
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await isFocused(page, 'Revoke Key');
    await revoking.getByRole('button', { name: 'Revoke Key' }).click();
    await dialog(page).getByLabel('Current password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await seesToast(page, 'Key revoked', 'Inventory sync no longer works.');
    await revoking.waitFor({ state: 'detached' });
  });

  it('closes when the session ends, and leads to the sign-in', { tags: 'long' }, async () => {
    const person = await newPerson();
    await letMinutesPass(pool, person, 10);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/data-rights');
    await page.getByRole('button', { name: 'Download JSON' }).click();
    await dialog(page).getByLabel('Current password').fill(PASSWORD);
    await person.ask('mutation { logout }');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/auth**');
    expect(await dialog(page).count()).toBe(0);
  });
});
