/** @module-tag long */
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool, type Pool } from '../../api/src/base/database.ts';
import { failing, INTERNAL_ERROR } from './browser/faults.ts';
import { giveAlert, newPerson, PASSWORD } from './browser/people.ts';
import { type Cookies, logIn } from './browser/session.ts';
import { arrivesAt, canBrowse, databaseUrl, lotWatch, sees, seesToast, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('data rights', () => {
  const browser = useBrowser();
  let pool: Pool;
  let admin: Cookies;
  beforeAll(async () => {
    pool = makePool(databaseUrl(), 1, 'rights-test');
    admin = (await logIn(lotWatch().url, 'admin', lotWatch().adminPassword)).cookies;
  });
  afterAll(() => pool.end());

  const fill = async (page: Page) => {
    await page.getByLabel('Reason').fill('I found my car, and the last of my reasons is more than fifty characters.');
    await page.getByLabel(/I understand/).check();
  };

  it('sends a visitor to /auth, and back after login', { tags: 'long' }, async () => {
    const person = await newPerson();
    const page = await browser.open();
    await page.goto('/data-rights?tab=deletion');
    await arrivesAt(page, '/auth');
    await page.getByLabel('Username').fill(person.name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/data-rights?tab=deletion');
  });

  it('downloads everything as a file after a progress bar, and reports a failure', async () => {
    const person = await newPerson();
    const alertId = await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/data-rights');
    const rights = page.getByRole('list', { name: 'Your rights' }).getByRole('listitem');
    await expect.poll(() => rights.count()).toBe(6);
    const again = await failing(page, 'ExportMyData', INTERNAL_ERROR);
    await page.getByRole('button', { name: 'Download JSON' }).click();
    await seesToast(page, 'Export failed', INTERNAL_ERROR.message);
    await again();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
      sees(page, 'Preparing your data...'),
    ]);
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^lotwatch-data-${person.name}-\\d{4}-\\d{2}-\\d{2}\\.json$`),
    );
    const file = JSON.parse(await text(await download.createReadStream()));
    expect(file).toMatchObject({
      profile: { username: person.name, email: person.email },
      alerts: [{ id: Number(alertId) }],
    });
    await page.getByText(`Saved as ${download.suggestedFilename()}`).waitFor();
  });

  it('shows a deletion request from the form to its approval and execution', async () => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies, expected: /401/ });
    await page.goto('/data-rights?tab=deletion');
    await page.getByRole('button', { name: 'Submit Request' }).click();
    await seesToast(page, 'Reason required', 'Please provide a reason for your deletion request.');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('reason');
    await sees(page, 'Please confirm that you understand this.');
    await fill(page);
    const again = await failing(page, 'RequestDeletion', INTERNAL_ERROR);
    await page.getByRole('button', { name: 'Submit Request' }).click();
    await seesToast(page, 'Request failed', INTERNAL_ERROR.message);
    await again();
    await page.getByRole('button', { name: 'Submit Request' }).click();
    await page.getByRole('heading', { name: 'Your deletion request' }).waitFor();
    const requestId = (await page.getByText(/^DR-[A-Z2-9]{6}$/).textContent()) ?? '';
    await seesToast(page, 'Request submitted', `Your request ${requestId} will be processed within 30 days.`);
    expect(await page.getByRole('button', { name: 'Submit Request' }).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('deletion-request');

    const adminPage = await browser.open({ cookies: admin });
    await adminPage.goto('/admin');
    const row = adminPage.getByRole('row').filter({ hasText: requestId });
    await row.getByText('I found my car, and the last of my reasons is more...').waitFor();
    await row.getByText(person.name).waitFor();
    expect(await row.getByRole('button', { name: /Execute/ }).count()).toBe(0);
    await row.getByRole('button', { name: `Update ${requestId}` }).click();
    const dialog = adminPage.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Please select a status.').waitFor();
    expect(await dialog.getByRole('option', { disabled: true }).allTextContents()).toEqual(['Completed']);
    await dialog.getByLabel('Status').selectOption({ label: 'Approved' });
    await dialog.getByLabel('Notes').fill('Checked.');
    const failed = await failing(adminPage, 'UpdateDeletionRequest', INTERNAL_ERROR);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await seesToast(adminPage, 'Update failed', INTERNAL_ERROR.message);
    await failed();
    await row.getByRole('button', { name: `Update ${requestId}` }).click();
    await dialog.getByLabel('Status').selectOption({ label: 'Approved' });
    await dialog.getByLabel('Notes').fill('Checked.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await seesToast(adminPage, 'Request updated', `${requestId} is approved.`);
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => adminPage.evaluate(() => document.activeElement?.tagName)).toBe('H2');

    await adminPage.getByRole('tab', { name: 'Approved' }).click();
    const broken = await failing(adminPage, 'ExecuteDeletion', INTERNAL_ERROR);
    const prompt = adminPage.getByRole('alertdialog');
    await row.getByRole('button', { name: `Execute ${requestId}` }).click();
    await prompt.getByText("Are you sure you want to delete this user's data? This action cannot be undone.").waitFor();
    await prompt.getByRole('button', { name: 'Delete Data' }).click();
    await seesToast(adminPage, 'Deletion failed', INTERNAL_ERROR.message);
    await broken();
    await row.getByRole('button', { name: `Execute ${requestId}` }).click();
    await prompt.getByRole('button', { name: 'Delete Data' }).click();
    const { rows } = await pool.query<{ user_id: number }>(
      'select user_id from deletion_requests where request_id = $1',
      [requestId],
    );
    const erased = `deleted user ${rows[0]?.user_id}`;
    await seesToast(adminPage, 'Deletion executed', `All data of this account is erased. The receipt: ${erased}.`);
    await row.waitFor({ state: 'detached' });
    await adminPage.getByRole('tab', { name: 'Completed' }).click();
    await row.getByText(erased).waitFor();
    await page.goto('/dashboard');
    await arrivesAt(page, '/auth');
  });
});
