import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answering, failing, INTERNAL_ERROR } from './browser/faults.ts';
import { newPerson } from './browser/people.ts';
import { canBrowse, sees, seesToast, useBrowser } from './browser/support.ts';

describe.skipIf(!canBrowse)('push notifications that are not turned on', () => {
  const browser = useBrowser();
  const card = (page: Page) => page.getByRole('region', { name: 'Push notifications' });

  /** A browser whose user answers its question so. */
  const answersWith = (page: Page, answer: NotificationPermission) =>
    page.addInitScript((chosen) => {
      let permission: NotificationPermission = 'default';
      Object.defineProperty(Notification, 'permission', { get: () => permission });
      Notification.requestPermission = async () => {
        permission = chosen;
        return chosen;
      };
    }, answer);

  it('say what to do when the question of the browser was closed', async () => {
    const me = await newPerson();
    const page = await browser.open({ cookies: me.cookies });
    await answersWith(page, 'default');
    await page.goto('/settings');
    const button = card(page).getByRole('button', { name: 'Turn on push notifications' });
    await button.press('Enter');
    await seesToast(
      page,
      'Push notifications are still off',
      'The question of your browser was closed. Press the button again, and choose Allow.',
    );
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('say where the browser allows them when the answer was no', async () => {
    const me = await newPerson();
    const page = await browser.open({ cookies: me.cookies });
    await answersWith(page, 'denied');
    await page.goto('/settings');
    await card(page).getByRole('button', { name: 'Turn on push notifications' }).click();
    await seesToast(
      page,
      'Push notifications are still off',
      'Your browser now blocks notifications from LotWatch. Allow them in the settings of this site, beside the address.',
    );
  });

  it('say in the form of an alert that they could not be loaded, and try again', { tags: 'long' }, async () => {
    const me = await newPerson();
    const page = await browser.open({ cookies: me.cookies });
    await answersWith(page, 'default');
    const end = await failing(page, 'Push', INTERNAL_ERROR);
    await page.goto('/create-alert');
    await page.locator('summary').filter({ hasText: 'How should we tell you?' }).click();
    await page.getByLabel('Push notifications').check();
    await sees(page, "We couldn't look whether this device shows them.");
    await end();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText(/^Not on this device yet/).waitFor();
  });

  it('keep the focus on the list of devices while one after another is removed', { tags: 'long' }, async () => {
    const me = await newPerson();
    const page = await browser.open({ cookies: me.cookies });
    await answersWith(page, 'default');
    const device = (id: string, system: string) => ({
      __typename: 'PushSubscription',
      id,
      mark: id,
      browser: 'Chrome',
      system,
      createdAt: '2026-03-01T10:00:00Z',
      lastSuccessAt: null,
      lastError: null,
    });
    const devices = [device('1', 'Android'), device('2', 'Windows'), device('3', 'Linux')];
    const show = (pushSubscriptions: unknown[]) => answering(page, 'Push', { pushKey: 'key', pushSubscriptions });
    await show(devices);
    await answering(page, 'RemovePush', { removePushSubscription: '1' });
    await page.goto('/settings');
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
    const remove = async (name: string, left: unknown[]) => {
      await card(page)
        .getByRole('button', { name: `Remove ${name}` })
        .waitFor();
      await show(left);
      await card(page)
        .getByRole('button', { name: `Remove ${name}` })
        .press('Enter');
    };
    await remove('Chrome on Windows', devices.toSpliced(1, 1));
    await expect.poll(focused).toBe('Remove Chrome on Linux');
    await page.getByRole('status').filter({ hasText: 'The device was removed.' }).waitFor();
    await remove('Chrome on Linux', devices.slice(0, 1));
    await expect.poll(focused).toBe('Remove Chrome on Android');
    await remove('Chrome on Android', []);
    await expect.poll(focused).toBe('push-title');
  });
});
