import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool, type Pool } from '../../api/src/base/database.ts';
import { giveAlert, newPerson, putOnPlan, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, databaseUrl, pushItems, sees, useBrowser } from './browser/support.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe.skipIf(!canBrowse)("an alert's life", () => {
  const browser = useBrowser();
  let pool: Pool;
  beforeAll(() => {
    pool = makePool(databaseUrl(), 1, 'alert-life-test');
  });
  afterAll(() => pool.end());

  /** Moves an alert's expiry, as an operator who tests it does. */
  const endsIn = (id: string, days: number) =>
    pool.query('update alerts set expires_at = $2 where id = $1', [id, new Date(Date.now() + days * DAY_MS)]);

  it('offers renewal in its last week, on row and page', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    const renew = page.getByRole('button', { name: 'Renew' });
    await endsIn(id, 7.5);
    await page.goto(`/alert/${id}`);
    await sees(page, '8 days remaining');
    expect(await renew.count()).toBe(0);
    await endsIn(id, 0.9);
    await page.goto('/my-alerts');
    await page.getByText('1 day remaining').waitFor();
    await renew.waitFor();
    await page.goto(`/alert/${id}`);
    await page.getByText('1 day remaining').waitFor();
    await renew.click();
    const until = new Date(Date.now() + 42 * DAY_MS);
    const date = until.toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
    await sees(page, 'Alert renewed', `It is active until ${date}.`, '42 days remaining');
    await renew.waitFor({ state: 'detached' });
  });

  it('shows that it has expired, and watches again when it is switched on', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    await endsIn(id, -1);
    await pool.query('update alerts set is_active = false where id = $1', [id]);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    await sees(page, 'Inactive', 'Expired', 'Renew it to activate it again');
    await page.goto('/my-alerts');
    const toggle = page.getByRole('switch', { name: 'Jaguar F-Type active' });
    await expect.poll(() => toggle.isChecked()).toBe(false);
    await toggle.click();
    await page.getByText('42 days remaining').waitFor();
    await page.goto(`/alert/${id}`);
    await sees(page, 'Active', 'Watching', '42 days remaining');
  });

  it('keeps a sold car on its page, marked as sold', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { location: 'Unalaska, AK' });
    const item = rareCar('Unalaska', 'soon sold');
    await pushItems('e2e', [item]);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    const card = page.getByRole('article').filter({ hasText: 'soon sold' });
    await card.waitFor();
    await pushItems('e2e', [{ ...item, is_live: false, is_sold: true }]);
    await page.reload();
    await card.getByText('Sold', { exact: true }).waitFor();
    await page.goto('/dashboard');
    await card.getByText('Sold', { exact: true }).waitFor();
  });

  it('hides matches that an edited alert no longer matches', async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { location: 'Nenana, AK' });
    await pushItems('e2e', [
      rareCar('Nenana', 'cheap', { listing_price: { amount: '9000.00', currency: 'USD' } }),
      rareCar('Nenana', 'dear', { listing_price: { amount: '29000.00', currency: 'USD' } }),
    ]);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    await sees(page, '2 matches');
    await page.getByRole('link', { name: 'Edit Alert' }).click();
    await page.getByLabel('Price to').fill('10000');
    await page.getByRole('button', { name: 'Update Alert' }).click();
    await arrivesAt(page, '/my-alerts');
    await page.getByRole('link', { name: 'View matches of Jaguar F-Type, 1 listing' }).click();
    await sees(page, '1 match', '$0 – $10,000');
    await page.getByRole('article').filter({ hasText: 'cheap' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
  });

  it('lets a paid plan tick text notifications and make more alerts', { tags: 'long' }, async () => {
    const person = await newPerson();
    await giveAlert(person);
    await putOnPlan(person, 2);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/create-alert');
    await sees(page, '1 of 5 used');
    const box = page.getByLabel('Text notifications');
    await expect.poll(() => box.getAttribute('aria-disabled')).toBe(null);
    expect(await page.getByText('Upgrade to a paid plan to enable SMS notifications.').count()).toBe(0);
    expect(await page.getByText('Alert Limit Reached').count()).toBe(0);
    await page.getByLabel('Make').selectOption('jaguar');
    await page.getByLabel('Location').fill('Nome, AK');
    await box.check();
    await page.getByRole('form').getByRole('button', { name: 'Create Alert' }).click();
    await arrivesAt(page, '/my-alerts');
    const { alerts } = await person.ask<{ alerts: { textNotifications: boolean }[] }>(
      '{ alerts { textNotifications } }',
    );
    expect(alerts.map((alert) => alert.textNotifications).sort()).toEqual([false, true]);
  });

  it('every tab signs out when the session ends', async () => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/my-alerts');
    await sees(page, 'Your Active Alerts');
    const other = await page.context().newPage();
    await other.goto('/dashboard');
    await sees(other, 'Your Active Alerts');
    await person.ask('mutation { logout }');
    await arrivesAt(page, '/auth');
    await arrivesAt(other, '/auth');
  });
});
