import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../api/test/webhooks/receiver.ts';
import { failing, holding } from './browser/faults.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, putOnPlan, rareCar } from './browser/people.ts';
import { canBrowse, pushItems, useBrowser } from './browser/support.ts';

/** Waits until the page contains each text, also as part of a sentence. */
async function shows(page: Page, ...texts: string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor();
}

describe.skipIf(!canBrowse)('webhooks', () => {
  const browser = useBrowser();
  let dealer: Person;
  let receiver: Receiver;
  beforeEach(async () => {
    dealer = await newPerson();
    await putOnPlan(dealer, 4);
    await giveAlert(dealer, { location: 'Wainwright, AK' });
    receiver = await startReceiver();
  });
  afterEach(() => receiver?.close());
  const host = () => receiver.url.replace('http://', '');

  it('are added with their secret shown once, tested, sent a match, replayed, paused, resumed and deleted', {
    tags: 'long',
  }, async () => {
    const page = await browser.open({ cookies: dealer.cookies });
    await page.goto('/settings/api');
    await shows(page, 'No webhooks yet');
    await page.getByRole('button', { name: 'Add Webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add Webhook' }).click();
    await dialog.getByText('The address is required').waitFor();
    await dialog.getByLabel('Address').fill('ftp://dealer.example');
    await dialog.getByRole('button', { name: 'Add Webhook' }).click();
    await dialog.getByText('The address must start with https://').waitFor();
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Alert ending').check();
    await dialog.getByLabel('Note').fill('Inventory');
    await dialog.getByRole('button', { name: 'Add Webhook' }).click();
    const secret = page.getByLabel("Your webhook's secret");
    receiver.secret = await secret.inputValue();
    expect(receiver.secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await secret.waitFor({ state: 'detached' });
    await shows(page, 'Active, nothing sent yet', 'Inventory');

    await page.getByRole('button', { name: `Show details of ${host()}` }).click();
    await shows(page, 'Nothing was sent yet');
    await page.getByRole('button', { name: 'Send Test Event' }).click();
    await page.locator('summary', { hasText: 'Delivered' }).waitFor();
    expect(receiver.accepted.map(({ type }) => type)).toEqual(['webhook.test']);

    await pushItems('webhooks', [rareCar('Wainwright', 'for the dealer')]);
    await expect.poll(() => receiver.accepted.at(-1)?.data.listing?.title).toContain('for the dealer');
    const told = page.locator('summary', { hasText: 'New match' });
    await told.waitFor();
    await told.click();
    await shows(page, receiver.accepted.at(-1)?.id ?? '', '"match.created"');
    await page.getByRole('button', { name: /^Send again: New match/ }).click();
    await expect.poll(() => receiver.accepted.filter(({ type }) => type === 'match.created').length).toBe(2);
    expect(new Set(receiver.accepted.map(({ id }) => id)).size).toBe(2);
    expect(receiver.forged).toEqual([]);

    await page.getByRole('button', { name: 'Pause' }).click();
    await shows(page, 'Paused since');
    await pushItems('webhooks', [rareCar('Wainwright', 'that waits')]);
    await shows(page, '1 event waiting');
    await page.getByRole('button', { name: `Resume ${host()}` }).click();
    await expect.poll(() => receiver.accepted.at(-1)?.data.listing?.title).toContain('that waits');

    receiver.answer = () => ({ status: 500, body: 'out of order' });
    await page.getByRole('button', { name: 'Send Test Event' }).click();
    await page.locator('summary', { hasText: 'Failed' }).click();
    await shows(page, 'It answered 500.', 'out of order');
    receiver.answer = () => 200;
    expect(await axeFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Rotate Secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate Secret' }).click();
    await secret.waitFor();
    expect(await secret.inputValue()).not.toBe(receiver.secret);
    await shows(page, 'Messages are also signed with the previous secret until');

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Webhook' }).click();
    await shows(page, 'No webhooks yet');
  });

  it('show failures, and reserve their space while they load', async () => {
    const page = await browser.open({ cookies: dealer.cookies, expected: /500|Failed to load/ });
    const release = await holding(page, 'Webhooks');
    await page.goto('/settings/api');
    await page.getByText('Loading your webhooks').waitFor({ state: 'attached' });
    release();
    await shows(page, 'No webhooks yet');
    const recover = await failing(page, 'Webhooks', { status: 500, statusText: 'Internal Server Error', body: '{}' });
    await page.reload();
    await shows(page, 'Your webhooks could not be loaded');
    await recover();
    await page.getByRole('button', { name: 'Try Again' }).first().click();
    await shows(page, 'No webhooks yet');
  });
});
