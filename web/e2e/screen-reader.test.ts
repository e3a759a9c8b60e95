import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitUntilStill } from './browser/geometry.ts';
import { giveAlert, newPerson, rareCar } from './browser/people.ts';
import { arrivesAt, canBrowse, pushItems, sees, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('a screen reader', () => {
  const browser = useBrowser();

  /** Remembers the live regions of the page, whose new content is announced. */
  const listen = (page: Page) =>
    page.evaluate(() => {
      for (const region of document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log]'))
        Object.assign(region, { wasThere: true });
    });

  /** Whether one of the remembered regions contains the text. */
  const announces = (page: Page, text: string) =>
    expect
      .poll(
        () =>
          page.evaluate((words) => {
            const regions = [...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log]')];
            const live = regions.filter((region) => 'wasThere' in region).map((region) => region.textContent ?? '');
            return live.some((said) => said.includes(words));
          }, text),
        { message: `announces ${text}` },
      )
      .toBe(true);

  it('announces toasts, new matches and page changes', { tags: 'long' }, async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { location: 'Glennallen, AK' });
    const page = await browser.open({ cookies: person.cookies });
    const socket = page.waitForEvent('websocket');
    await page.goto('/dashboard');
    await waitUntilStill(page);
    await (await socket).waitForEvent('framereceived');
    await listen(page);
    await pushItems('e2e', [rareCar('Glennallen', 'Heard')]);
    await announces(page, 'Jaguar');
    await page.getByRole('switch', { name: 'Jaguar F-Type active' }).click();
    await page.getByRole('link', { name: /^View matches/ }).click();
    await arrivesAt(page, `/alert/${id}`);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await waitUntilStill(page);
    await page.getByRole('button', { name: 'Send Test Notification' }).click();
    await announces(page, 'Notification sent');
  });

  it('announces errors of fields, and failed calls', async () => {
    const page = await browser.open();
    await page.goto('/auth');
    await page.getByLabel('Username').waitFor();
    await listen(page);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await sees(page, 'Username is required');
    expect(await page.getByRole('main').ariaSnapshot()).toMatch(
      /tablist[\s\S]*tab "Login" \[selected\][\s\S]*tab "Register"/,
    );
    const faults = await page.evaluate(() =>
      [...document.querySelectorAll('form [aria-invalid=true]')].map((field) => ({
        says: (field.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join(' '),
        marked: document.querySelector(`label[for="${field.id}"] [role=img][aria-label]`) !== null,
      })),
    );
    expect(faults).toEqual([
      { says: expect.stringContaining('Username is required'), marked: true },
      { says: expect.stringContaining('Password is required'), marked: true },
    ]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');
    await page.getByLabel('Username').fill('nobody');
    await page.getByLabel('Password', { exact: true }).fill('nothing');
    await page.keyboard.press('Enter');
    await announces(page, 'Invalid username or password');
  });

  it('finds a role and a name for each part', async () => {
    const person = await newPerson();
    await giveAlert(person);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/my-alerts');
    await page.getByRole('switch', { name: 'Jaguar F-Type active' }).waitFor();
    await waitUntilStill(page);
    const whole = await page.locator('body').ariaSnapshot();
    for (const part of [
      /- banner:/,
      /- main:/,
      /- contentinfo:/,
      /- navigation "Main":/,
      /heading "My Alerts" \[level=1\]/,
      /switch "Jaguar F-Type active" \[checked\]/,
      /link "My Alerts"/,
    ])
      expect(whole).toMatch(part);
    expect(await page.locator('nav[aria-label=Main] [aria-current=page]').textContent()).toContain('My Alerts');
    await page.getByRole('button', { name: 'Delete Jaguar F-Type' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete Alert' });
    await dialog.waitFor();
    const described = (await dialog.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${described}"]`).textContent()).toContain('This action cannot be undone.');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Account menu of/ }).click();
    expect(await page.getByRole('menu').ariaSnapshot()).toMatch(/menuitem "Dashboard"[\s\S]*menuitem "Logout"/);
    expect(await page.getByRole('button', { name: /^Account menu of/ }).getAttribute('aria-expanded')).toBe('true');
  });
});
