/** @module-tag long */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { focusedName, tabTo } from './browser/focus-walk.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, pushedCar } from './browser/people.ts';
import { arrivesAt, canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

const DESKTOP = { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' as const };
const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

/** A car that the demo never lists. */
const sky = (title: string, [city, state]: readonly [string, string], other: object) =>
  pushedCar({ marketplace_listing_title: title, location: { reverse_geocode: { city, state } }, ...other });

async function isSound(page: Page): Promise<void> {
  expect(await axeFaults(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/filters-${name}.png`, fullPage: true });
}

describe.skipIf(!canBrowse)('more filters', () => {
  const browser = useBrowser();
  const value = (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue();

  for (const [device, options, town] of [
    ['desktop', DESKTOP, ['Plentywood', 'MT'] as const],
    ['phone', PHONE, ['McDermitt', 'NV'] as const],
  ] as const)
    it(`are set by keyboard, and only cars that fit match, on a ${device}`, {
      tags: device === 'phone' ? 'long' : [],
    }, async () => {
      const person = await newPerson();
      const page = await browser.open({ ...options, cookies: person.cookies });
      await page.goto('/create-alert');
      await page.getByLabel('Make').selectOption('saturn');
      await page.getByLabel('Model').selectOption('sky');
      await page.getByLabel('Location').fill(town.join(', '));
      expect(await page.getByLabel('Mileage up to').count()).toBe(0);
      await page.getByLabel('Only listings with images').focus();
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).toBe('More filters');
      await page.keyboard.press('Enter');
      await page.getByLabel('Also this model').selectOption('vue');
      await page.getByLabel('Also of make').selectOption('pontiac');
      await page.getByLabel('Also this model').selectOption('solstice');
      await sees(page, 'Saturn Vue', 'Pontiac Solstice', 'More filters', '1 set');
      await page.getByRole('button', { name: 'Remove Saturn Vue' }).press('Enter');
      await page.getByLabel('Mileage up to').fill('90,000');
      await page.getByLabel('Title status').selectOption('clean');
      await page.getByLabel('Words to leave out').fill('parts, As-Is');
      await sees(page, '4 set', "A car without a stated mileage won't match.");
      await page.getByLabel('Stated price').selectOption('Only with a stated price');
      const unpriced = "A car without a stated price won't match. ";
      await sees(page, `${unpriced}Choose “Also without a stated price” to include it.`);
      await page.getByLabel('Stated price').selectOption('As the price range asks');
      await sees(page, `${unpriced}Clear the prices to include it.`);
      await isSound(page);
      await picture(page, `form-${device}`);
      await tabTo(page, 'Create Alert');
      await page.keyboard.press('Enter');
      await arrivesAt(page, '/my-alerts');
      await sees(page, 'Saturn Sky or Pontiac Solstice');

      const { alerts } = await person.ask<{ alerts: { id: string }[] }>('{ alerts { id } }', {});
      const id = alerts[0]?.id ?? '';
      const odometer = (miles: number) => ({ vehicle_odometer_data: { unit: 'MILES', value: miles } });
      await pushItems('e2e', [
        sky('2008 Saturn Sky as is', town, odometer(50_000)),
        sky('2008 Saturn Sky worn', town, odometer(90_001)),
        sky('2008 Saturn Sky wrecked', town, { ...odometer(50_000), vehicle_title_status: 'SALVAGE' }),
        sky('2008 Saturn Vue', town, odometer(50_000)),
        sky('2008 Pontiac Solstice roadster', town, odometer(50_000)),
      ]);
      await page.goto(`/alert/${id}`);
      await sees(
        page,
        '2008 Pontiac Solstice roadster',
        'title status not stated',
        'Up to 90,000 miles',
        'Clean title',
      );
      await sees(page, 'Without “parts”, “as is”');
      for (const other of ['as is', 'worn', 'wrecked', 'Vue']) {
        expect(await page.getByText(`2008 Saturn ${other === 'Vue' ? 'Vue' : `Sky ${other}`}`).count()).toBe(0);
      }
      await isSound(page);
      await picture(page, `alert-${device}`);

      await page.goto(`/edit-alert/${id}`);
      await page.getByLabel('Mileage up to').waitFor();
      expect(await value(page, 'Mileage up to')).toBe('90,000');
      expect(await value(page, 'Words to leave out')).toBe('parts, as is');
      await page.getByLabel('Mileage up to').fill('');
      await page.getByLabel('Title status').selectOption('');
      await page.getByRole('button', { name: 'Update Alert' }).press('Enter');
      await arrivesAt(page, '/my-alerts');
      const query = 'query ($id: ID!) { alert(id: $id) { mileageMax titleStatus models excludeWords } }';
      expect((await person.ask<{ alert: object }>(query, { id })).alert).toEqual({
        mileageMax: null,
        titleStatus: null,
        models: ['pontiac/solstice'],
        excludeWords: ['parts', 'as is'],
      });
    });

  it('open where a wish or the server fills them, and say what is wrong', async () => {
    const person = await newPerson();
    const page = await browser.open({ ...DESKTOP, cookies: person.cookies });
    await page.goto('/create-alert');
    await page.getByLabel('Say it in your own words').fill('manual civic or corolla, under 80,000 miles, no salvage');
    await page.getByLabel('Say it in your own words').press('Enter');
    await page.getByLabel('Mileage up to').waitFor();
    expect(await value(page, 'Make')).toBe('honda');
    expect(await value(page, 'Model')).toBe('civic');
    expect(await value(page, 'Mileage up to')).toBe('80,000');
    expect(await value(page, 'Transmission')).toBe('manual');
    expect(await value(page, 'Title status')).toBe('clean');
    await page.getByRole('list', { name: 'Further models' }).getByText('Toyota Corolla').waitFor();
    await page.getByLabel('Mileage up to').fill('9000000');
    await page.getByLabel('Location').fill('Reno, NV');
    await page.getByRole('button', { name: 'Create Alert' }).press('Enter');
    await sees(page, 'Please enter whole miles from 1 to 2,000,000');
    await expect
      .poll(() => page.getByLabel('Mileage up to').evaluate((one) => one === document.activeElement))
      .toBe(true);
    await isSound(page);
  });

  it('stay what they are when an alert of the API is edited', { tags: 'long' }, async () => {
    const person = await newPerson();
    const given = { make: 'saturn', models: ['sky', 'vue'], priceStated: false, fuel: 'gas', belowFairPrice: true };
    const id = await giveAlert(person, { ...given, model: null, location: 'Reno, NV' });
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    await page.goto(`/edit-alert/${id}`);
    await page.getByLabel('Fuel').waitFor();
    await sees(page, '4 set');
    expect(await value(page, 'Stated price')).toBe('false');
    expect(await page.getByLabel('Only below the fair price').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Update Alert' }).tap();
    await arrivesAt(page, '/my-alerts');
    const query = 'query ($id: ID!) { alert(id: $id) { model models priceStated fuel belowFairPrice } }';
    const { alert } = await person.ask<{ alert: object }>(query, { id });
    expect(alert).toEqual({ model: 'sky', models: ['vue'], priceStated: false, fuel: 'gas', belowFairPrice: true });
  });
});
