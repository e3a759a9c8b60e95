import type { Page } from 'playwright-core';
import { answering, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

const page = { path: '/settings', who: 'user', texts: [] } as const;
const card = (page: Page) => page.locator('section[aria-labelledby=push-title]').scrollIntoViewIfNeeded();

const device = (id: string, system: string, more: Record<string, unknown> = {}) => ({
  __typename: 'PushSubscription',
  id,
  mark: `mark-${id}`,
  browser: 'Chrome',
  system,
  createdAt: '2026-03-01T10:00:00Z',
  lastSuccessAt: null,
  lastError: null,
  ...more,
});
const answerWith = (page: Page, pushSubscriptions: unknown[]) =>
  answering(page, 'Push', { pushKey: 'key', pushSubscriptions });

/** The permission as if the browser's user had chosen it, since Chromium without windows allows nobody. */
const withPermission = (page: Page, permission: string) =>
  page.addInitScript((chosen) => {
    Object.defineProperty(Notification, 'permission', { get: () => chosen, configurable: true });
  }, permission);

export const pushStates: readonly State[] = [
  {
    ...page,
    name: 'push/off',
    also: [/Get a card with photo and price on this device/, 'Turn On'],
    ownPage: true,
    async prepare(page) {
      await withPermission(page, 'default');
      await answerWith(page, []);
    },
    act: card,
  },
  {
    ...page,
    name: 'push/other-devices',
    also: ['On these devices', 'Chrome on Android', 'Not reached', 'Last message Mar 2', 'No message yet'],
    ownPage: true,
    async prepare(page) {
      await withPermission(page, 'default');
      await answerWith(page, [
        device('1', 'Android', { lastSuccessAt: '2026-03-02T10:00:00Z', lastError: 'The push service answered 503' }),
        device('2', 'Windows'),
      ]);
    },
    act: card,
  },
  {
    ...page,
    name: 'push/blocked',
    also: [/^Your browser blocks notifications from LotWatch/],
    ownPage: true,
    async prepare(page) {
      await withPermission(page, 'denied');
      await answerWith(page, []);
    },
    act: card,
  },
  {
    ...page,
    name: 'push/loading',
    also: ['Loading push notifications'],
    ownPage: true,
    async prepare(page) {
      await withPermission(page, 'default');
      await holding(page, 'Push');
    },
    act: card,
  },
  {
    ...page,
    name: 'push/failed',
    also: ["We couldn't load this."],
    ownPage: true,
    async prepare(page) {
      await withPermission(page, 'default');
      await failing(page, 'Push', INTERNAL_ERROR);
    },
    act: card,
  },
  {
    name: 'push/in-alert',
    who: 'empty',
    path: '/create-alert',
    texts: [],
    also: [/^Not on this device yet/, 'Turn On Here', 'At once by mail and push notification.'],
    ownPage: true,
    async prepare(page) {
      await withPermission(page, 'default');
      await answerWith(page, []);
    },
    async act(page) {
      await page.locator('main details:has([name=pushNotifications]) > summary').click();
      await page.locator('[name=pushNotifications]').click({ force: true });
    },
  },
];
