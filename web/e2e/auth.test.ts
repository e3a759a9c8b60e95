import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { holding } from './browser/faults.ts';
import { newName, newPerson, PASSWORD } from './browser/people.ts';
import { arrivesAt, canBrowse, sees, seesToast, useBrowser } from './browser/support.ts';

/** Addresses that need a login. */
const GUARDED = [
  '/dashboard',
  '/create-alert',
  '/edit-alert/1',
  '/my-alerts',
  '/alert/1',
  '/settings',
  '/subscription',
];

describe.skipIf(!canBrowse)('login and register', () => {
  const browser = useBrowser();

  async function openAuth(tab: 'Login' | 'Register'): Promise<Page> {
    const page = await browser.open();
    await page.goto('/auth');
    await page.getByRole('tab', { name: tab }).click();
    return page;
  }

  const logIn = async (page: Page, username: string, password: string) => {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  };

  /** The error message of a field that is marked as invalid. */
  const errorAt = async (page: Page, label: string): Promise<string> => {
    const field = page.getByLabel(label, { exact: label === 'Password' });
    const ids = (await field.getAttribute('aria-describedby')) ?? '';
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    return (await page.locator(`[id="${ids.split(' ')[0]}"]`).textContent()) ?? '';
  };

  it('asks for both fields of the login, with an error mark at each label', async () => {
    const page = await openAuth('Login');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await sees(page, 'Username is required', 'Password is required');
    expect(await page.getByRole('img', { name: 'error' }).count()).toBe(2);
    expect(await errorAt(page, 'Username')).toBe('Username is required');
  });

  it('refuses a wrong password, and lets the right one in', async () => {
    const { name } = await newPerson();
    const page = await openAuth('Login');
    await logIn(page, name, 'not-the-password');
    await seesToast(page, 'Login failed', 'Invalid username or password');
    await logIn(page, name.toUpperCase(), PASSWORD);
    await arrivesAt(page, '/dashboard');
    await seesToast(page, 'Login successful', `Welcome back, ${name}!`);
    await page.getByRole('button', { name: `Account menu of ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await arrivesAt(page, '/');
    await seesToast(page, 'Logged out', 'You have been successfully logged out.');
    await page.goto('/dashboard');
    await arrivesAt(page, '/auth');
  });

  it('shows what is wrong with a registration, field by field', async () => {
    const page = await openAuth('Register');
    await sees(
      page,
      'Email or phone is needed to receive alerts. They are used only for notifications and can be changed later without affecting login.',
    );
    const create = page.getByRole('button', { name: 'Create Account' });
    await create.click();
    await sees(page, 'Username is required', 'Password must be at least 6 characters');
    expect(await errorAt(page, 'Email')).toBe('Either email or phone is required for notifications');

    await page.getByLabel('Username').fill('somebody');
    await page.getByLabel('Password', { exact: true }).fill('12345');
    await page.getByLabel('Email').fill('nobody@');
    await create.click();
    expect(await errorAt(page, 'Email')).toBe('Please enter a valid email');
    expect(await errorAt(page, 'Password')).toBe('Password must be at least 6 characters');
    expect(await page.getByText('Username is required').count()).toBe(0);
  });

  it('registers with only a phone, and refuses a used name', { tags: 'long' }, async () => {
    const taken = await newPerson();
    const page = await openAuth('Register');
    const fill = async (name: string) => {
      await page.getByLabel('Username').fill(name);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('Phone').fill('(415) 555-0100');
      await page.getByRole('button', { name: 'Create Account' }).click();
    };
    await fill(` ${taken.name.toUpperCase()} `);
    await seesToast(page, 'Registration failed', 'Username already exists');
    const name = newName();
    await fill(name);
    await arrivesAt(page, '/dashboard');
    await seesToast(page, 'Registration successful', 'Your account has been created.');
    await page.goto('/auth');
    await arrivesAt(page, '/dashboard');
    await page.getByRole('heading', { level: 1, name: new RegExp(`, ${name}$`) }).waitFor();
  });

  it('sends visitors from every guarded page to /auth', { tags: 'long' }, async () => {
    const page = await browser.open();
    for (const path of GUARDED) {
      await page.goto(path);
      await arrivesAt(page, '/auth');
      await page.getByRole('tab', { name: 'Login' }).waitFor();
    }
    expect(await page.getByRole('link', { name: 'Sign In' }).count()).toBe(0);
  });

  it('leads back to the requested page', { tags: 'long' }, async () => {
    const { name } = await newPerson();
    const page = await browser.open();
    await page.goto('/settings?from=mail');
    await arrivesAt(page, '/auth');
    await logIn(page, name, PASSWORD);
    await arrivesAt(page, '/settings');
    expect(new URL(page.url()).search).toBe('?from=mail');
  });

  it('leads to the pending alert first', async () => {
    const { name } = await newPerson();
    const page = await browser.open();
    await page.goto('/');
    await page.getByLabel('Make').selectOption('honda');
    await page.getByLabel('Location').fill('Austin, TX');
    await page.getByRole('button', { name: 'Create my alert' }).click();
    await page.getByRole('dialog', { name: 'Login Required' }).waitFor();
    await page.getByRole('button', { name: 'Login / Register' }).click();
    await page.getByText('Your alert is kept: Honda · 50 miles of Austin, TX · up to $50,000').waitFor();
    await page.getByRole('button', { name: 'Create Account' }).waitFor();
    await page.goto('/settings');
    await arrivesAt(page, '/auth');
    await page.getByText('Your alert is kept:').waitFor();
    await logIn(page, name, PASSWORD);
    await arrivesAt(page, '/create-alert');
    expect(await page.getByLabel('Location').inputValue()).toBe('Austin, TX');
  });

  it('reports once that it is busy, and removes the toast after five seconds', { tags: 'long' }, async () => {
    const { name } = await newPerson();
    const page = await openAuth('Login');
    const release = await holding(page, 'Login');
    await logIn(page, name, 'not-the-password');
    const busy = page.getByRole('button', { name: 'Signing in...' });
    await busy.waitFor();
    expect(await busy.isDisabled()).toBe(true);
    await page.getByLabel('Username').press('Enter');
    release();
    const toast = page.getByText('Login failed');
    await toast.waitFor();
    const shownAt = Date.now();
    await toast.waitFor({ state: 'detached' });
    expect(Date.now() - shownAt).toBeGreaterThan(4000);
    expect(Date.now() - shownAt).toBeLessThan(8000);
    expect(release.calls()).toBe(1);
  });

  it('shows on any other path that the page does not exist', async () => {
    const page = await browser.open();
    await page.goto('/no-such-page');
    await sees(page, '404 Page Not Found', 'Did you forget to add the page to the router?');
    await expect.poll(() => page.title()).toContain('404 Page Not Found');
  });
});
