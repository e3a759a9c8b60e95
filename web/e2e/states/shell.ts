import type { Page } from 'playwright-core';
import type { State } from './state.ts';

const openMenu = (page: Page) => page.locator('header button[aria-controls=mobile-menu]').click();

/** The quick form with what it asks for at least. */
async function sendQuickForm(page: Page): Promise<void> {
  await page.locator('select[name=make] option[value=toyota]').waitFor({ state: 'attached' });
  await page.locator('select[name=make]').selectOption('toyota');
  await page.locator('input[name=location]').fill('Los Angeles, CA');
  await page.locator('form button[type=submit]').click();
}

/** What stands around every page, opened. */
export const shellStates: readonly State[] = [
  {
    name: 'landing/login-required',
    who: 'visitor',
    path: '/',
    texts: [
      'Login Required',
      'You need to login or create an account to save this alert.',
      'Login / Register',
      'Cancel',
    ],
    act: sendQuickForm,
  },
  {
    name: 'shell/menu-of-a-visitor',
    who: 'visitor',
    path: '/',
    sizes: ['phone'],
    texts: ['Sign In'],
    also: ['Home'],
    act: openMenu,
  },
  {
    name: 'shell/menu-of-a-member',
    who: 'user',
    path: '/settings',
    sizes: ['phone'],
    texts: ['Dashboard', 'My Alerts', 'Create Alert', 'Settings'],
    also: ['Subscription', 'Logout'],
    act: openMenu,
  },
  {
    name: 'shell/account-menu',
    who: 'user',
    path: '/',
    sizes: ['desktop'],
    texts: ['Dashboard', 'My Alerts', 'Create Alert', 'Settings'],
    also: ['Subscription', 'Logout'],
    act: (page) => page.locator('header button[aria-haspopup=menu]').click(),
  },
  {
    name: 'shell/tooltip',
    who: 'visitor',
    path: '/privacy',
    sizes: ['desktop'],
    texts: ['BETA'],
    also: ['Switch to dark mode'],
    async act(page) {
      await page.locator('header nav button').first().hover();
      await page.locator('[role=tooltip]').waitFor();
    },
  },
];
