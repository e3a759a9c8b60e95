import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newName, newPerson, PASSWORD } from './browser/people.ts';
import { arrivesAt, canBrowse, sees, useBrowser } from './browser/support.ts';

const storage = (page: Page) => page.evaluate(() => ({ ...sessionStorage }));

describe.skipIf(!canBrowse)('the landing page', () => {
  const browser = useBrowser();

  const fillQuickForm = async (page: Page) => {
    await page.getByLabel('Make').selectOption({ label: 'Honda' });
    await page.getByLabel('Model').selectOption({ label: 'Civic' });
    await page.getByLabel('From year').selectOption('2015');
    await page.getByLabel('Location').fill('Austin, TX');
    await page.getByLabel('Price to').fill('18000');
    await page.getByLabel('Color').selectOption('blue');
    await page.getByLabel('Only listings with images').uncheck();
    await page.getByRole('button', { name: 'Create my alert' }).click();
  };

  const expectQuickValues = async (page: Page) => {
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    expect(await value('Make')).toBe('honda');
    expect(await value('Model')).toBe('civic');
    expect(await value('From year')).toBe('2015');
    expect(await value('To year')).toBe('');
    expect(await value('Location')).toBe('Austin, TX');
    expect(await value('Within')).toBe('50');
    expect(await value('Price from')).toBe('0');
    expect(await value('Price to')).toBe('18,000');
    expect(await value('Color')).toBe('blue');
    expect(await page.getByLabel('Only listings with images').isChecked()).toBe(false);
    expect(await page.getByLabel('Email notifications').isChecked()).toBe(true);
  };

  it("keeps a visitor's alert during registration, and fills the form with it once", { tags: 'long' }, async () => {
    const page = await browser.open();
    await page.goto('/');
    await fillQuickForm(page);
    const dialog = page.getByRole('dialog', { name: 'Login Required' });
    await dialog.getByText('You need to login or create an account to save this alert.').waitFor();
    expect(Object.keys(await storage(page))).toContain('pendingAlert');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create my alert' }).click();
    await dialog.getByRole('button', { name: 'Login / Register' }).click();
    await arrivesAt(page, '/auth');

    await sees(page, 'Your alert is kept: Honda Civic · 50 miles of Austin, TX · up to $18,000');
    await page.getByLabel('Username').fill(newName());
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Email').fill('someone@example.com');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await arrivesAt(page, '/create-alert');
    await page.getByRole('heading', { name: 'Create Car Alert' }).waitFor();
    await expectQuickValues(page);
    expect(await storage(page)).not.toHaveProperty('pendingAlert');
    await page.reload();
    await page.getByRole('heading', { name: 'Create Car Alert' }).waitFor();
    expect(await page.getByLabel('Location').inputValue()).toBe('');
  });

  it('leads a signed-in user to the create form with the values filled in', { tags: 'long' }, async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies });
    await page.goto('/');
    await page.getByRole('link', { name: 'Dashboard', exact: true }).first().waitFor();
    expect(await page.getByText('Already have an account? Sign in').count()).toBe(0);
    await fillQuickForm(page);
    await arrivesAt(page, '/create-alert');
    await expectQuickValues(page);
    expect(await storage(page)).toEqual({});
  });

  it('names missing fields, and refuses crossed ranges', async () => {
    const page = await browser.open();
    await page.goto('/');
    await page.getByLabel('Within').selectOption('');
    await page.getByRole('button', { name: 'Create my alert' }).click();
    await sees(page, 'Car make is required', 'Location is required', 'Distance radius is required');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('make');
    await page.getByLabel('From year').selectOption('2020');
    await page.getByLabel('To year').selectOption('2010');
    await page.getByLabel('Price from').fill('9000');
    await page.getByLabel('Price to').fill('8000');
    await page.getByRole('button', { name: 'Create my alert' }).click();
    await expect.poll(() => page.getByText('The minimum is above the maximum.').count()).toBe(4);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await storage(page)).toEqual({});
  });

  it('offers four plans and leads visitors to /auth', async () => {
    const page = await browser.open();
    await page.goto('/');
    await sees(page, 'How It Works', 'No credit card is required for the free plan.');
    const card = (name: string) => page.getByRole('article', { name: `${name} plan` });
    const plans = {
      Free: ['$0', 'Get Started', '1 active alert'],
      Starter: ['$4.99', 'Choose Plan', '5 '],
      Pro: ['$14.99', 'Choose Plan', 'POPULAR'],
      Elite: ['$69.99', 'Choose Plan', '100 '],
    };
    for (const [name, texts] of Object.entries(plans)) {
      await card(name).waitFor();
      for (const text of texts) expect(await card(name).textContent()).toContain(text);
    }
    await page.getByRole('link', { name: 'Start Creating Alerts Now' }).click();
    await arrivesAt(page, '/auth');
    await page.goBack();
    await card('Elite').getByRole('link').click();
    await arrivesAt(page, '/auth');
    await page.getByText('You chose Elite · 100 alerts · $69.99 per month.').waitFor();
    await page.getByRole('button', { name: 'Create Account' }).waitFor();
    await page.goto('/');
    await page.getByRole('link', { name: 'Already have an account? Sign in' }).click();
    await arrivesAt(page, '/auth');

    // The page of plans knows the choice once there is an account.
    await page.goto('/');
    await card('Elite').getByRole('link').click();
    await arrivesAt(page, '/auth');
    await page.context().addCookies((await newPerson()).cookies);
    await page.reload();
    await arrivesAt(page, '/subscription');
    await card('Elite').getByText('You chose this').waitFor();
  });
});
