/** @module-tag long */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { failing, INTERNAL_ERROR } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!canBrowse)('a list of cars', () => {
  const browser = useBrowser();
  const car = (town: string, name: string, dollars: number, miles: number) =>
    rareCar(town, name, {
      location: { reverse_geocode: { city: town, state: 'NV' } },
      listing_price: { amount: `${dollars}.00`, currency: 'USD' },
      custom_sub_titles_with_rendering_flags: [{ subtitle: `${miles}K miles` }],
    });
  const titles = (page: Page) =>
    page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.querySelector('h3')?.textContent));
  const inOrder = (page: Page, ...names: string[]) =>
    expect.poll(() => titles(page)).toEqual(names.map((name) => `2016 Jaguar F-TYPE · ${name}`));
  const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  /** Someone with three cars, of which 'dear' was dearer before. */
  async function withCars(town: string): Promise<{ person: Person; alertId: string }> {
    const person = await newPerson();
    const alertId = await giveAlert(person, { location: `${town}, NV` });
    const dear = car(town, 'dear', 40_000, 10);
    const countOf = async () =>
      (await person.ask<{ matches: { nodes: unknown[] } }>('{ matches { nodes { matchedAt } } }')).matches.nodes.length;
    // One after another, so that their order is known.
    for (const [at, item] of [dear, car(town, 'cheap', 10_000, 90), car(town, 'middle', 20_000, 50)].entries()) {
      await pushItems('e2e', [item]);
      await expect.poll(countOf).toBe(at + 1);
    }
    await pushItems('e2e', [{ ...dear, listing_price: { amount: '39500.00', currency: 'USD' } }]);
    return { person, alertId };
  }

  for (const [what, screen, town] of [
    ['a phone', PHONE, 'Winnemucca'],
    ['a desktop', {}, 'Jackpot'],
  ] as const)
    it(`is sorted and filtered by keyboard on ${what}, and the address keeps it`, async () => {
      const { person, alertId } = await withCars(town);
      const page = await browser.open({ ...screen, cookies: person.cookies });
      await page.goto(`/alert/${alertId}`);
      await inOrder(page, 'middle', 'cheap', 'dear');
      const map = page.getByRole('button', { name: 'Map', exact: true });
      if ((await map.getAttribute('aria-expanded')) === 'false') await map.press('Enter');
      const mark = (name: string | RegExp) =>
        page.getByRole('list', { name: 'Cars on the map' }).getByRole('button', { name, exact: true });
      await mark(`3 cars in ${town}, NV`).waitFor();
      const sort = page.getByLabel('Sort matches');
      await sort.focus();
      await page.keyboard.press('ArrowDown');
      await inOrder(page, 'cheap', 'middle', 'dear');
      expect(new URL(page.url()).search).toBe('?sort=price');
      await sort.selectOption({ label: 'Lowest mileage' });
      await inOrder(page, 'dear', 'middle', 'cheap');
      expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
      await chip(page, 'Price drops').press('Enter');
      await inOrder(page, 'dear');
      await sees(page, '1 of 3 matches');
      // The map has the same cars, and so has the file.
      await mark(/^2016 Jaguar F-TYPE · dear, \$39,500, /).waitFor();
      await sees(page, `1 car within 50 miles of ${town}, NV`);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download matches as a CSV file' }).press('Enter'),
      ]);
      expect(download.suggestedFilename()).toBe('lotwatch-matches.csv');
      const file = readFileSync(await download.path(), 'utf8');
      expect(file.split('\r\n').map((line) => line.split(',').slice(0, 3).join())).toEqual([
        '\ufeffTitle,Year,Make',
        '2016 Jaguar F-TYPE · dear,2016,jaguar',
        '',
      ]);
      expect(await chip(page, 'Price drops').getAttribute('aria-pressed')).toBe('true');
      expect(new URL(page.url()).search).toBe('?sort=mileage&only=price_drop');
      await page.reload();
      await inOrder(page, 'dear');
      await chip(page, 'Saved').press('Enter');
      await sees(page, 'No match is left by these filters');
      await sees(page, `No car is left by the filters within 50 miles of ${town}, NV`);
      expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
      await chip(page, 'Show all matches').press('Enter');
      await inOrder(page, 'dear', 'middle', 'cheap');
      await mark(`3 cars in ${town}, NV`).waitFor();
    });

  it('counts cars that arrive until it is sorted again, and shows them in their place', async () => {
    const { person, alertId } = await withCars('Caliente');
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/alert/${alertId}?sort=price`);
    await inOrder(page, 'cheap', 'middle', 'dear');
    await pushItems('e2e', [car('Caliente', 'between', 15_000, 70), car('Caliente', 'cheapest', 9_000, 200)]);
    const show = page.getByRole('button', { name: 'Show 2 new' });
    await show.waitFor();
    await inOrder(page, 'cheap', 'middle', 'dear');
    const end = await failing(page, 'AlertMatches', INTERNAL_ERROR);
    await show.press('Enter');
    await page.getByText(/^The new matches could not be loaded: /).waitFor();
    await inOrder(page, 'cheap', 'middle', 'dear');
    await end();
    await show.press('Enter');
    await inOrder(page, 'cheapest', 'cheap', 'between', 'middle', 'dear');
    expect(await show.count()).toBe(0);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Matching listings');

    // With a filter, only what it leaves is counted; newest first, cars are added by themselves.
    await chip(page, 'Price drops').press('Enter');
    await inOrder(page, 'dear');
    await pushItems('e2e', [car('Caliente', 'last', 30_000, 70)]);
    await page
      .getByRole('status')
      .filter({ hasText: /^New match: .* last,/ })
      .waitFor();
    expect(await page.getByRole('button', { name: /^Show \d+ new$/ }).count()).toBe(0);
    await page.goto(`/alert/${alertId}`);
    // Those that came together have any order among themselves.
    const byArrival = async () =>
      (await titles(page)).map((title) => title?.replace(/(cheapest|between)$/, 'together'));
    await expect
      .poll(byArrival)
      .toEqual(
        ['last', 'together', 'together', 'middle', 'cheap', 'dear'].map((name) => `2016 Jaguar F-TYPE · ${name}`),
      );
  });

  it('of saved cars is sorted and filtered too, and says what failed', async () => {
    const { person } = await withCars('Eureka');
    const { matches } = await person.ask<{ matches: { nodes: { listing: { id: string } }[] } }>(
      '{ matches { nodes { listing { id } } } }',
    );
    for (const { listing } of matches.nodes)
      await person.ask('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: listing.id });
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto('/saved');
    await inOrder(page, 'dear', 'cheap', 'middle');
    await page.getByLabel('Sort saved cars').selectOption({ label: 'Lowest price' });
    await inOrder(page, 'cheap', 'middle', 'dear');
    expect(new URL(page.url()).search).toBe('?sort=price');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download saved cars as a CSV file' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe('lotwatch-saved-cars.csv');
    const file = readFileSync(await download.path(), 'utf8');
    expect(file.split('\r\n').map((line) => line.split(',')[0])).toEqual([
      '\ufeffTitle',
      ...['cheap', 'middle', 'dear'].map((name) => `2016 Jaguar F-TYPE · ${name}`),
      '',
    ]);
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    await chip(page, 'Below fair price').press('Enter');
    await sees(page, 'No saved car is left by these filters');
    await chip(page, 'Show all saved cars').press('Enter');
    await inOrder(page, 'cheap', 'middle', 'dear');
    const end = await failing(page, 'SavedListings', INTERNAL_ERROR);
    await page.getByLabel('Sort saved cars').selectOption({ label: 'Nearest' });
    await sees(page, 'Your saved cars could not be loaded');
    await end();
    await chip(page, 'Try Again').press('Enter');
    await expect.poll(() => titles(page)).toHaveLength(3);
  });
});
