import { describe, expect, it } from 'vitest';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, useBrowser } from './browser/support.ts';

const price = (dollars: number) => ({ listing_price: { amount: `${dollars}.00`, currency: 'USD' } });

describe.skipIf(!canBrowse)('a car that two sources list', () => {
  const browser = useBrowser();

  it('is one card with both offers and its earlier prices, and counts as two matches', async () => {
    const person = await newPerson();
    const alertId = await giveAlert(person, { location: 'Shishmaref, AK' });
    const odometer = { vehicle_odometer_data: { unit: 'MILES', value: 43_217 } };
    const first = rareCar('Shishmaref', 'R Coupe', { ...odometer, ...price(41_500), url: 'https://one.example/1' });
    await pushItems('e2e', [first]);
    await pushItems('e2e', [{ ...first, ...price(39_900) }]);

    const page = await browser.open({ cookies: person.cookies, viewport: { width: 390, height: 844 } });
    await page.goto(`/alert/${alertId}`);
    const cards = page.getByRole('article');
    await cards.first().waitFor();
    expect(await cards.getByText('offers').count()).toBe(0);

    const second = { title: 'Coupe R', url: 'https://two.example/2' };
    await pushItems('e2e-two', [
      rareCar('Shishmaref', second.title, { ...odometer, ...price(40_500), url: second.url }),
    ]);
    await cards.getByText('2 offers', { exact: true }).waitFor();
    expect(await cards.count()).toBe(1);
    await page.getByText('2 matches').waitFor();

    const offers = cards.getByRole('list', { name: '2 offers of this car' }).getByRole('link');
    expect(await offers.allInnerTexts()).toEqual([
      expect.stringMatching(/^E2e\s+\$39,900$/),
      expect.stringMatching(/^E2e two\s+\$40,500$/),
    ]);
    expect(await offers.nth(1).getAttribute('href')).toBe(second.url);
    expect((await offers.nth(1).boundingBox())?.height).toBeGreaterThanOrEqual(44);

    const history = cards.getByRole('list', { name: 'Price history' });
    expect(await history.isVisible()).toBe(false);
    await cards.locator('summary', { hasText: 'was $' }).focus();
    await page.keyboard.press('Enter');
    expect((await history.getByRole('listitem').allInnerTexts()).map((text) => text.match(/\$.*/)?.[0])).toEqual([
      '$41,500',
      '$39,900',
    ]);
    await page.goto('/dashboard');
    await page.getByRole('article').getByText('2 offers', { exact: true }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
  });
});
