import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { controlConnection, failing } from './browser/faults.ts';
import { giveAlert, newPerson, PASSWORD } from './browser/people.ts';
import { arrivesAt, type Cookies, canBrowse, sees, useBrowser } from './browser/support.ts';

const UNREACHABLE = "We can't reach LotWatch. Check your connection and try again.";

describe.skipIf(!canBrowse)('while LotWatch is unreachable', () => {
  const browser = useBrowser();

  /** A page whose connection can be cut. Its document still loads. */
  async function open(cookies: Cookies = []) {
    const page = await browser.open({ cookies });
    return { page, ...(await controlConnection(page, '**/graphql')) };
  }

  const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try Again' });

  it('a signed-in page reports it instead of showing /auth, and recovers', { tags: 'long' }, async () => {
    const { page, cut, restore } = await open((await newPerson()).cookies);
    cut();
    await page.goto('/dashboard');
    await sees(page, "We couldn't load your account", UNREACHABLE);
    restore();
    await tryAgain(page).click();
    await sees(page, 'No Alerts Set Up');
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  });

  it('each list and page names what it could not load, and loads it on demand', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    const pages: [path: string, operation: string, failed: string, there: string][] = [
      ['/dashboard', 'MyAlerts', 'Your alerts could not be loaded', 'Your Active Alerts'],
      ['/dashboard', 'RecentListings', 'Your matches could not be loaded', 'No Matches Yet'],
      ['/my-alerts', 'MyAlerts', 'Your alerts could not be loaded', 'Your Active Alerts'],
      [`/alert/${id}`, 'AlertPage', 'Error loading alert details', 'Within 50 miles'],
      [`/alert/${id}`, 'AlertMatches', 'The matches could not be loaded', 'No matching listings yet'],
      [`/edit-alert/${id}`, 'EditAlertPage', 'Error loading alert', 'Update your alert for Jaguar F-Type'],
      ['/subscription', 'Plans', 'Could not load the plans', 'Current Plan'],
      ['/', 'Plans', 'Could not load the plans', 'POPULAR'],
      ['/create-alert', 'Catalogue', "We couldn't load the makes and models.", 'Select make'],
    ];
    for (const [path, operation, failed, there] of pages) {
      const restore = await failing(page, operation, 'offline');
      await page.goto(path);
      await sees(page, failed);
      await restore();
      await tryAgain(page).click();
      if (there === 'Select make')
        await page.getByLabel('Make').locator('option[value=jaguar]').waitFor({ state: 'attached' });
      else await sees(page, there);
      await page.getByText(failed, { exact: true }).waitFor({ state: 'detached' });
    }
  });

  it('a form keeps the typed text and explains why nothing was saved', async () => {
    const person = await newPerson();
    const { page, cut, restore } = await open(person.cookies);
    const restoreQuota = await failing(page, 'AlertQuota', 'offline');
    await page.goto('/create-alert');
    await sees(page, 'Error', 'Failed to check subscription status');
    await page.getByLabel('Make').selectOption('jaguar');
    await page.getByLabel('Location').fill('Nome, AK');
    await restoreQuota();
    cut();
    const create = page.getByRole('form').getByRole('button', { name: 'Create Alert' });
    await create.click();
    await sees(page, 'Error', `Failed to create alert: ${UNREACHABLE}`);
    restore();
    await create.click();
    await arrivesAt(page, '/my-alerts');
    await sees(page, 'Alert created');
    const toggle = page.getByRole('switch', { name: 'Jaguar active' });
    await toggle.waitFor();

    cut();
    await toggle.click();
    await sees(page, `Failed to update alert: ${UNREACHABLE}`);
    await expect.poll(() => toggle.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Delete Jaguar' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await sees(page, `Failed to delete alert: ${UNREACHABLE}`, 'Your Active Alerts');
    await page.getByText('Connection lost. Trying again…').waitFor();
    restore();
    await page.getByText('Connection lost. Trying again…').waitFor({ state: 'detached', timeout: 40_000 });
  });

  it('signing in, registering, signing out and mailing report it', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    const visitor = await open();
    await visitor.page.goto('/auth');
    await visitor.page.getByLabel('Username').fill(person.name);
    await visitor.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    visitor.cut();
    await visitor.page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await sees(visitor.page, 'Login failed', UNREACHABLE);
    visitor.restore();
    await visitor.page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await arrivesAt(visitor.page, '/dashboard');

    const { page, cut, restore } = await open(person.cookies);
    await page.goto(`/alert/${id}`);
    await sees(page, 'No matching listings yet');
    cut();
    await page.getByRole('button', { name: 'Send Test Notification' }).click();
    await sees(page, 'Error sending notification', 'Failed to send notification. Please check your email settings.');
    const logOut = async () => {
      await page.getByRole('button', { name: /^Account menu/ }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
    };
    await logOut();
    await sees(page, 'Logout failed', UNREACHABLE);
    restore();
    await logOut();
    await sees(page, 'Logged out');
  });
});
