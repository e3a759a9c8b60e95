/** @module-tag long */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { failing, INTERNAL_ERROR } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!canBrowse)('cars that are compared', () => {
  const browser = useBrowser();
  const car = (name: string, dollars: number, town: string) =>
    rareCar(town, name, {
      location: { reverse_geocode: { city: town, state: 'MT' } },
      listing_price: { amount: `${dollars}.00`, currency: 'USD' },
    });
  const choose = (page: Page, name: string) =>
    page.getByRole('article', { name: `2016 Jaguar F-TYPE · ${name}` }).getByRole('button', { name: 'Compare' });
  const cellsOf = (page: Page, row: string) =>
    page
      .getByRole('row', { name: new RegExp(`^${row}`) })
      .getByRole('cell')
      .allTextContents();

  for (const [what, screen, town] of [
    ['a phone', PHONE, 'Scobey'],
    ['a desktop', {}, 'Jordan'],
  ] as const)
    it(`are chosen on their cards by keyboard, and stand side by side on ${what}`, {
      tags: what === 'a desktop' ? 'long' : [],
    }, async () => {
      const person = await newPerson();
      const alertId = await giveAlert(person, { location: `${town}, MT` });
      await pushItems(
        'e2e',
        ['one', 'two', 'three', 'four', 'five'].map((name, at) => car(name, 30_000 - at * 1_000, town)),
      );
      const page = await browser.open({ ...screen, cookies: person.cookies });
      await page.goto(`/alert/${alertId}`);
      await expect.poll(() => page.getByRole('article').count()).toBe(5);
      const tray = page.getByRole('region', { name: 'Cars to compare' });
      await choose(page, 'one').press('Enter');
      await tray.getByText('Choose one more').waitFor();
      for (const name of ['two', 'three', 'four']) await choose(page, name).press('Enter');
      await tray.getByText('4 of 4').waitFor();
      await choose(page, 'five').press('Enter');
      await expect.poll(() => choose(page, 'five').getAttribute('aria-pressed')).toBe('false');
      await choose(page, 'four').press('Enter');
      await tray.getByText('3 of 4').waitFor();
      const size = page.viewportSize() ?? { width: 0, height: 0 };
      // On a screen as high as the page, the tray covers no part of a button.
      await page.setViewportSize({ ...size, height: 5000 });
      expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
      await page.setViewportSize(size);
      // What has the focus is not below the tray.
      const below = page.getByRole('link', { name: 'View on Marketplace' }).nth(1);
      await below.focus();
      const endOf = async (part: Locator) => (await part.boundingBox()) ?? { y: 0, height: 0 };
      await expect
        .poll(async () => {
          const [link, cover] = await Promise.all([endOf(below), endOf(tray)]);
          return link.y + link.height <= cover.y || link.y >= cover.y + cover.height;
        })
        .toBe(true);
      await page.reload();
      await tray.getByText('3 of 4').waitFor();
      expect(await choose(page, 'two').getAttribute('aria-pressed')).toBe('true');

      // Pages without cards do not have it.
      await page.goto('/settings');
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      expect(await tray.count()).toBe(0);
      await page.goBack();
      await tray.getByRole('link', { name: 'Compare 3 cars' }).press('Enter');
      await page.getByRole('heading', { name: 'Compare Cars', level: 1 }).waitFor();
      await page.getByRole('columnheader', { name: '2016 Jaguar F-TYPE · two', exact: true }).waitFor();
      expect(await cellsOf(page, 'Price')).toEqual(['$30,000', '$29,000', '$28,000Lowest price']);
      expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
      const region = page.getByRole('region', { name: 'Comparison' });
      if (screen === PHONE) {
        // The names of the rows stay while the cars are scrolled.
        await region.focus();
        await page.keyboard.press('End');
        await region.evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
        const [box, head] = [
          await region.boundingBox(),
          await page.getByRole('rowheader', { name: 'Price', exact: true }).boundingBox(),
        ];
        expect(Math.abs((head?.x ?? 0) - (box?.x ?? 0))).toBeLessThan(2);
      }
      await page.getByRole('button', { name: 'Remove 2016 Jaguar F-TYPE · three' }).press('Enter');
      await page.getByRole('status').filter({ hasText: '· three is no longer compared.' }).waitFor();
      await expect.poll(() => cellsOf(page, 'Price')).toEqual(['$30,000', '$29,000Lowest price']);
      await page.reload();
      await expect.poll(() => cellsOf(page, 'Price')).toEqual(['$30,000', '$29,000Lowest price']);

      // What the viewer may not see leaves the address.
      const kept = new URL(page.url()).searchParams.get('ids');
      await page.goto(`/compare?ids=1,${kept},x`);
      await expect.poll(() => cellsOf(page, 'Price')).toEqual(['$30,000', '$29,000Lowest price']);
      await expect.poll(() => new URL(page.url()).searchParams.get('ids')).toBe(kept);
      const gone = '1 car is no longer among your matches or saved cars.';
      await page.getByRole('status').filter({ hasText: gone }).waitFor();
      await page.getByRole('main').getByText(gone).waitFor();
      expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
      await page.getByRole('link', { name: 'Dashboard' }).first().press('Enter');
      await tray.getByText('2 of 4').waitFor();
      await tray.getByRole('button', { name: 'Clear' }).press('Enter');
      await page.getByRole('status').filter({ hasText: 'No car is chosen to be compared.' }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
      await page.reload();
      await page.getByRole('button', { name: 'Compare' }).first().waitFor();
      expect(await tray.count()).toBe(0);
    });

  it('are none at first, are those of the viewer alone, and say what failed', async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/compare');
    await sees(page, 'No Cars to Compare Yet');
    await page.goto('/compare?ids=1,2,x,%00,99');
    await page.waitForURL((url) => url.search === '');
    await sees(page, 'No Cars Left to Compare');
    await page.getByText(/^2 cars are no longer among your matches or saved cars\. Press/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await failing(page, 'CompareCars', INTERNAL_ERROR);
    await page.goto('/compare?ids=1');
    await sees(page, 'The cars could not be loaded');
  });
});
