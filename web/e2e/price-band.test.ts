import { describe, expect, it } from 'vitest';
import { makePool } from '../../api/src/base/database.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { canBrowse, databaseUrl, pushItems, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('a card', () => {
  const browser = useBrowser();

  for (const [device, options] of [
    ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' }],
    ['desktop', { viewport: { width: 1280, height: 900 } }],
  ] as const)
    it(`says how the price compares with those of similar cars, on a ${device}`, {
      tags: device === 'desktop' ? 'long' : [],
    }, async () => {
      const person = await newPerson();
      const town = device === 'phone' ? 'Eareckson Station' : 'Nikolski';
      const id = await giveAlert(person, { location: `${town}, AK` });
      await pushItems('e2e', [
        rareCar(town, 'rated', { id: `rated-${person.name}` }),
        rareCar(town, 'alone', { id: `alone-${person.name}` }),
      ]);
      const pool = makePool(databaseUrl(), 1, 'browser-tests');
      await pool.query(
        `update listings set band_low = price + 500, band_middle = price + 3000, band_high = price + 6500, band_cars = 1212
        where external_id = $1`,
        [`rated-${person.name}`],
      );
      await pool.query(
        `update listings set band_low = null, band_middle = null, band_high = null, band_cars = 2, band_refusal = 'few_cars'
        where external_id = $1`,
        [`alone-${person.name}`],
      );
      await pool.end();
      const page = await browser.open({ ...options, cookies: person.cookies });
      await page.goto(`/alert/${id}`);
      const rated = page.getByRole('article').filter({ hasText: 'rated' });
      await rated.getByText('Great price').waitFor();
      await rated
        .getByText(
          /^8 of 10 cars like this one: \$[\d,]+ to \$[\d,]+ \(middle \$[\d,]+\), judged from 1,212 of its model$/,
        )
        .waitFor();
      const alone = page.getByRole('article').filter({ hasText: 'alone' });
      await alone.getByText('Not enough cars to tell a fair price.').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      expect(await layoutFaults(page)).toEqual([]);
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/price-${device}.png`, fullPage: true });
    });
});
