/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool, type Pool } from '../../api/src/base/database.ts';
import { failing, INTERNAL_ERROR } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, rareCar } from './browser/people.ts';
import { canBrowse, databaseUrl, pushItems, readOutbox, sees, seesToast, useBrowser } from './browser/support.ts';

const price = (dollars: number) => ({ listing_price: { amount: `${dollars}.00`, currency: 'USD' } });

describe.skipIf(!canBrowse)('a saved car', () => {
  const browser = useBrowser();
  let pool: Pool;
  beforeAll(() => {
    pool = makePool(databaseUrl(), 1, 'browser-tests');
  });
  afterAll(() => pool.end());

  const mailsTo = (person: Person, kind: string) =>
    readOutbox().filter((mail) => mail.to === person.email && mail.kind === kind);

  /** Changes the car as if five minutes had passed since the last mail. */
  async function push(alertId: string, item: Record<string, unknown>): Promise<void> {
    await pool.query('update alerts set last_mailed_at = null where id = $1', [alertId]);
    await pool.query('delete from alert_throttles where alert_id = $1', [alertId]);
    await pushItems('e2e', [item]);
  }

  it('is kept on a page of its own, and its buyer is told when it gets cheaper and when it is sold', async () => {
    const person = await newPerson();
    const alertId = await giveAlert(person, { location: 'Huslia, AK', priceMin: 35_000 });
    const car = rareCar('Huslia', 'R Coupe', price(40_000));
    await pushItems('e2e', [car]);

    const page = await browser.open({ cookies: person.cookies, viewport: { width: 390, height: 844 } });
    await page.goto('/dashboard');
    const card = page.getByRole('article');
    const save = card.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await seesToast(
      page,
      'Car saved',
      'While an alert that found it sends messages, you are told when it gets 5 % cheaper, and when it is sold.',
    );
    expect(await save.getAttribute('aria-pressed')).toBe('true');
    expect((await save.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.getByRole('link', { name: 'Saved cars' }).click();
    await page.getByRole('heading', { name: 'Saved Cars', level: 1 }).waitFor();
    await sees(page, '2016 Jaguar F-TYPE · R Coupe');
    expect(await axeFaults(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);

    await expect.poll(() => mailsTo(person, 'match').length).toBe(1);
    // Below what the alert asks, so that it is no match any more.
    await push(alertId, { ...car, ...price(30_000) });
    await expect.poll(() => mailsTo(person, 'price_drop').length).toBe(1);
    expect(mailsTo(person, 'price_drop')[0]?.text).toContain('price drop from $40,000');
    await page.reload();
    await sees(page, '$30,000');

    await push(alertId, { ...car, ...price(30_000), is_sold: true, is_live: false });
    await expect
      .poll(() => mailsTo(person, 'sold').map(({ subject }) => subject), { timeout: 30_000 })
      .toEqual(['The 2016 Jaguar F-Type you saved was sold']);
    await page.reload();
    await sees(page, 'Sold');
    await page.goto('/notifications');
    await sees(page, '1 car no longer for sale');

    await page.goto('/saved');
    await save.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => save.getAttribute('aria-pressed')).toBe('false');
    // It is sold, and its alert is gone: still the press can be undone.
    await person.ask('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: alertId });
    const saveAgain = page.getByRole('button', { name: /^Save again: / });
    await saveAgain.press('Enter');
    await expect.poll(() => save.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('status').filter({ hasText: 'R Coupe is among your saved cars again.' }).waitFor();
    await expect.poll(() => save.evaluate((button) => document.activeElement === button)).toBe(true);
    const end = await failing(page, 'SaveListing', INTERNAL_ERROR);
    await save.press('Enter');
    await page.getByText(/^Failed to remove the car from your saved cars: /).waitFor();
    await expect.poll(() => save.getAttribute('aria-pressed')).toBe('true');
    await end();
    await page.reload();
    await page.getByText(/^Saved on /).waitFor();
    await save.press('Enter');
    await sees(page, 'Removed from your saved cars.');
    expect(await axeFaults(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    // Without an alert the dashboard has a form for one in place of the cars.
    await giveAlert(person);
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.getByRole('link', { name: 'Saved cars' }).click();
    await sees(page, 'No Saved Cars Yet');
    await page.goto('/saved');
    await sees(page, 'No Saved Cars Yet');
  });
});
