/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { focusedName, tabTo } from './browser/focus-walk.ts';
import { waitUntilStill } from './browser/geometry.ts';
import { giveAlert, newPerson, PASSWORD, rareCar, someone } from './browser/people.ts';
import { arrivesAt, canBrowse, lotWatch, pushItems, sees, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('with the keyboard alone', () => {
  const browser = useBrowser();

  it('edits an alert, switches it, pages through photos, and closes a toast', async () => {
    const person = await newPerson();
    const id = await giveAlert(person, { location: 'Yakutat, AK' });
    const photo = (name: string) => ({ image: { uri: `${lotWatch().url}/favicon.svg?${name}` } });
    await pushItems('e2e', [rareCar('Yakutat', 'Gallery', { listing_photos: [photo('a'), photo('b')] })]);
    const page = await browser.open({ cookies: person.cookies });
    await page.goto('/my-alerts');
    await waitUntilStill(page);
    const press = (key: string) => page.keyboard.press(key);
    await press('Tab');
    await expect.poll(() => focusedName(page)).toBe('Skip to the content');
    await press('Enter');
    await tabTo(page, 'Edit Jaguar F-Type');
    await press('Enter');
    await arrivesAt(page, `/edit-alert/${id}`);
    await waitUntilStill(page);
    await tabTo(page, 'Location');
    await press('ControlOrMeta+a');
    await page.keyboard.type('Yaku');
    await page.locator('[role=option]').first().waitFor();
    await press('Escape');
    await page.locator('[role=option]').first().waitFor({ state: 'detached' });
    await press('ControlOrMeta+a');
    await page.keyboard.type('Yakutat, AK');
    await tabTo(page, 'Email notifications');
    await press('Space');
    await tabTo(page, /^(Update|Save)/);
    await press('Enter');
    await arrivesAt(page, '/my-alerts');
    await sees(page, 'Alert updated');
    await waitUntilStill(page);
    await press('F8');
    await expect.poll(() => focusedName(page)).toContain('Notifications (F8)');
    await tabTo(page, 'Close');
    await press('Enter');
    await page.getByText('Alert updated').waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).not.toBe('');

    await tabTo(page, 'Jaguar F-Type active');
    const toggle = page.getByRole('switch', { name: 'Jaguar F-Type active' });
    await press('Space');
    await expect.poll(() => toggle.isChecked()).toBe(false);
    await expect.poll(() => focusedName(page)).toBe('Jaguar F-Type active');
    await press('Space');
    await expect.poll(() => toggle.isChecked()).toBe(true);
    await tabTo(page, /^View matches/);
    await press('Enter');
    await arrivesAt(page, `/alert/${id}`);
    await tabTo(page, 'Next photo');
    await press('Enter');
    await page.getByRole('img', { name: /photo 2 of 2/ }).waitFor();
    await press('ArrowRight');
    await page.getByRole('img', { name: /photo 1 of 2/ }).waitFor();
  });

  it('edits contact and password, and requests a deletion', async () => {
    const person = await newPerson();
    const page = await browser.open({ cookies: person.cookies });
    const press = (key: string) => page.keyboard.press(key);
    await page.goto('/settings');
    await waitUntilStill(page);
    await tabTo(page, 'Edit Contact Info');
    await press('Enter');
    await expect.poll(() => focusedName(page)).toMatch(/^Email/);
    await tabTo(page, 'Cancel');
    await press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Edit Contact Info');
    await press('Enter');
    await tabTo(page, 'Phone');
    await page.keyboard.type('415 555 0133');
    await press('Enter');
    await sees(page, 'Profile updated');
    await expect.poll(() => focusedName(page)).toBe('Edit Contact Info');
    await tabTo(page, /^Current password/);
    await page.keyboard.type(PASSWORD);
    await tabTo(page, /^New password/);
    await page.keyboard.type('secret-2');
    await tabTo(page, /^Confirm/);
    await page.keyboard.type('secret-3');
    await press('Enter');
    await sees(page, 'Passwords do not match');
    await expect.poll(() => focusedName(page)).toMatch(/^Confirm/);
    await press('ControlOrMeta+a');
    await page.keyboard.type('secret-2');
    await press('Enter');
    await sees(page, 'Password changed');

    await page.goto('/data-rights');
    await waitUntilStill(page);
    await tabTo(page, 'Download Your Data');
    await press('ArrowRight');
    await expect.poll(() => focusedName(page)).toBe('Request Deletion');
    await tabTo(page, 'Submit Request');
    await press('Enter');
    await sees(page, 'Reason required');
    await expect.poll(() => focusedName(page)).toMatch(/^Reason/);
    await page.keyboard.type('Moving on');
    await tabTo(page, /^I understand/);
    await press('Space');
    await tabTo(page, 'Submit Request');
    await press('Enter');
    await sees(page, 'Request submitted');
  });

  it('answers the banner, opens menus, and sends a message', async () => {
    const page = await browser.open({ firstTime: true, viewport: { width: 390, height: 844 } });
    const press = (key: string) => page.keyboard.press(key);
    await page.goto('/contact');
    await waitUntilStill(page);
    await tabTo(page, 'Preferences');
    await press('Enter');
    await tabTo(page, 'Analytics');
    await press('Escape');
    await expect.poll(() => focusedName(page)).toBe('Preferences');
    await tabTo(page, 'Necessary Only');
    await press('Enter');
    await page.getByRole('button', { name: 'Necessary Only' }).waitFor({ state: 'detached' });
    await page.reload();
    await waitUntilStill(page);
    await tabTo(page, 'Open menu');
    await press('Enter');
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    await tabTo(page, 'Sign In');
    await press('Escape');
    await page.getByRole('navigation', { name: 'Menu' }).waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('Open menu');
    for (const [label, text] of Object.entries({
      Name: 'Ada',
      Email: 'ada@example.com',
      Subject: 'Keys',
      Message: 'It works.',
    })) {
      await tabTo(page, new RegExp(`^${label}`));
      await page.keyboard.type(text);
    }
    await tabTo(page, /^Send/);
    await press('Enter');
    await sees(page, 'Thank You!');
    await expect.poll(() => focusedName(page)).not.toBe('');
  });

  it("updates a request in the admin's dialog, after which the focus returns", async () => {
    const person = await newPerson();
    const { requestDeletion } = await person.ask<{ requestDeletion: { requestId: string } }>(
      'mutation ($reason: String!) { requestDeletion(reason: $reason) { requestId } }',
      { reason: 'Keys only' },
    );
    const page = await browser.open({ cookies: someone('admin').cookies });
    await page.goto('/admin');
    await waitUntilStill(page);
    const update = `Update ${requestDeletion.requestId}`;
    await tabTo(page, update);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Update Deletion Request' });
    await dialog.waitFor();
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press('Tab');
      expect(
        await dialog.evaluate(
          (element) => element.contains(document.activeElement) || document.activeElement === document.body,
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe(update);
  });
});
