import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { allowPageErrors } from './browser/page-errors.ts';
import { newPerson } from './browser/people.ts';
import { arrivesAt, canBrowse, takenOver, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('a page whose code no longer exists', () => {
  const browser = useBrowser();
  const code = '**/assets/PrivacyPage-*';
  const openPrivacy = (page: Page) =>
    page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  const title = (page: Page) => page.getByRole('heading', { level: 1 });

  it('reloads once, then reports it and keeps the navigation working', async () => {
    const page = await browser.open();
    allowPageErrors(page, /Failed to (load|fetch)|preload/);
    let documents = 0;
    page.on('request', (request) => {
      if (request.resourceType() === 'document') documents += 1;
    });
    await page.route(code, (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }));
    await page.goto('/terms');
    await title(page).waitFor();
    await takenOver(page);
    await openPrivacy(page);
    // The server has drawn the page; the app can't take it over.
    await expect.poll(() => title(page).textContent()).toBe('Privacy Policy');
    await takenOver(page);
    await page.getByRole('alert').getByText('This page stopped working').waitFor();
    expect(documents).toBe(2);
    expect(await page.getByRole('link', { name: 'Sign In' }).count()).toBe(1);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
    await expect.poll(() => title(page).textContent()).toBe('Terms of Service');
    await page.goBack();
    await page.getByRole('alert').waitFor();
    await page.unroute(code);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.poll(() => title(page).textContent()).toBe('Privacy Policy');
  });

  it('loads the new code by itself after a deploy, and waits for an unreachable server', { tags: 'long' }, async () => {
    const page = await browser.open();
    allowPageErrors(page, /Failed to (load|fetch)|preload/);
    await page.goto('/terms');
    await title(page).waitFor();
    await takenOver(page);
    let isAway = true;
    await page.route(code, (route) => (isAway ? route.abort() : route.continue()));
    await page.route('**/healthz', (route) => (isAway ? route.abort() : route.continue()));
    await openPrivacy(page);
    await page.getByRole('alert').getByText('This page could not be loaded').waitFor();
    await arrivesAt(page, '/privacy');
    isAway = false;
    await expect.poll(() => title(page).textContent()).toBe('Privacy Policy');
  });

  it('loses only the menus when their code no longer exists', { tags: 'long' }, async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    allowPageErrors(page, /Failed to (load|fetch)|preload/);
    await page.route('**/assets/*Menu-*', (route) => route.abort());
    await page.goto('/terms');
    await page.getByRole('banner').getByRole('link', { name: person.name }).waitFor();
    expect(await title(page).textContent()).toBe('Terms of Service');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Settings' }).click();
    await arrivesAt(page, '/settings');
  });
});
