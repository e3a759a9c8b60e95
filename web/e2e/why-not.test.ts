/** @module-tag long */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { failing } from './browser/faults.ts';
import { focusedName, tabTo } from './browser/focus-walk.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { newPerson, type Person, pushedCar } from './browser/people.ts';
import { createAlert } from './browser/session.ts';
import { arrivesAt, canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

/** Ids of a marketplace, which no other test uses. */
let ids = process.pid * 1_000_000_000;
const newId = () => String(++ids);

const sky = (id: string, city: string, state: string, amount: string, title = '2008 Saturn Sky') =>
  pushedCar({
    id,
    marketplace_listing_title: title,
    location: { reverse_geocode: { city, state } },
    listing_price: { amount, currency: 'USD' },
  });

const explanation = (person: Person, alertId: string, listing: string) =>
  person.ask<{ explainListing: { outcome: string } }>(
    'query ($alertId: ID!, $listing: String!) { explainListing(alertId: $alertId, listing: $listing) { outcome } }',
    { alertId, listing },
  );

async function isSound(page: Page): Promise<void> {
  expect(await axeFaults(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
}

describe.skipIf(!canBrowse)('an alert’s page', () => {
  const browser = useBrowser();
  const answer = (page: Page) => page.getByRole('region', { name: 'The answer' });

  for (const [device, options, city, state] of [
    ['desktop', DESKTOP, 'Havre', 'MT'],
    ['phone', PHONE, 'Tonopah', 'NV'],
  ] as const)
    it(`says why a car is missing, and leads a step to the form, by keyboard on a ${device}`, async () => {
      const person = await newPerson();
      const alertId = await createAlert(person, {
        make: 'saturn',
        model: 'sky',
        location: `${city}, ${state}`,
        radius: 50,
        priceMax: 9000,
      });
      const [fitting, dear, noCar] = [newId(), newId(), newId()];
      await pushItems('e2e', [
        sky(fitting, city, state, '8000'),
        sky(dear, city, state, '9500'),
        sky(noCar, city, state, '100', 'Set of 4 rims and tires off a Saturn Sky'),
      ]);
      await expect
        .poll(async () => (await explanation(person, alertId, fitting)).explainListing.outcome, { timeout: 30_000 })
        .toBe('announced');
      const page = await browser.open({ ...options, cookies: person.cookies });
      await page.goto(`/alert/${alertId}`);
      await page.getByText('1 match', { exact: true }).waitFor();

      // On a phone the question waits behind the alert's details.
      if (device === 'phone') {
        await tabTo(page, 'Details');
        await page.keyboard.press('Enter');
      }
      await tabTo(page, /^Why is a car missing\?/);
      await page.keyboard.press('Enter');
      await tabTo(page, 'Which car did you expect?');
      await page.keyboard.press('Enter');
      await sees(page, 'Enter the address, number or title of a listing.');
      const ask = async (text: string) => {
        await page.getByLabel('Which car did you expect?').fill(text);
        await page.keyboard.press('Enter');
      };
      await ask(dear);
      await answer(page).getByText('It does not fit this alert.').waitFor();
      const row = (name: string) => answer(page).getByRole('row').filter({ hasText: name });
      expect(await row('Price').innerText()).toMatch(/does not fit\s+\$9,500\s+up to \$9,000/);
      expect(await row('Distance').innerText()).toMatch(/: fits/);
      await isSound(page);
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/why-not-${device}.png`, fullPage: true });

      await ask(noCar);
      await answer(page)
        .getByText(/could not accept it: it does not read like an offer of one whole car/)
        .waitFor();
      await ask(`https://market.example/item/${newId()}`);
      await answer(page)
        .getByText(/^We have never seen this listing/)
        .waitFor();
      await page
        .getByRole('status')
        .filter({ hasText: 'We have never seen this listing' })
        .waitFor({ state: 'attached' });
      await ask('saturn sky');
      await answer(page).getByText('Several cars fit what you entered. Choose one.').waitFor();
      await isSound(page);
      await tabTo(page, /\$8,000/);
      await page.keyboard.press('Enter');
      await answer(page)
        .getByText(/is among the matches of this alert, which announced it/)
        .waitFor();
      await expect.poll(() => focusedName(page)).toBe('Which car did you expect?');
      const mend = await failing(page, 'ExplainListing', 'offline');
      await ask(dear);
      await sees(page, "We can't reach LotWatch. Check your connection and try again.");
      await mend();

      await page.locator('summary').filter({ hasText: 'What would change it' }).press('Enter');
      await page.getByRole('button', { name: '1 more if the maximum were $1,000 higher' }).waitFor();
      await tabTo(page, '1 more if the maximum were $1,000 higher');
      await isSound(page);
      await page.keyboard.press('Enter');
      await arrivesAt(page, `/edit-alert/${alertId}`);
      await sees(page, 'The maximum is $10,000 now.');
      expect(await page.getByLabel('Price to').inputValue()).toBe('10,000');
      await page.getByText('2 matches', { exact: true }).waitFor();
      await isSound(page);
      await page.getByRole('button', { name: 'Undo' }).press('Enter');
      await expect.poll(() => page.getByLabel('Price to').inputValue()).toBe('9,000');
    });
});
