import type { Page } from 'playwright-core';
import { failing, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

const openMenu = (page: Page) => page.locator('header button[aria-controls=mobile-menu]').click();

/** Fills in the required fields of the quick form. */
async function sendQuickForm(page: Page): Promise<void> {
  await page.locator('select[name=make] option[value=toyota]').waitFor({ state: 'attached' });
  await page.locator('select[name=make]').selectOption('toyota');
  await page.locator('input[name=location]').fill('Los Angeles, CA');
  await page.locator('form button[type=submit]').click();
}

const openAccountMenu = (page: Page) => page.locator('header button[aria-haspopup=menu]').click();

/** Logout is the account menu's last entry. */
async function logOut(page: Page): Promise<void> {
  await openAccountMenu(page);
  await page.getByRole('menuitem').last().click();
}

/** The frame of every page, with its menus open. */
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
    name: 'auth/alert-kept',
    who: 'visitor',
    path: '/',
    texts: ['Create Account'],
    also: ['Your alert is kept:', /Toyota · 50 miles of Los Angeles, CA · up to \$50,000/],
    async act(page) {
      await sendQuickForm(page);
      await page.locator('dialog button').last().click();
    },
  },
  {
    name: 'shell/menu-of-a-visitor',
    who: 'visitor',
    path: '/',
    sizes: ['phone'],
    texts: ['Sign In', 'Home'],
    act: openMenu,
  },
  {
    name: 'shell/menu-of-a-member',
    who: 'user',
    path: '/settings',
    sizes: ['phone'],
    texts: ['Dashboard', 'My Alerts', 'Create Alert', 'Settings', 'Subscription', 'Logout'],
    act: openMenu,
  },
  {
    name: 'shell/account-menu',
    who: 'user',
    path: '/',
    sizes: ['desktop'],
    texts: ['Dashboard', 'My Alerts', 'Create Alert', 'Settings', 'Subscription', 'Logout'],
    act: openAccountMenu,
  },
  {
    name: 'shell/tooltip',
    who: 'visitor',
    path: '/privacy',
    sizes: ['desktop'],
    texts: ['BETA'],
    also: [/^Switch to (dark|light) mode$/],
    async act(page) {
      // The button moves to the left of this link once it is known that nobody is signed in.
      await page.locator('header nav a').waitFor();
      await page.locator('header nav button').first().hover();
      await page.locator('[role=tooltip]').waitFor();
    },
  },
  {
    name: 'shell/side-navigation',
    isLong: true,
    who: 'empty',
    path: '/create-alert',
    sizes: ['desktop'],
    texts: ['Dashboard', 'My Alerts', 'Settings', 'Create a new alert', 'New Alert'],
  },
  {
    name: 'shell/side-navigation-of-the-admin',
    who: 'admin',
    path: '/create-alert',
    sizes: ['desktop'],
    texts: ['Dashboard', 'My Alerts', 'Settings', 'Admin Panel'],
  },
  {
    name: 'shell/bottom-bar',
    who: 'empty',
    path: '/settings',
    sizes: ['phone'],
    texts: ['Dashboard', 'Alerts', 'New Alert', 'Logout'],
  },
  {
    name: 'shell/logout-question',
    who: 'empty',
    path: '/settings',
    sizes: ['phone'],
    texts: ['Logout', 'Cancel'],
    also: ['Log out of LotWatch?', 'Log out'],
    act: (page) => page.getByRole('navigation', { name: 'Quick navigation' }).getByRole('button').click(),
  },
  {
    name: 'shell/bottom-bar-of-a-visitor',
    who: 'visitor',
    path: '/privacy',
    sizes: ['phone'],
    texts: ['Home', 'Sign In'],
  },
  {
    name: 'shell/logged-out',
    who: 'new',
    path: '/settings',
    sizes: ['desktop'],
    texts: ['Logged out', 'You have been successfully logged out.'],
    act: logOut,
  },
  {
    name: 'shell/logout-failed',
    who: 'user',
    path: '/settings',
    sizes: ['desktop'],
    texts: ['Logout failed', 'Settings'],
    also: [INTERNAL_ERROR.message],
    prepare: (page) => failing(page, 'Logout', INTERNAL_ERROR),
    act: logOut,
  },
];
