import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './browser/axe-faults.ts';
import { createAlertOn, newName, pushedCar, registerOn } from './browser/people.ts';
import { canBrowse, newVisitor, openBrowser, pushItems } from './browser/support.ts';

const open = ['/', '/auth', '/privacy', '/contact', '/nowhere'];
const member = ['/dashboard', '/create-alert', '/my-alerts', '/settings', '/subscription'];
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 900 };

describe.skipIf(!canBrowse)('every page has no fault that axe finds', () => {
  let browser: Browser;
  let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
  let alertPath = '';

  beforeAll(async () => {
    browser = await openBrowser();
    const context = await newVisitor(browser);
    const page = await context.newPage();
    await registerOn(page, newName());
    await createAlertOn(page, 'Mazda', 'MX-5 Miata', 'Boise, ID');
    await pushItems('axe', [pushedCar(), pushedCar({ listing_photos: [], is_sold: true })]);
    await page
      .getByRole('link', { name: /View matches/ })
      .first()
      .click();
    await page.waitForURL('**/alert/*');
    await page.getByRole('article').first().waitFor();
    alertPath = new URL(page.url()).pathname;
    storageState = await context.storageState();
    await context.close();
  });
  afterAll(() => browser.close());

  it('light on a phone, and dark on a desktop', async () => {
    const visitor = await newVisitor(browser, { reducedMotion: 'reduce' });
    const buyer = await newVisitor(browser, { reducedMotion: 'reduce', storageState });
    const found: Record<string, string[]> = {};
    const look = async (context: BrowserContext, path: string) => {
      const page = await context.newPage();
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(phone);
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(300);
      const faults = await axeFaults(page);
      await page.setViewportSize(desktop);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark').waitFor();
      faults.push(...(await axeFaults(page)));
      if (faults.length > 0) found[path] = faults;
      await page.close();
    };
    for (const path of open) await look(visitor, path);
    for (const path of [...member, alertPath, alertPath.replace('alert', 'edit-alert')]) await look(buyer, path);
    expect(found).toEqual({});
    await visitor.close();
    await buyer.close();
  });
});
