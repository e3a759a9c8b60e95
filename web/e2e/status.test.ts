import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool } from '../../api/src/base/database.ts';
import { failing } from './browser/faults.ts';
import { layoutFaults } from './browser/geometry.ts';
import { giveAlert, newPerson, pushedCar } from './browser/people.ts';
import { arrivesAt, canBrowse, databaseUrl, lotWatch, pushItems, sees, useBrowser } from './browser/support.ts';

interface PublicStatus {
  sources: { name: string; lagP50Ms: number | null }[];
  incidents: unknown[];
}

async function queryOnce(sql: string): Promise<void> {
  const pool = makePool(databaseUrl(), 1, 'browser-tests');
  await pool.query(sql);
  await pool.end();
}

describe.skipIf(!canBrowse)('the status page', () => {
  const browser = useBrowser();
  /** Before all tests, as the server keeps its figures for 10 seconds. */
  beforeAll(async () => {
    await pushItems(
      'status-lot',
      Array.from({ length: 20 }, () => pushedCar()),
    );
    await queryOnce(
      `insert into sources (name, kind, settings, last_error, next_poll_at) values ('late-lot', 'push', '{}', 'x', 'infinity')`,
    );
  });
  afterAll(() => queryOnce(`delete from sources where name = 'late-lot'`));

  it('keeps the figures with their age while newer ones cannot be loaded, and then goes on', async () => {
    const page = await browser.open({ ownContext: true });
    await page.clock.install();
    await page.goto('/status');
    await page.getByText(/^Checked \d+ s ago\.$/).waitFor();
    const restore = await failing(page, 'Status', 'offline');
    await page.clock.fastForward(120_000);
    await page.getByText(/^Checked \d min ago\. The newest figures could not be loaded\./).waitFor();
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    await restore();
    await page.clock.fastForward(20_000);
    await expect.poll(() => page.getByText(/could not be loaded/).count()).toBe(0);
    await sees(page, 'Sources');
  });

  it("is where an alert's page leads when a source is late", { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto(`/alert/${id}`);
    await page.getByText(/last checked \d+ (s|min) ago/).waitFor();
    // Sources of other tests may be late, too.
    await page.getByRole('link', { name: /^\d+ sources? (is|are) late$/ }).click();
    await arrivesAt(page, '/status');
    await page.getByRole('row', { name: /^late-lot Late/ }).waitFor();
  });

  it("shows a visitor the figures of the server's own status, down to the narrowest phone", async () => {
    const read = async () => (await (await fetch(`${lotWatch().url}/api/status`)).json()) as PublicStatus;
    await expect
      .poll(async () => (await read()).sources.find(({ name }) => name === 'status-lot')?.lagP50Ms, { timeout: 30_000 })
      .toEqual(expect.any(Number));
    const page = await browser.open({ viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true });
    await page.goto('/contact');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Status' }).tap();
    await arrivesAt(page, '/status');
    const row = page.getByRole('row', { name: /^status-lot Works · read/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      expect.stringMatching(/ (seconds?|minutes?)$/),
      expect.stringMatching(/ (seconds?|minutes?)$/),
    ]);
    for (const channel of ['Mail', 'Text message']) await page.getByRole('rowheader', { name: channel }).waitFor();
    expect(await layoutFaults(page)).toEqual([]);
  });
});
