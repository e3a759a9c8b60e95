import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { failing } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { newPerson, type Person, putOnPlan } from './browser/people.ts';
import { canBrowse, lotWatch, sees, seesToast, useBrowser } from './browser/support.ts';

const ELITE = 4;

describe.skipIf(!canBrowse)('the API page', () => {
  const browser = useBrowser();
  let dealer: Person;
  beforeAll(async () => {
    dealer = await newPerson();
    await putOnPlan(dealer, ELITE);
  });

  const callWith = (secret: string) =>
    fetch(`${lotWatch().url}/api/user`, { headers: { authorization: `Bearer ${secret}` } });
  const keys = (page: Page) => page.getByRole('region', { name: 'API keys' });

  async function createKey(page: Page, name: string, access = 'Read only'): Promise<string> {
    await page.getByRole('button', { name: 'Create Key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Access').selectOption({ label: access });
    await dialog.getByRole('button', { name: 'Create Key' }).click();
    await dialog.waitFor({ state: 'detached' });
    return page.getByLabel('Your new API key').inputValue();
  }

  it('is reached from the settings, and shows users of other plans what Elite offers', { tags: 'long' }, async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/settings');
    await page.getByRole('link', { name: 'Open API Settings' }).click();
    await page.getByRole('heading', { name: 'The API is part of the Elite plan' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create Key' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Upgrade' }).click();
    await page.waitForURL('**/subscription');
  });

  it('makes a key that works, shows it once, and never again', async () => {
    const page = await browser.open({ cookies: dealer.cookies });
    await page.goto('/settings/api');
    await sees(page, 'No keys yet');
    const secret = await createKey(page, 'Inventory sync');
    expect(secret).toMatch(/^lw_live_\w{49}$/);
    const answer = await callWith(secret);
    expect([answer.status, ((await answer.json()) as { username: string }).username]).toEqual([200, dealer.name]);
    await keys(page)
      .getByText(`${secret.slice(0, 16)}…`)
      .waitFor();
    await keys(page).getByText('Read only').waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await keys(page).getByText('Inventory sync').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('shows what is wrong with a name, and why the server refuses', async () => {
    const page = await browser.open({ cookies: dealer.cookies });
    await page.goto('/settings/api');
    await page.getByRole('button', { name: 'Create Key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create Key' }).click();
    await sees(page, 'Please give the key a name');
    await expect.poll(() => dialog.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true);
    const again = await failing(page, 'CreateApiKey', { message: 'You have 20 API keys.', code: 'CONFLICT' });
    await dialog.getByLabel('Name').fill('One more');
    await dialog.getByRole('button', { name: 'Create Key' }).click();
    await dialog.getByRole('alert').getByText('You have 20 API keys.').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('One more');
    await again();
  });

  it('rotates a key, and revokes one', { tags: 'long' }, async () => {
    const person = await newPerson();
    await putOnPlan(person, ELITE);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/settings/api');
    const first = await createKey(page, 'Sync', 'Read and write');
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Rotate Sync' }).click();
    await page.getByRole('button', { name: 'Rotate Key' }).click();
    await keys(page).getByText('Ends in 24 h').waitFor();
    const second = await page.getByLabel('Your new API key').inputValue();
    expect(second).not.toBe(first);
    expect([(await callWith(first)).status, (await callWith(second)).status]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Revoke Sync' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke Key' }).click();
    await seesToast(page, 'Key revoked', 'Sync no longer works.');
    expect([(await callWith(first)).status, (await callWith(second)).status]).toEqual([200, 401]);
    await page.getByText('1 key that ended in the last 30 days').click();
    await keys(page).getByText('Revoked').waitFor();
  });

  it('shows the use of the keys as a chart and as a table', { tags: 'long' }, async () => {
    const person = await newPerson();
    await putOnPlan(person, ELITE);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/settings/api');
    const secret = await createKey(page, 'Busy');
    for (let call = 0; call < 3; call += 1) await callWith(secret);
    const chart = page.getByRole('img', { name: 'by the hour: 3 answered, 0 refused' });
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Usage' }).waitFor();
        await page.getByRole('img', { name: 'Requests of the last 7 days' }).waitFor();
        return chart.count();
      })
      .toBe(1);
    await page.getByText('Day by day, as a table').click();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThanOrEqual(8);
    await keys(page)
      .getByText(/^Used \d+ s ago$/)
      .waitFor();
  });

  it.each(['light', 'dark'] as const)('fits a phone and a desktop in %s', { tags: 'long' }, async (colorScheme) => {
    const person = await newPerson();
    await putOnPlan(person, ELITE);
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 900 },
    ]) {
      const page = await browser.open({ cookies: person.cookies, viewport, colorScheme });
      await page.goto('/settings/api');
      await createKey(page, `A key with quite a long name for ${viewport.width} pixels`);
      await page.getByRole('img', { name: 'Requests of the last 7 days' }).waitFor();
      expect(await layoutFaults(page)).toEqual([]);
      if (process.env.PICTURES) {
        await page.screenshot({ path: `web/e2e/pictures/api-${colorScheme}-${viewport.width}.png`, fullPage: true });
      }
    }
  });
});
