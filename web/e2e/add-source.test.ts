/** @module-tag long */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../api/lab/local-server.ts';
import { makePool, type Pool } from '../../api/src/base/database.ts';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { logIn } from './browser/session.ts';
import { canBrowse, databaseUrl, lotWatch, sees, seesToast, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const TOKEN = 'Bearer lot-s3cret';

/** A dealer's feed with seven cars in Bismarck, ND, and four records that are rejected. */
const feed = [
  'vehicle_id,year,make,model,address,price,mileage.value',
  ...Array.from(
    { length: 7 },
    (_, index) => `b-${index},2016,Honda,Fit,"Bismarck, ND",${9800 + index} USD,${60_000 + index}`,
  ),
  'x-1,1988,Yugo,GV,"Bismarck, ND",900 USD,1',
  ',2010,Honda,Fit,"Bismarck, ND",900 USD,1',
  'x-3,1700,Honda,Fit,"Bismarck, ND",900 USD,1',
  'x-4,1988,Yugo,GV,"Bismarck, ND",900 USD,1',
].join('\n');

describe.skipIf(!canBrowse)('a source that is added in the browser', () => {
  const browser = useBrowser();
  let server: Awaited<ReturnType<typeof startLocalServer>>;
  let pool: Pool;
  beforeAll(async () => {
    pool = makePool(databaseUrl(), 1, 'add-source-test');
    server = await startLocalServer((request, response) => {
      response.statusCode = request.headers.authorization === TOKEN ? 200 : 401;
      response.end(feed);
    });
  });
  afterAll(async () => {
    await pool.query("update sources set next_poll_at = 'infinity', ended_by = 'operator' where name = 'bismarck'");
    await pool.end();
    await server.close();
  });
  const isSound = async (page: Page) => {
    expect(await axeFaults(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  };
  const shot = async (page: Page, name: string) => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
  };

  it('is tried, started, edited and stopped on a phone', async () => {
    const { cookies } = await logIn(lotWatch().url, 'admin', lotWatch().adminPassword);
    const page = await browser.open({ ...PHONE, cookies });
    await page.goto('/admin?tab=sources');
    await shot(page, '1-list');
    await page.goto('/admin?tab=sources&add=kinds');
    await sees(page, 'Where do you have cars?');
    await isSound(page);
    await shot(page, '2-kinds');
    await page.getByRole('link', { name: /^A feed from my dealer system/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('bismarck');
    await page.getByLabel('Address', { exact: true }).fill(`${server.url}/feed.csv`);
    await page.getByText('More settings').click();
    await page.getByLabel('The address is in my own network').click();
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('button', { name: 'Try It' }).click();
    await sees(page, 'This source could not be read');
    await shot(page, '3-fault');
    await page.getByLabel('Header with a token').fill('Authorization');
    await page.getByLabel('Value of the header').fill(TOKEN);
    await page.getByLabel('Value of the header').press('Enter');
    const cars = page.getByRole('list', { name: 'The first 5 cars as we read them' });
    await cars.waitFor();
    expect(await cars.getByRole('listitem').count()).toBe(5);
    expect(await cars.getByRole('listitem').first().textContent()).toMatch(
      /2016 Honda Fit.*\$9,800.*60K mi · Bismarck, ND/,
    );
    const rejected = page.getByRole('list', { name: '3 of 4 rejected records' });
    expect(await rejected.textContent()).toMatch(/Unknown make.*The make is not in the catalogue.*No ID.*Bad year/s);
    await isSound(page);
    await shot(page, '4-tried');
    await page.getByRole('button', { name: 'Start Reading' }).click();
    await seesToast(page, 'Source started', 'bismarck is being read.');
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'bismarck', exact: true }) });
    await card.getByText('Healthy').waitFor();
    await expect
      .poll(() => card.textContent())
      .toMatch(/Vehicle feed · every 5 min.*New in 24 h7.*Quarantined in 24 h/);
    await shot(page, '5-healthy');
    await card.getByRole('link', { name: 'Edit bismarck' }).click();
    await page
      .getByText('Set. Leave empty to keep it')
      .or(page.getByPlaceholder('Set. Leave empty to keep it'))
      .waitFor();
    expect(await page.getByLabel('Value of the header').inputValue()).toBe('');
    await page.getByText('More settings').click();
    await page.getByLabel('Seconds between two reads').fill('600');
    await shot(page, '6-edit');
    await isSound(page);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await seesToast(page, 'Source changed', 'bismarck is read with the new settings.');
    await card.getByText(/every 10 min/).waitFor();
    await card.getByRole('button', { name: 'Stop bismarck' }).click();
    await page.getByRole('button', { name: 'Stop Reading' }).click();
    await card.getByText('Stopped', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Start Again: bismarck' }).waitFor();
  });

  it('is explained to whoever pushes with a program', async () => {
    const { cookies } = await logIn(lotWatch().url, 'admin', lotWatch().adminPassword);
    const page = await browser.open({ ...PHONE, cookies });
    await page.goto('/admin?tab=sources&add=push');
    await sees(page, 'Send a file');
    await isSound(page);
    for (const file of ['push.mjs', 'push.py', 'push.sh']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: `Download ${file}` }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(file);
      const written = readFileSync(new URL(`../../api/docs/examples/push/${file}`, import.meta.url), 'utf8');
      expect(readFileSync(await download.path(), 'utf8')).toBe(written);
    }
    await page.getByRole('button', { name: 'Copy: Example of a push' }).click();
    await page.getByText('Copied').or(page.getByText('The text is selected')).first().waitFor();
  });
});
