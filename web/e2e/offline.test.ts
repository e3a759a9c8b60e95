/** @module-tag long */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { layoutFaults } from './browser/geometry.ts';
import { allowPageErrors } from './browser/page-errors.ts';
import { axeFaults } from './browser/page-faults.ts';
import { giveAlert, newPerson, type Person, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, lotWatch, pushItems, sees, useBrowser } from './browser/support.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** A photo of the demo, which is served as those of sellers are. */
const withPhoto = () => ({
  listing_photos: [{ image: { uri: `${lotWatch().url}/demo/photos/demo-1-1jk-5/0.svg` } }],
});
/** The browser's own messages about what it can't reach. */
const UNREACHABLE = /^console: (Failed to load resource|WebSocket connection to)/;

/** The keys of what the page has stored to be read offline. */
const keptBy = (page: Page, from: readonly [string, string] = ['lotwatch', 'answers']): Promise<string[]> =>
  page.evaluate(async ([database, store]) => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes(database)) return [];
    const opening = indexedDB.open(database);
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const reading = opening.result.transaction(store).objectStore(store).getAllKeys();
    await new Promise((resolve) => {
      reading.onsuccess = resolve;
    });
    opening.result.close();
    return reading.result.map(String);
  }, from);

/** The photos that the worker knows to be stored. */
const photosListed = async (page: Page): Promise<string[]> =>
  (await keptBy(page, ['workbox-expiration', 'cache-entries'])).filter((key) => key.startsWith('lotwatch-photos'));

/** What each press that waits would save. */
const waitsBy = (page: Page): Promise<unknown[]> =>
  page.evaluate(async () => {
    const opening = indexedDB.open('lotwatch');
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const reading: IDBRequest<{ variables: { saved: boolean } }[] | undefined> = opening.result
      .transaction('answers')
      .objectStore('answers')
      .get('waiting');
    await new Promise((resolve) => {
      reading.onsuccess = resolve;
    });
    opening.result.close();
    return (reading.result ?? []).map(({ variables }) => variables.saved);
  });

/** Waits until the page can be read offline. */
async function isKept(page: Page, ...keys: string[]): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect.poll(() => keptBy(page)).toEqual(expect.arrayContaining(keys));
}

const cutOff = async (page: Page): Promise<BrowserContext> => {
  allowPageErrors(page, UNREACHABLE);
  await page.context().setOffline(true);
  return page.context();
};

describe.skipIf(!canBrowse)('without a connection', () => {
  const browser = useBrowser();
  const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });

  const saved = async (me: Person) =>
    (await me.ask<{ savedListings: { nodes: unknown[] } }>('{ savedListings { nodes { savedAt } } }')).savedListings
      .nodes;

  it('an alert can be read, a press waits, what came meanwhile is there once, and signing out deletes it', async () => {
    const me = await newPerson();
    const id = await giveAlert(me, { location: 'Eagle, AK' });
    await pushItems('e2e', [rareCar('Eagle', 'before', withPhoto())]);
    const page = await browser.open({ ...PHONE, cookies: me.cookies, serviceWorkers: 'allow' });
    await page.goto(`/alert/${id}`);
    await card(page, 'before').waitFor();
    await isKept(page, 'Viewer {}', `AlertPage {"id":"${id}"}`, `AlertMatches {"alertId":"${id}"}`, 'LiveStart {}');
    const context = await cutOff(page);
    await page.reload();
    await card(page, 'before').waitFor();
    await page.getByText(/^Offline. Showing what was there at \d\d:\d\d\.$/).waitFor();
    expect([await axeFaults(page), await layoutFaults(page)]).toEqual([[], []]);
    expect(
      await card(page, 'before')
        .getByRole('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(0);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/offline-alert-phone.png` });
    // A press waits, also when the page is opened again, and a second one of the same thing takes its place.
    const save = card(page, 'before').getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await save.click();
    await save.click();
    await sees(page, '1 change waits for the connection.');
    await expect.poll(() => waitsBy(page)).toEqual([true]);
    await page.reload();
    await sees(page, '1 change waits for the connection.');
    await expect.poll(() => save.getAttribute('aria-pressed')).toBe('true');
    // What would change the account can't be opened with what is stored.
    await page.goto('/settings');
    await sees(page, 'This page needs a connection');
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.goto(`/alert/${id}`);
    await card(page, 'before').waitFor();

    await pushItems('e2e', [rareCar('Eagle', 'meanwhile')]);
    let saves = 0;
    page.on('response', (response) => {
      if (response.request().postData()?.includes('SaveListing')) saves += 1;
    });
    await context.setOffline(false);
    await card(page, 'meanwhile').waitFor();
    await sees(page, '1 change was sent.');
    await page.getByText(/^Offline/).waitFor({ state: 'detached' });
    expect(await page.getByRole('article').count()).toBe(2);
    await sees(page, '2 matches');
    await expect.poll(() => saved(me)).toHaveLength(1);
    expect(saves).toBe(1);

    // Nothing is left of a user who has signed out.
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect.poll(() => photosListed(page)).not.toEqual([]);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
    await arrivesAt(page, '/');
    await expect.poll(() => keptBy(page)).toEqual([]);
    expect(await page.evaluate(() => caches.has('lotwatch-photos'))).toBe(false);
    await expect.poll(() => photosListed(page)).toEqual([]);

    // Nor of one whose session ended while no page was open: it is only found out by the next page.
    await page.evaluate(async () => {
      const opening = indexedDB.open('lotwatch');
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const writing = opening.result.transaction('answers', 'readwrite');
      writing.objectStore('answers').put('{"me":null}', 'Viewer {}');
      await new Promise((resolve) => {
        writing.oncomplete = resolve;
      });
      opening.result.close();
    });
    expect(await keptBy(page)).toEqual(['Viewer {}']);
    await page.goto('/dashboard');
    await arrivesAt(page, '/auth');
    await expect.poll(() => keptBy(page)).toEqual([]);
  });

  it('a new version changes no open page', { tags: 'long' }, async () => {
    const me = await newPerson();
    const page = await browser.open({ ...PHONE, cookies: me.cookies, serviceWorkers: 'allow' });
    await page.goto('/my-alerts');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.evaluate(async () => {
      // The page knows its version by its first script.
      for (const script of document.querySelectorAll('script')) script.remove();
      await navigator.serviceWorker.register('/service-worker.js?next', { scope: '/' });
    });
    await sees(page, 'A new version is ready.');
    const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null);
    expect(await waiting()).toBe(true);
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).not.toContain('next');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'My Alerts' }).waitFor();
    await expect.poll(waiting).toBe(false);
    expect(await page.getByText('A new version is ready.').count()).toBe(0);

    // The worker that the server sends in its place takes over at once, and deletes every file.
    await page.evaluate(() => navigator.serviceWorker.register('/push-worker.js', { scope: '/' }));
    const active = () => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL);
    await expect.poll(active).toMatch(/\/push-worker\.js$/);
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.hasAttribute('data-online-only'))).toBe(true);
    await page.reload();
    await page.getByRole('heading', { name: 'My Alerts' }).waitFor();
    // The open page had kept the database itself.
    expect(await keptBy(page)).toEqual([]);
  });
});
