import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newPerson } from './browser/people.ts';
import { arrivesAt, canBrowse, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('the frame of every page', () => {
  const browser = useBrowser();
  const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' });
  const closers = (page: Page) => toasts(page).getByRole('button', { name: 'Close' });
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

  it('shows one toast at a time for five seconds, in a live region that exists before', async () => {
    const page = await browser.open({ ownContext: true });
    await page.clock.install();
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    await page.evaluate(() => {
      for (const region of document.querySelectorAll('[aria-label="Notifications (F8)"] [aria-live]'))
        region.setAttribute('data-was-there', '');
    });
    await page.getByLabel('Username').fill('nobody-of-this-name');
    await page.getByLabel('Password', { exact: true }).fill('wrong-password');
    const fail = async () => {
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await page.locator('[aria-live=assertive][data-was-there]').getByText('Login failed').waitFor();
    };
    await fail();
    await fail();
    await expect.poll(() => closers(page).count()).toBe(1);
    await page.clock.fastForward(2_500);
    await expect.poll(() => closers(page).count()).toBe(1);
    await page.clock.fastForward(5_000);
    await expect.poll(() => closers(page).count()).toBe(0);

    await fail();
    const panel = (await toasts(page).getByText('Login failed').boundingBox()) ?? { x: 0, y: 0 };
    const swipe = async (distance: number) => {
      await page.mouse.move(panel.x + 5, panel.y + 5);
      await page.mouse.down();
      await page.mouse.move(panel.x + 5 + distance, panel.y + 5, { steps: 3 });
      await page.mouse.up();
    };
    await swipe(45);
    await expect.poll(() => closers(page).count()).toBe(1);
    await swipe(55);
    await expect.poll(() => closers(page).count()).toBe(0);

    await fail();
    await page.getByLabel('Username').focus();
    await page.keyboard.press('F8');
    await expect.poll(() => focused(page)).toContain('Login failed');
    // It stays while it has the focus.
    await page.keyboard.press('Tab');
    await page.clock.fastForward(20_000);
    await expect.poll(() => closers(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => closers(page).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');

    await fail();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    for (const key of ['F8', 'Tab', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => closers(page).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('has tooltips for icons: delayed for the pointer, immediate for the keyboard, none for touch', {
    tags: 'long',
  }, async () => {
    const page = await browser.open({ ownContext: true });
    await page.clock.install();
    await page.goto('/privacy');
    const button = page.getByRole('button', { name: 'Switch to dark mode' });
    const words = page.getByRole('tooltip');
    await button.hover();
    expect(await words.count()).toBe(0);
    await page.clock.fastForward(700);
    await words.waitFor();
    expect(await words.textContent()).toBe('Switch to dark mode');
    // The tooltip itself can be pointed at.
    await words.hover();
    await page.clock.fastForward(1_000);
    await expect.poll(() => words.count()).toBe(1);
    await page.keyboard.press('Escape');
    await words.waitFor({ state: 'detached' });
    await page.mouse.move(300, 600);
    await page.keyboard.press('Tab');
    for (let presses = 0; presses < 5 && (await words.count()) === 0; presses++) await page.keyboard.press('Tab');
    await words.waitFor();
    await page.keyboard.press('Tab');
    await words.waitFor({ state: 'detached' });

    const touched = await browser.open({ hasTouch: true, ownContext: true });
    await touched.clock.install();
    await touched.goto('/privacy');
    await touched.getByRole('button', { name: 'Switch to dark mode' }).tap();
    await touched.getByRole('button', { name: 'Switch to light mode' }).waitFor();
    await touched.clock.fastForward(2_000);
    expect(await touched.getByRole('tooltip').count()).toBe(0);
  });

  it('changes pages without loading the document again, and loads code when a link is pointed at', async () => {
    const page = await browser.open({ cookies: (await newPerson()).cookies, ownContext: true });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/');
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    await page.evaluate(() => document.documentElement.setAttribute('data-first-document', ''));
    const terms = page.getByRole('link', { name: 'Terms of Service' });
    expect(asked.filter((path) => path.includes('TermsPage'))).toEqual([]);
    await terms.hover();
    await expect.poll(() => asked.filter((path) => path.includes('TermsPage')).length).toBe(1);
    await terms.click();
    await arrivesAt(page, '/terms');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Create Alert' }).click();
    await arrivesAt(page, '/create-alert');
    await page.getByRole('link', { name: 'My Alerts' }).first().click();
    await arrivesAt(page, '/my-alerts');
    expect(await page.locator('html[data-first-document]').count()).toBe(1);
    expect(asked.filter((path) => path.includes('TermsPage'))).toHaveLength(1);
    // The account menu offers what the specification lists, in its order; the current place is marked beside the page.
    await page.getByRole('button', { name: /^Account menu/ }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'Dashboard',
      'My Alerts',
      'Create Alert',
      'Settings',
      'Subscription',
      'Logout',
    ]);
    const side = page.getByRole('navigation', { name: 'Main' });
    expect(await side.getByRole('link').allTextContents()).toEqual(['Dashboard', 'My Alerts', 'Settings']);
    expect(await side.locator('[aria-current=page]').textContent()).toBe('My Alerts');
    expect(await page.getByRole('link', { name: 'Dashboard' }).count()).toBe(1);
    const year = new Date().getFullYear();
    await page.getByText(`© ${year} LotWatch. All rights reserved.`).waitFor();
  });

  it('returns the focus to the menu button on Escape, and closes on a tap outside', async () => {
    const page = await browser.open({ viewport: { width: 390, height: 844 } });
    await page.goto('/privacy');
    const opener = page.getByRole('button', { name: 'Open menu' });
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await opener.click();
    await menu.getByRole('link', { name: 'Home' }).focus();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Open menu');
    await opener.click();
    await menu.waitFor();
    await page.mouse.click(200, 700);
    await menu.waitFor({ state: 'detached' });
  });
});
