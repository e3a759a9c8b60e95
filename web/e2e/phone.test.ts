import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { layoutFaults } from './browser/geometry.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!canBrowse)('on a phone', () => {
  const browser = useBrowser();
  const bar = (page: Page) => page.getByRole('navigation', { name: 'Quick navigation' });
  const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });

  it('fits every page of a visitor', { tags: 'long' }, async () => {
    const page = await browser.open(PHONE);
    for (const path of ['/', '/auth', '/privacy', '/terms', '/contact', '/status', '/shared/none', '/no-such-page']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (path === '/') await page.getByRole('article', { name: 'Elite plan' }).waitFor();
      expect(await layoutFaults(page)).toEqual([]);
      await expect.poll(() => bar(page).count()).toBe(path === '/' || path === '/auth' ? 0 : 1);
    }
  });

  it('shows a visitor menu and bar', async () => {
    const page = await browser.open(PHONE);
    await page.goto('/no-such-page');
    await expect.poll(() => bar(page).getByRole('link').allTextContents()).toEqual(['Home', 'Sign In']);
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await expect.poll(() => menu(page).getByRole('link').allTextContents()).toEqual(['Home', 'Sign In']);
    await menu(page).getByRole('link', { name: 'Sign In' }).tap();
    await arrivesAt(page, '/auth');
  });

  it('fits every page of a signed-in user', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { location: 'Utqiagvik, AK', yearMin: 2014, color: 'red' });
    const longTitle = 'Supercharged-Convertible-With-Everything-And-A-Word-Without-Any-Space-In-It';
    await pushItems('e2e', [rareCar('Utqiagvik', longTitle), rareCar('Utqiagvik', 'Two')]);
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    for (const path of [
      '/',
      '/dashboard',
      '/my-alerts',
      `/alert/${id}`,
      `/edit-alert/${id}`,
      '/create-alert',
      '/notifications',
      '/saved',
      `/share-target?text=${'x'.repeat(300)}`,
      '/compare',
      '/settings',
      '/settings/new-alerts',
      '/settings/shared-links',
      '/subscription',
    ]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (path === '/dashboard' || path.startsWith('/alert/')) await page.getByRole('article').first().waitFor();
      if (path === '/create-alert') await sees(page, 'Alert Limit Reached');
      expect(await layoutFaults(page)).toEqual([]);
    }
  });

  it('shows a signed-in user menu and bar', async () => {
    const person = await newPerson();
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/dashboard');
    await bar(page).getByText('Logout').waitFor();
    expect(await bar(page).locator('a, button').allTextContents()).toEqual([
      'Dashboard',
      'Alerts',
      'New Alert',
      'Logout',
    ]);
    await bar(page).getByRole('link', { name: 'Alerts', exact: true }).tap();
    await arrivesAt(page, '/my-alerts');
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await menu(page).getByText(person.name).waitFor();
    expect(await menu(page).getByRole('link').allTextContents()).toEqual([
      'Dashboard',
      'My Alerts',
      'Create Alert',
      'Settings',
      'Subscription',
    ]);
    expect(await layoutFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Log out of LotWatch?' });
    await bar(page).getByRole('button', { name: 'Logout' }).tap();
    await question.getByRole('button', { name: 'Cancel' }).tap();
    await question.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/my-alerts');
    await bar(page).getByRole('button', { name: 'Logout' }).tap();
    await question.getByRole('button', { name: 'Log out', exact: true }).tap();
    await arrivesAt(page, '/');
    await sees(page, 'Logged out');
  });

  it('says beside the name that it is a beta and a test, on the smallest phone too', { tags: 'long' }, async () => {
    const page = await browser.open({
      ...PHONE,
      viewport: { width: 320, height: 568 },
      cookies: (await newPerson()).cookies,
    });
    await page.goto('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const header = page.getByRole('banner');
    const pill = header.getByRole('link', { name: 'Test mode: nothing is charged, mail stays on this machine' });
    const right = async (name: 'BETA' | 'TEST') => {
      const box = await header.getByText(name, { exact: true }).boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    await header.getByRole('link', { name: /^Notifications/ }).waitFor();
    expect(await right('BETA')).toBeLessThanOrEqual((await pill.boundingBox())?.x ?? 0);
    const bell = await header.getByRole('link', { name: /^Notifications/ }).boundingBox();
    expect(await right('TEST')).toBeLessThanOrEqual(bell?.x ?? 0);
    // BETA gives way where there is no room: it would be in a hidden second line.
    const top = async (name: string) => (await header.getByText(name, { exact: true }).boundingBox())?.y ?? 0;
    expect(Math.abs((await top('BETA')) - (await top('TEST')))).toBeLessThan(4);
    await pill.tap();
    await page.getByRole('heading', { name: 'Outbox' }).waitFor();
  });

  it('shows the delete dialog within its width', async () => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/my-alerts');
    await page.getByRole('button', { name: 'Delete Jaguar F-Type' }).tap();
    const dialog = page.getByRole('alertdialog', { name: 'Delete Alert' });
    const box = await dialog.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).tap();
    await sees(page, 'Alert deleted', 'No Alerts Yet');
  });

  it('switches to dark mode and keeps it', async () => {
    const page = await browser.open(PHONE);
    await page.goto('/');
    const look = () =>
      page.evaluate(() => ({
        mode: document.documentElement.className,
        paper: getComputedStyle(document.body).backgroundColor,
      }));
    const night = 'rgb(12, 20, 19)';
    expect((await look()).mode).toContain('light');
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await menu(page).getByRole('button', { name: 'Dark mode' }).tap();
    // The colours change with a transition.
    await expect.poll(look).toMatchObject({ mode: expect.stringContaining('dark'), paper: night });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(look).toMatchObject({ mode: expect.stringContaining('dark'), paper: night });
    const other = await page.context().newPage();
    await other.goto('/auth');
    await other.getByRole('heading', { level: 1 }).waitFor();
    expect(await other.evaluate(() => document.documentElement.className)).toContain('dark');
  });

  it('follows the system until the user chooses', async () => {
    const page = await browser.open({ ...PHONE, colorScheme: 'dark' });
    await page.goto('/auth');
    const mode = () => page.evaluate(() => document.documentElement.className);
    expect(await mode()).toContain('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(mode).toContain('light');
  });
});
