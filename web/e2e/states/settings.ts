import type { Page } from 'playwright-core';
import { changeViewer } from '../browser/calls.ts';
import { failing, holding } from '../browser/faults.ts';
import { letMinutesPass, PASSWORD } from '../browser/session.ts';
import type { State } from './state.ts';

const contact = 'form[aria-label="Contact info"]';
const password = 'form[aria-label="Change password"]';
const edit = (page: Page) => page.locator('section[aria-labelledby=profile] button').first().click();
const send = (page: Page, form: string) => page.locator(`${form} button[type=submit]`).click();

async function saveContact(page: Page, values: { email?: string; phone?: string }): Promise<void> {
  await edit(page);
  for (const [name, value] of Object.entries(values)) await page.locator(`input[name=${name}]`).fill(value);
  await send(page, contact);
}

async function changePassword(page: Page, current: string, next: string, again = next): Promise<void> {
  await page.locator('input[name=currentPassword]').fill(current);
  await page.locator('input[name=newPassword]').fill(next);
  await page.locator('input[name=confirmPassword]').fill(again);
  await send(page, password);
}

/** Lets ten minutes pass since the password was given. */
const longAfter: State['prepare'] = (_page, { pool }, me) => letMinutesPass(pool, me, 10);

const settings = { path: '/settings' } as const;

