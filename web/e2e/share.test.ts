/** @module-tag long */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { layoutFaults } from './browser/geometry.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
/** The ZIP code of Superior, which no other test uses. */
const ZIP = '59872';

describe.skipIf(!canBrowse)('what a buyer shares', () => {
  const browser = useBrowser();
  const car = (name: string, overrides: Record<string, unknown> = {}) =>
    rareCar('Superior', name, { location: { reverse_geocode: { city: 'Superior', state: 'MT' } }, ...overrides });
  const faults = async (page: Page) => [await axeFaults(page), await layoutFaults(page)];
  const articles = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents();
  const dialog = (page: Page) => page.getByRole('dialog');

  /** Presses the dialog's button, by keyboard. @returns the path of the link */
  async function makeLink(page: Page): Promise<string> {
    await dialog(page).getByRole('button', { name: 'Create Link' }).press('Enter');
    const field = dialog(page).getByLabel('Shared link');
    await expect.poll(() => field.evaluate((input) => document.activeElement === input)).toBe(true);
    expect(await faults(page)).toEqual([[], []]);
    return new URL(await field.inputValue()).pathname;
  }

  async function withCars(): Promise<{ person: Person; alertId: string }> {
    const person = await newPerson();
    const alertId = await giveAlert(person, { location: ZIP, excludeWords: ['zqword'] });
    const sold = car('sold one');
    await pushItems('e2e', [car('one'), sold, car('two')]);
    const query = '{ matches { nodes { listing { id } } } }';
    const matches = async () =>
      (await person.ask<{ matches: { nodes: { listing: { id: string } }[] } }>(query)).matches.nodes;
    await expect.poll(async () => (await matches()).length).toBe(3);
    await pushItems('e2e', [{ ...sold, is_sold: true, is_live: false }]);
    for (const { listing } of (await matches()).slice(0, 2))
      await person.ask('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: listing.id });
    return { person, alertId };
  }

  it('is seen by whoever has the link, without a word about its owner, until the link is ended', async () => {
    const { person, alertId } = await withCars();
    const page = await browser.open({ ...PHONE, cookies: person.cookies });
    // What is in the browser's cache is requested without headers.
    const visitor = await browser.open({ ...PHONE, ownContext: true });
    await page.addInitScript(() => {
      const passed: unknown[] = [];
      Object.assign(window, { passed });
      Object.assign(navigator, { share: async (what: unknown) => void passed.push(what) });
    });

    await page.goto(`/alert/${alertId}`);
    await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
    await dialog(page).getByText('Not shown:').waitFor();
    expect(await faults(page)).toEqual([[], []]);
    const alertPath = await makeLink(page);
    await dialog(page).getByRole('button', { name: 'Share…' }).press('Enter');
    const passed = () => page.evaluate(() => (window as unknown as { passed: unknown[] }).passed);
    await expect
      .poll(passed)
      .toEqual([{ title: 'Jaguar F-Type near Superior, MT', url: expect.stringContaining(alertPath) }]);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);

    // Closed by mistake, it still has the link.
    await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
    await dialog(page).getByRole('button', { name: 'Create another link' }).waitFor();
    expect(new URL(await dialog(page).getByLabel('Shared link').inputValue()).pathname).toBe(alertPath);
    expect(await faults(page)).toEqual([[], []]);

    const referrers: unknown[] = [];
    visitor.on('request', async (request) => {
      if (request.url().endsWith('/start.js')) referrers.push(await request.headerValue('referer'));
    });
    const answer = await visitor.goto(alertPath);
    expect(answer?.headers()).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' });
    await visitor.getByRole('heading', { name: 'Jaguar F-Type', level: 1 }).waitFor();
    await expect.poll(() => articles(visitor)).toHaveLength(2);
    await sees(visitor, 'Superior, MT', 'Within 50 miles');
    await expect.poll(() => referrers.length).toBeGreaterThan(0);
    expect(new Set(referrers)).toEqual(new Set([null]));
    expect(await visitor.getByRole('link', { name: 'View on Marketplace' }).first().getAttribute('rel')).toBe(
      'noopener noreferrer',
    );
    expect(await faults(visitor)).toEqual([[], []]);
    const text = await visitor.evaluate(() => document.documentElement.outerHTML);
    for (const own of [person.name, person.email, ZIP, 'zqword']) expect(text).not.toContain(own);
    await visitor.getByRole('button', { name: 'Make an alert like this' }).press('Enter');
    await dialog(visitor).getByRole('button', { name: 'Login / Register' }).press('Enter');
    await arrivesAt(visitor, '/auth');
    const kept = await visitor.evaluate(() => sessionStorage.getItem('pendingAlert') ?? '{}');
    expect(JSON.parse(kept)).toMatchObject({ make: 'jaguar', model: 'f-type', location: 'Superior, MT', radius: '50' });

    await visitor.goto(alertPath);
    await visitor.reload();
    await visitor.goto('/privacy');
    const stored = await visitor.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
    expect(stored).toContain('"/shared\\":');
    expect(stored).not.toContain(alertPath);

    await page.goto('/saved');
    const share = page.getByRole('button', { name: 'Share', exact: true });
    await share.waitFor();
    const box = await share.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.viewport.width);
    await share.press('Enter');
    await dialog(page).getByText('2 of 2 cars chosen').waitFor();
    const [first = ''] = await dialog(page).locator('label').allTextContents();
    await dialog(page).getByRole('checkbox', { name: first }).press('Space');
    await dialog(page).getByText('1 of 2 cars chosen').waitFor();
    expect(await faults(page)).toEqual([[], []]);
    const listPath = await makeLink(page);
    await visitor.goto(listPath);
    await visitor.getByRole('heading', { name: 'Shared Cars', level: 1 }).waitFor();
    await expect.poll(() => articles(visitor)).toHaveLength(1);
    expect(await articles(visitor)).not.toEqual([first]);

    const { savedListings } = await person.ask<{
      savedListings: { nodes: { listing: { id: string; title: string } }[] };
    }>('{ savedListings { nodes { listing { id title } } } }');
    const shown = savedListings.nodes.find(({ listing }) => !first.startsWith(listing.title));
    await person.ask('mutation ($id: ID!) { hideCar(id: $id, hidden: true) { id } }', { id: shown?.listing.id });
    await visitor.reload();
    await visitor.getByText("These cars can't be found any more").waitFor();
    await page.goto('/saved');
    await share.press('Enter');
    await dialog(page).getByText('1 of 1 car chosen').waitFor();
    await dialog(page).getByText('1 car that you hid is left out.').waitFor();
    expect(await faults(page)).toEqual([[], []]);
    await page.goto('/settings/shared-links');

    await page.getByRole('heading', { name: 'Shared Links', level: 1 }).waitFor();
    for (const name of ['1 car', 'Jaguar F-Type']) {
      await page.getByRole('button', { name: `End the link: ${name}` }).press('Enter');
      await page.getByRole('alertdialog').getByRole('button', { name: 'End Link' }).press('Enter');
      await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
    }
    await sees(page, 'You share nothing');
    for (const path of [listPath, alertPath]) {
      await visitor.goto(path);
      await visitor.getByRole('heading', { name: 'This link does not work', level: 1 }).waitFor();
      await expect.poll(() => articles(visitor)).toEqual([]);
    }
    expect(await faults(visitor)).toEqual([[], []]);
  });
});
