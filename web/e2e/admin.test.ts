/** @module-tag long */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool, type Pool } from '../../api/src/base/database.ts';
import { failing, INTERNAL_ERROR } from './browser/faults.ts';
import { axeFaults } from './browser/page-faults.ts';
import { newPerson, pushedCar } from './browser/people.ts';
import { logIn } from './browser/session.ts';
import {
  arrivesAt,
  type Cookies,
  canBrowse,
  databaseUrl,
  lotWatch,
  pushItems,
  sees,
  seesToast,
  useBrowser,
} from './browser/support.ts';

describe.skipIf(!canBrowse)('the admin page', () => {
  const browser = useBrowser();
  let pool: Pool;
  let cookies: Cookies;

  beforeAll(async () => {
    pool = makePool(databaseUrl(), 1, 'admin-page-test');
    cookies = (await logIn(lotWatch().url, 'admin', lotWatch().adminPassword)).cookies;
  });
  afterAll(() => pool.end());

  const yugo = (overrides = {}) => pushedCar({ marketplace_listing_title: '1988 Yugo GV', ...overrides });
  const rows = (page: Page) => page.getByRole('list', { name: 'Quarantine' }).getByRole('listitem');

  /** Makes the records of a source readable, like a new version of the reader that knows the make. */
  const makeReadable = (source: string) =>
    pool.query("update quarantine set record = replace(record, 'Yugo GV', 'Mazda 3') where source = $1", [source]);

  it('is open only to the admin', { tags: 'long' }, async () => {
    const visitor = await browser.open();
    await visitor.goto('/admin');
    await arrivesAt(visitor, '/auth');
    const buyer = await browser.open({ cookies: (await newPerson()).cookies });
    await buyer.goto('/admin');
    await buyer.getByRole('heading', { level: 1, name: 'Access Denied' }).waitFor();
    expect(await buyer.getByRole('link', { name: 'Admin Panel' }).count()).toBe(0);
    const admin = await browser.open({ cookies });
    await admin.goto('/dashboard');
    await admin.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin Panel' }).click();
    await arrivesAt(admin, '/admin');
    await admin.getByRole('button', { name: /^Account menu/ }).click();
    await admin.getByRole('menuitem', { name: 'Admin Panel' }).waitFor();
  });

  it('shows the health of each source, and leads to its quarantined records', async () => {
    await pushItems('adm-health', [pushedCar(), pushedCar(), yugo()]);
    await pool.query(
      `insert into sources (name, kind, settings, next_poll_at, last_error, last_error_at, failures, created_at)
       values ('adm-failing', 'vehicle-feed', '{"everySeconds": 300}', now() + interval '1 day', 'The server answered 503.',
               now(), 7, now() - interval '2 hours') on conflict do nothing`,
    );
    const page = await browser.open({ cookies });
    await page.goto('/admin?tab=sources');
    const card = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
    await card('adm-health').getByText('Healthy').waitFor();
    const text = (await card('adm-health').textContent()) ?? '';
    expect(text).toMatch(/Pushed.*Last push\d+ s ago.*Lag p50 \/ p95[\d.]+ s \/ [\d.]+ s2 timed in 24 h/);
    expect(text).toMatch(/New in 24 h20 changed, 0 the same.*Quarantined in 24 h11 in total/);
    expect(await page.getByRole('list', { name: 'Sources' }).getByRole('heading').first().textContent()).toBe(
      'adm-failing',
    );
    expect(await card('adm-failing').textContent()).toMatch(/Failing.*every 5 min.*503\. \d+ s ago, 7 times in a row/);
    await card('adm-health')
      .getByRole('link', { name: /^Unknown make/ })
      .click();
    await page.waitForURL('**/admin?tab=quarantine&source=adm-health&code=UNKNOWN_MAKE');
    await expect.poll(() => rows(page).count()).toBe(1);
    await pool.query("delete from sources where name = 'adm-failing'");
  });

  it('shows a record, retries it, and reports the outcome', async () => {
    const id = `yugo-${Date.now()}`;
    await pushItems('adm-one', [yugo({ id })]);
    const page = await browser.open({ cookies });
    await page.goto('/admin?tab=quarantine&source=adm-one');
    await rows(page).getByText('The make is not in the catalogue.').waitFor();
    await rows(page).getByText('Show the record').click();
    expect(await page.getByLabel(`Record of ${id}`).textContent()).toContain(
      '  "marketplace_listing_title": "1988 Yugo GV",',
    );
    await page.getByRole('button', { name: `Try again: ${id}` }).click();
    await seesToast(page, 'Retry complete', '1 record still could not be read.');
    await rows(page)
      .getByText(/retried \d+ s ago/)
      .waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(() => page.getByRole('button', { name: `Try again: ${id}` }).isEnabled()).toBe(true);
    await makeReadable('adm-one');
    await page.getByRole('button', { name: `Try again: ${id}` }).focus();
    await page.keyboard.press('Enter');
    await seesToast(page, 'Retry complete', '1 record was stored.');
    await sees(page, 'Nothing in quarantine');
    await expect.poll(focused).toBe('No records');
    const { rows: listings } = await pool.query('select make, model from listings where external_id = $1', [id]);
    expect(listings).toEqual([{ make: 'mazda', model: 'mazda3' }]);
  });

  it('filters, loads older records, retries all that it shows, and dismisses', async () => {
    await pushItems('adm-many', [...Array.from({ length: 25 }, () => yugo()), { title: 'no id' }]);
    const page = await browser.open({ cookies });
    await page.goto('/admin?tab=quarantine');
    await page.getByLabel('Source').selectOption('adm-many');
    await sees(page, '26 records');
    await page.getByRole('tab', { name: /^Quarantine [1-9]/ }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(20);
    await page.getByRole('button', { name: 'Load older records' }).click();
    await expect.poll(() => rows(page).count()).toBe(26);
    await page.getByLabel('Reason').selectOption({ label: 'No ID' });
    await sees(page, '1 record', 'The item has no id.');
    await page.getByRole('button', { name: /^Dismiss/ }).click();
    await seesToast(page, 'Record dismissed', 'The record was removed from quarantine.');
    await page.getByLabel('Reason').selectOption({ label: 'All reasons' });
    await sees(page, '25 records');
    await makeReadable('adm-many');
    await page.getByRole('button', { name: 'Try all 25 of these again' }).click();
    await seesToast(page, 'Retry complete', '25 records were stored.');
    await sees(page, 'No records');
  });

  it('reports that the server fails, and recovers', async () => {
    const page = await browser.open({ cookies });
    const { message } = INTERNAL_ERROR;
    const recover = await failing(page, ['Quarantine', 'Sources'], {
      status: 500,
      body: JSON.stringify({ message }),
    });
    await page.goto('/admin?tab=sources');
    await sees(page, 'The sources could not be loaded', message);
    await page.getByRole('tab', { name: 'Quarantine' }).click();
    await sees(page, 'The quarantine could not be loaded');
    await recover();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { level: 2, name: /records?$/ }).waitFor();
  });

  it('has no fault that axe finds, and fits a phone', { tags: 'long' }, async () => {
    await pushItems('adm-axe', [yugo(), { ...yugo(), note: 'x'.repeat(300_000) }]);
    const found: Record<string, string[]> = {};
    for (const path of ['/admin?tab=sources', '/admin?tab=quarantine&source=adm-axe']) {
      const page = await browser.open({ cookies });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(path);
      await page.getByRole('heading', { level: 3 }).first().waitFor();
      for (const closed of await page.locator('summary').all()) await closed.click();
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const small = await page
        .getByRole('tabpanel')
        .locator('button, a, summary, select')
        .evaluateAll((targets) =>
          targets.filter((one) => one.getBoundingClientRect().height < 44).map((one) => `small: ${one.textContent}`),
        );
      const faults = [...(await axeFaults(page)), ...small, ...(sideways > 0 ? [`${sideways} px too wide`] : [])];
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark').waitFor();
      faults.push(...(await axeFaults(page)));
      if (faults.length > 0) found[path] = faults;
    }
    expect(found).toEqual({});
  });

  it('explains why the admin was signed out, and leads back after the login', async () => {
    const own = await logIn(lotWatch().url, 'admin', lotWatch().adminPassword);
    const page = await browser.open({ cookies: own.cookies, expected: /Failed to load resource/ });
    await page.goto('/admin?tab=quarantine');
    await page.getByRole('heading', { level: 1, name: 'Admin Panel' }).waitFor();
    const sid = decodeURIComponent(own.cookies[0]?.value ?? '').match(/^s:([^.]+)/)?.[1];
    // The session ends between the press and its request, so that no other request of the page finds that out first.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('auditLog')) {
        await pool.query("update session set expire = now() - interval '1 second' where sid = $1", [sid]);
      }
      await route.continue();
    });
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await arrivesAt(page, '/auth');
    await sees(
      page,
      'You have been signed out. An admin session ends after 30 minutes without use, and after 12 hours at most.',
    );
    await page.unroute('**/graphql');
    await page.getByLabel('Username').fill('admin');
    await page.locator('input[name=password]').fill(lotWatch().adminPassword);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await arrivesAt(page, '/admin');
    await page.getByRole('list', { name: 'Audit log' }).getByText('Signed in').first().waitFor();
  });
});
