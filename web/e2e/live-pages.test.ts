import { describe, expect, it } from 'vitest';
import { collectCalls } from './browser/calls.ts';
import { failing } from './browser/faults.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, lotWatch, pushItems, sees, useBrowser } from './browser/support.ts';

/** A repeated run needs a place where the first has left no cars. */
const towns = ['Tok', 'Hooper Bay'];

describe.skipIf(!canBrowse)('pages that stay up to date', () => {
  const browser = useBrowser();

  it('load once, count new cars until they are viewed, and page through photos', async () => {
    const person = await newPerson();
    const town = towns.shift() ?? 'Adak';
    const id = await giveAlert(person, { location: `${town}, AK` });
    const page = await browser.open({ cookies: person.cookies });
    const calls = collectCalls(page);
    const socket = page.waitForEvent('websocket').then((opened) => opened.waitForEvent('framereceived'));
    await page.goto('/dashboard');
    await sees(page, 'Your Active Alerts', 'No Matches Yet');
    await socket;
    const nav = page.getByRole('complementary').getByRole('navigation', { name: 'Main' });
    for (const place of ['My Alerts', 'Dashboard', 'My Alerts', 'Dashboard', 'My Alerts']) {
      await nav.getByRole('link', { name: place }).click();
      await page.getByRole('heading', { level: 1, name: place === 'My Alerts' ? place : person.name }).waitFor();
    }
    const names = calls.map(({ operationName }) => operationName);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    // It came with the page.
    expect(names).not.toContain('MyAlerts');

    const photos = [1, 2, 3].map((n) => ({ image: { uri: `${lotWatch().url}/favicon.svg?${n}` } }));
    await pushItems('e2e', [rareCar(town, 'One', { listing_photos: photos })]);
    const row = page.getByRole('link', { name: /^View matches of Jaguar F-Type/ });
    await expect.poll(() => row.textContent()).toMatch(/1 listing/);
    await page.getByRole('listitem').filter({ has: row }).getByText('1 new', { exact: true }).waitFor();
    await nav.getByRole('link', { name: /^My Alerts\W+1 new$/ }).waitFor();
    await expect.poll(() => page.title()).toBe('(1) My Alerts · LotWatch');

    await row.click();
    await arrivesAt(page, `/alert/${id}`);
    await expect.poll(() => page.title()).toBe('(1) Jaguar F-Type · LotWatch');
    expect(calls.map(({ operationName }) => operationName)).toContain('AlertPage');
    const gallery = page.getByRole('group', { name: '3 photos' });
    const alt = () => gallery.getByRole('img').first().getAttribute('alt');
    await expect.poll(alt).toContain('photo 1 of 3');
    await gallery.getByRole('button', { name: 'Next photo' }).click();
    await expect.poll(alt).toContain('photo 2 of 3');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(alt).toContain('photo 3 of 3');
    const link = page.getByRole('link', { name: 'View on Marketplace' });
    await Promise.all([page.waitForEvent('popup'), link.click()]);
    await expect.poll(() => page.title()).toBe('Jaguar F-Type · LotWatch');
    await page.reload();
    await sees(page, '1 match');
    await nav.getByRole('link', { name: 'My Alerts', exact: true }).waitFor();
  });

  it('load again by themselves once the connection is back', async () => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    const restore = await failing(page, ['MyAlerts', 'RecentListings'], 'offline');
    await page.goto('/dashboard');
    await sees(page, 'Your alerts could not be loaded', 'Your matches could not be loaded');
    await restore();
    await page.evaluate('dispatchEvent(new Event("online"))');
    await sees(page, 'Your Active Alerts', 'No Matches Yet');
    expect(await page.getByRole('button', { name: 'Try Again' }).count()).toBe(0);
  });
});
