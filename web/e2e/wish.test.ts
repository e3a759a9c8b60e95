/** @module-tag long */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { failing } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { someone } from './browser/people.ts';
import { canBrowse, sees, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

describe.skipIf(!canBrowse)('an alert in words', () => {
  const browser = useBrowser();
  const wish = (page: Page) => page.getByLabel('Say it in your own words');
  const value = (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue();

  async function openForm(options = {}): Promise<Page> {
    const page = await browser.open({ ...options, cookies: someone('user').cookies });
    await page.goto('/create-alert');
    await page.getByLabel('Make').waitFor();
    return page;
  }

  async function isSound(page: Page): Promise<void> {
    expect(await axeFaults(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  }

  it('fills the form by keyboard, says what was not understood, and undoes it', async () => {
    const page = await openForm();
    await page.getByLabel('Location').fill('Boise, ID');
    await page.getByLabel('Color').selectOption('red');
    await wish(page).focus();
    await page.keyboard.type('blue civic under 9k within 40 miles of Reno, 2014 or newer, heated seats');
    await page.keyboard.press('Enter');
    await sees(page, 'Honda Civic', 'Up to $9,000', '2014 or newer', '“heated seats” was not understood.');
    expect(await value(page, 'Make')).toBe('honda');
    expect(await value(page, 'Model')).toBe('civic');
    expect(await value(page, 'From year')).toBe('2014');
    expect(await value(page, 'To year')).toBe('');
    expect(await value(page, 'Price to')).toBe('9,000');
    expect(await value(page, 'Location')).toBe('Reno');
    expect(await value(page, 'Within')).toBe('50');
    expect(await value(page, 'Color')).toBe('blue');
    const spoken = /Filled in: Honda Civic, .*Up to \$9,000.* “heated seats” was not understood\./;
    await page.getByRole('status').filter({ hasText: spoken }).waitFor({ state: 'attached' });
    await isSound(page);
    // What is changed by hand after that is not undone.
    await page.getByLabel('Price to').fill('8000');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => value(page, 'Location')).toBe('Boise, ID');
    expect(await value(page, 'Color')).toBe('red');
    expect(await value(page, 'Make')).toBe('');
    expect(await value(page, 'Price to')).toBe('8,000');
    await expect.poll(() => wish(page).evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await wish(page).inputValue()).toContain('blue civic');
  });

  it('reads a pasted address on the smallest phone', async () => {
    const page = await openForm(PHONE);
    await wish(page).fill(
      'https://www.facebook.com/marketplace/reno/vehicles?minPrice=3000&maxPrice=9000&minYear=2014&daysSinceListed=7',
    );
    await page.getByRole('button', { name: 'Fill in the form' }).tap();
    await sees(page, 'From $3,000', 'Up to $9,000', '“daysSinceListed=7” was not understood.');
    expect(await value(page, 'Price from')).toBe('3,000');
    expect(await value(page, 'From year')).toBe('2014');
    await isSound(page);
  });

  it('says when nothing was understood, when the text is too long, and when the server fails', async () => {
    const page = await openForm();
    await wish(page).fill('xyzzy');
    await wish(page).press('Enter');
    await sees(page, 'Nothing was filled in.', '“xyzzy” was not understood.');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await wish(page).fill('civic '.repeat(90));
    await wish(page).press('Enter');
    await sees(page, 'Please say it in at most 500 characters');
    await wish(page).fill('civic');
    await failing(page, 'ReadWish', 'offline');
    await wish(page).press('Enter');
    await sees(page, "We can't reach LotWatch. Check your connection and try again.");
    expect(await value(page, 'Make')).toBe('');
    await isSound(page);
  });
});
