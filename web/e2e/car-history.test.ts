/** @module-tag long */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makePool } from '../../api/src/base/database.ts';
import { failing, INTERNAL_ERROR } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults, outlineFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, pushedCar } from './browser/people.ts';
import { canBrowse, databaseUrl, pushItems, useBrowser } from './browser/support.ts';

const sizes = [
  ['phone', { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, colorScheme: 'dark' as const }],
  ['desktop', { viewport: { width: 1440, height: 1000 }, colorScheme: 'light' as const }],
] as const;

/** A car of a model that no other test has, in a town of its own for each size. */
const coupe = (town: string, price: number, miles: number, more: Record<string, unknown> = {}) =>
  pushedCar({
    marketplace_listing_title: '2009 Jaguar XK · Coupe 2D',
    listing_price: { amount: `${price}.00`, currency: 'USD' },
    location: { reverse_geocode: { city: town, state: 'AK' } },
    vehicle_odometer_data: { unit: 'MILES', value: miles },
    ...more,
  });

/**
 * A car that one source listed 70 days ago, made cheaper, removed and listed again, and that another source offers too; and
 * others of its model.
 */
async function listCar(town: string, name: string): Promise<void> {
  const vin = town === 'Atka' ? 'SAJDA41C13NA12345' : 'SAJWA4FB0HMK12345';
  const days = (ago: number) => ({ creation_time: Math.floor(Date.now() / 1000) - ago * 86_400 });
  const first = { vin, id: `first-${name}`, ...days(70) };
  await pushItems('north-lot', [coupe(town, 16_900, 61_200, first)]);
  await pushItems('north-lot', [coupe(town, 15_900, 61_200, first)]);
  await pushItems('north-lot', [coupe(town, 15_900, 61_200, { ...first, is_sold: true })]);
  await pushItems('north-lot', [
    coupe(town, 4_900, 61_300, {
      vin,
      id: `again-${name}`,
      description: 'Runs well. Deposit first, then I send the keys.',
      ...days(3),
    }),
  ]);
  await pushItems('south-lot', [coupe(town, 14_900, 61_300, { vin, id: `south-${name}`, ...days(2) })]);
  await pushItems(
    'others',
    Array.from({ length: 40 }, (_, index) =>
      coupe('Laughlin', 19_500 - index * 230 + ((index * 977) % 2_300), 20_000 + index * 2_700, {
        id: `other-${name}-${index}`,
        marketplace_listing_title: `${2006 + (index % 7)} Jaguar XK`,
        location: { reverse_geocode: { city: 'Laughlin', state: 'NV' } },
      }),
    ),
  );
  const pool = makePool(databaseUrl(), 1, 'browser-tests');
  await pool.query(
    `update listings set seen_at = now() - interval '70 days', last_seen_at = now() - interval '20 days'
      where external_id = $1`,
    [`first-${name}`],
  );
  await pool.query(
    `with times as (select now() - interval '70 days' as first, now() - interval '41 days' as later)
     update price_changes p set seen_at = case when p.price = 16900 then t.first else t.later end
       from listings l, times t where l.id = p.listing_id and l.external_id = $1`,
    [`first-${name}`],
  );
  await pool.query(
    `update listings set band_low = 11200, band_middle = 14600, band_high = 18900, band_cars = 42, band_refusal = null
      where external_id = any($1)`,
    [[`again-${name}`, `south-${name}`]],
  );
  await pool.end();
}

async function openByKey(page: Page, summary: Locator): Promise<void> {
  await summary.focus();
  await page.keyboard.press('Enter');
}

async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
}

