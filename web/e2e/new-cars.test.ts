/** @module-tag long */
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createAlertOn, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

/** A repeated run needs a place where the first has left no cars. */
const towns = ['Atka', 'Mekoryuk'];
let cars = 0;

/** A car that is another one than each before it. */
const carIn = (town: string) => {
  cars += 1;
  return rareCar(town, `${cars}`, {
    listing_price: { amount: `${20_000 + cars * 1_900}.00`, currency: 'USD' },
    custom_sub_titles_with_rendering_flags: [{ subtitle: `${20 + cars * 9}K miles` }],
  });
};

describe.skipIf(!canBrowse)('what is new', () => {
  const browser = useBrowser();

  it('is what came after the alert, until it is viewed, and its edge fades once it was seen', async () => {
    const person = await newPerson();
    const town = towns.shift() ?? 'Kaktovik';
    await pushItems('e2e', [carIn(town), carIn(town), carIn(town)]);
    const page = await browser.open({ cookies: person.cookies, viewport: { width: 360, height: 740 } });
    await createAlertOn(page, 'Jaguar', 'F-Type', `${town}, AK`);
    const row = page.getByRole('listitem').filter({ hasText: 'View matches' });
    await row.getByText('3 already listed').waitFor();
    expect(await row.textContent()).not.toContain('new');
    await expect.poll(() => page.title()).toBe('My Alerts · LotWatch');

    await page.goto('/dashboard');
    await sees(page, 'No new cars in the last 24 hours.');
    await pushItems('e2e', [carIn(town), carIn(town)]);
    await sees(page, '2 new cars in the last 24 hours.');
    await expect.poll(() => row.textContent()).toMatch(/2 new.*5 listings/);
    await expect.poll(() => page.title()).toBe('(2) Dashboard · LotWatch');

    await row.getByRole('link', { name: /^View matches/ }).click();
    const card = page.getByRole('article').filter({ hasText: /New · / });
    await expect.poll(() => card.count()).toBe(2);
    const old = page.getByRole('article').filter({ hasText: '· before you made this alert' });
    await expect.poll(() => old.count()).toBe(3);
    const edgeOf = (of: Locator) =>
      of.evaluate((article) => getComputedStyle(article.parentElement ?? article).borderColor);
    const plain = await edgeOf(old.first());
    // The second card is below the screen, where nobody has seen it.
    expect(await edgeOf(card.last())).not.toBe(plain);
    await card.last().scrollIntoViewIfNeeded();
    await expect.poll(() => edgeOf(card.last())).toBe(plain);

    const link = card.last().getByRole('link', { name: 'View on Marketplace' });
    await Promise.all([page.waitForEvent('popup'), link.click()]);
    await expect.poll(() => page.title()).toBe('(1) Jaguar F-Type · LotWatch');
    await page.reload();
    await expect.poll(() => page.title()).toBe('(1) Jaguar F-Type · LotWatch');
    await expect.poll(() => card.count()).toBe(1);
  });
});