export const settingsStates: readonly State[] = [
  {
    ...settings,
    name: 'settings/profile',
    who: 'user',
    texts: ['Settings', 'Edit Contact Info', 'Review Cookie Settings', 'Privacy Policy', 'Terms of Service'],
    also: ['Manage Your Data', 'Change Password', 'America/New York'],
  },
  {
    ...settings,
    name: 'settings/messages-paused',
    isLong: true,
    who: 'user',
    texts: ['Settings'],
    also: ['Pause all messages', 'All messages are paused. Your alerts keep watching.'],
    prepare: (page) => changeViewer(page, (me) => Object.assign(me, { messagesPaused: true })),
  },
  {
    ...settings,
    name: 'new-alerts/filled',
    path: '/settings/new-alerts',
    who: 'user',
    texts: [],
    also: ['New alerts', 'Once a day at 18:00 by mail and text message, never between 22:00 and 07:00.'],
    prepare: (page) =>
      changeViewer(page, (me) =>
        Object.assign(me, {
          alertDefaults: {
            __typename: 'AlertDefaults',
            emailNotifications: true,
            textNotifications: true,
            pushNotifications: false,
            delivery: 'daily',
            digestHour: 18,
            quietHours: { __typename: 'QuietHours', from: '22:00', to: '07:00', days: [0, 1, 2, 3, 4, 5, 6] },
            maxMailsPerDay: null,
            priceDrops: true,
          },
        }),
      ),
    act: (page) => page.locator('main summary').click(),
  },
  {
    ...settings,
    name: 'settings/loading',
    isLong: true,
    who: 'user',
    sizes: ['desktop'],
    texts: [],
    also: ['Loading'],
    hasNoHeading: true,
    prepare: (page) => holding(page, 'Viewer'),
  },
  {
    ...settings,
    name: 'settings/editing',
    who: 'user',
    texts: ['Cancel'],
    also: ['Save Changes', 'Use America/Los Angeles, as on this device'],
    act: edit,
  },
  {
    ...settings,
    name: 'settings/profile-refused',
    who: 'user',
    sizes: ['phone'],
    texts: ['Please enter a valid email'],
    act: (page) => saveContact(page, { email: 'nowhere' }),
  },
  {
    ...settings,
    name: 'settings/profile-emptied',
    who: 'user',
    sizes: ['desktop'],
    texts: ['Either email or phone is required for notifications'],
    act: (page) => saveContact(page, { email: '', phone: '' }),
  },
  {
    ...settings,
    name: 'settings/profile-updated',
    who: 'new',
    texts: ['Profile updated'],
    also: ['(415) 555-0100'],
    act: (page) => saveContact(page, { phone: '(415) 555-0100' }),
  },
  {
    ...settings,
    name: 'settings/address-pending',
    who: 'new',
    texts: [],
    also: ['Waiting for confirmation', 'Send again', /Until it is confirmed, your mails go to the address above/],
    act: (page, _world, me) => saveContact(page, { email: `a-rather-long-new-address-of-${me.email}` }),
  },
  {
    ...settings,
    name: 'settings/address-change-cancelled',
    who: 'new',
    sizes: ['phone'],
    texts: [],
    also: ['Change cancelled'],
    async act(page, _world, me) {
      await saveContact(page, { email: `new-${me.email}` });
      await page.locator('section[aria-labelledby=profile] dd button').last().click();
    },
  },
  {
    ...settings,
    name: 'settings/address-cancelling-failed',
    who: 'new',
    sizes: ['desktop'],
    texts: ['Error', '{status}: {statusText}'],
    also: ['Waiting for confirmation'],
    prepare: (page) =>
      failing(page, 'CancelEmailChange', { status: 500, statusText: 'Internal Server Error', body: '{}' }),
    async act(page, _world, me) {
      await saveContact(page, { email: `new-${me.email}` });
      await page.locator('section[aria-labelledby=profile] dd button').last().click();
    },
  },
  {
    ...settings,
    name: 'settings/update-failed',
    who: 'user',
    sizes: ['desktop'],
    texts: ['Update failed', '{status}: {statusText}'],
    prepare: (page) => failing(page, 'UpdateProfile', { status: 500, statusText: 'Internal Server Error', body: '{}' }),
    act: (page) => saveContact(page, { phone: '1' }),
  },
  {
    ...settings,
    name: 'settings/password-asked',
    who: 'new',
    texts: ['Cancel'],
    also: ['Confirm your password', 'Confirm'],
    prepare: longAfter,
    act: (page) => saveContact(page, { phone: '(415) 555-0100' }),
  },
  {
    ...settings,
    name: 'settings/password-asked-again',
    who: 'new',
    texts: [],
    also: ['Current password is incorrect'],
    prepare: longAfter,
    async act(page) {
      await saveContact(page, { phone: '(415) 555-0100' });
      await page.locator('dialog input[name=currentPassword]').fill('not-the-password');
      await page.locator('dialog button[type=submit]').click();
    },
  },
  {
    ...settings,
    name: 'settings/password-refused',
    who: 'user',
    sizes: ['phone'],
    texts: [
      'Current password is required',
      'New password must be at least 6 characters',
      'Confirm password is required',
    ],
    act: (page) => send(page, password),
  },
  {
    ...settings,
    name: 'settings/passwords-differ',
    who: 'user',
    sizes: ['desktop'],
    texts: ['Passwords do not match'],
    act: (page) => changePassword(page, PASSWORD, 'secret-2', 'secret-3'),
  },
  {
    ...settings,
    name: 'settings/password-changed',
    who: 'new',
    sizes: ['desktop'],
    texts: ['Password changed'],
    act: (page) => changePassword(page, PASSWORD, 'secret-2'),
  },
  {
    ...settings,
    name: 'settings/password-change-failed',
    who: 'new',
    sizes: ['phone'],
    texts: ['Password change failed'],
    also: ['Current password is incorrect'],
    act: (page) => changePassword(page, 'not-the-password', 'secret-2'),
  },
  {
    ...settings,
    name: 'settings/first-password',
    isLong: true,
    who: 'user',
    texts: [],
    also: ['Choose a password', 'New password'],
    prepare: (page) => changeViewer(page, (me) => Object.assign(me, { restrictedTo: 'password' })),
  },
  {
    ...settings,
    name: 'settings/first-password-hint',
    isLong: true,
    who: 'user',
    texts: [],
    also: ['You still use the password that was created for you.'],
    prepare: (page) => changeViewer(page, (me) => Object.assign(me, { mustChangePassword: true })),
  },
];