describe.skipIf(!canBrowse)('the history of a car', () => {
  const browser = useBrowser();

  for (const [device, options] of sizes)
    it(`is on its card: days, cautions, prices of all offers and similar cars, on a ${device}`, async () => {
      const town = device === 'phone' ? 'St. Paul' : 'Atka';
      const person = await newPerson();
      const id = await giveAlert(person, { make: 'jaguar', model: 'xk', location: `${town}, AK` });
      await listCar(town, person.name);
      const page = await browser.open({ ...options, cookies: person.cookies });
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await page.goto(`/alert/${id}`);
      const card = page.getByRole('article').first();
      await card.getByText('On the market 70 days · listed 2 times').waitFor();
      expect(requested.some((url) => url.includes('CarCharts'))).toBe(false);

      await openByKey(page, card.locator('summary', { hasText: 'Look twice: 3 things are unusual' }));
      const cautions = card.getByRole('list', { name: 'Why to look twice' }).getByRole('listitem');
      expect(await cautions.allInnerTexts()).toEqual([
        'The price is far below similar cars. Ask why before you pay anything.',
        'The advert says “deposit first”. See the car before you pay anything.',
        expect.stringMatching(/^The VIN stands for the model year (2003|2017), the advert says 2009\. Compare it with/),
      ]);

      await openByKey(page, card.locator('summary', { hasText: 'Price history and similar cars' }));
      await expect.poll(() => requested.some((url) => url.includes('CarCharts'))).toBe(true);
      const history = card.getByRole('region', { name: 'Price history of this car' });
      await history.getByRole('img', { name: /^Prices over time at North lot, South lot/ }).waitFor();
      const rows = history.getByRole('table', { name: 'All offers of this car and their prices' }).getByRole('row');
      expect((await rows.allInnerTexts()).slice(1).map((text) => text.split('\t').slice(1).join(' '))).toEqual([
        'North lot Listed $16,900',
        'North lot Price lowered $15,900',
        'North lot Sold $15,900',
        'North lot Listed again $4,900',
        'South lot First seen by us $14,900',
      ]);

      const similar = card.getByRole('region', { name: 'Prices of similar cars' });
      await similar.getByRole('img', { name: /^Price over mileage of \d+ similar cars/ }).waitFor();
      const slider = similar.getByRole('slider', { name: 'Go through the cars by mileage' });
      await slider.focus();
      const first = await slider.getAttribute('aria-valuetext');
      expect(first).toMatch(/^20\d\d Jaguar XK, 20,000 miles, \$[\d,]+$/);
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(first);
      await openByKey(page, similar.locator('summary', { hasText: 'All cars in a table' }));
      const cars = similar.getByRole('table', { name: 'This car and similar ones, by mileage' }).getByRole('row');
      await expect.poll(() => cars.count()).toBeGreaterThanOrEqual(42);
      expect(await cars.nth(1).innerText()).toMatch(/^This car\s+61,300 miles\s+\$4,900$/);
      expect(await axeFaults(page)).toEqual([]);
      expect(await layoutFaults(page)).toEqual([]);
      expect(await outlineFaults(page)).toEqual([]);
      await picture(page, `history-${device}`);
    });

  it('says so where the charts can not be loaded, and loads them on request', async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { make: 'jaguar', model: 'xk', location: 'McCarthy, AK' });
    await pushItems('north-lot', [coupe('McCarthy', 12_900, 71_200, { id: `alone-${person.name}` })]);
    const page = await browser.open({ cookies: person.cookies });
    const repair = [
      await failing(page, 'CarHistory', INTERNAL_ERROR),
      await failing(page, 'ComparableCars', INTERNAL_ERROR),
    ];
    await page.goto(`/alert/${id}`);
    const card = page.getByRole('article').first();
    await openByKey(page, card.locator('summary', { hasText: 'Price history and similar cars' }));
    await card.getByText('The price history could not be loaded').waitFor();
    await card.getByText('Similar cars could not be loaded').waitFor();
    for (const stop of repair) await stop();
    await card.getByRole('button', { name: 'Try again' }).first().press('Enter');
    await card.getByRole('table', { name: 'All offers of this car and their prices' }).waitFor();
    await card.getByRole('button', { name: 'Try again' }).first().press('Enter');
    const similar = card.getByRole('region', { name: 'Prices of similar cars' });
    await similar.getByText('Not enough cars to tell a fair price.').waitFor();
  });
});
