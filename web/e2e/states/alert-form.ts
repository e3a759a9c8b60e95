import type { Page } from 'playwright-core';
import { answering, type CallFault, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { SpecWords } from './spec-texts.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const editSupra = (fixtures: Fixtures) => `/edit-alert/${fixtures.alerts.supra}`;
const submit = (page: Page) => page.locator('main form [type=submit]').click();
const LIMIT =
  "You've reached the maximum number of alerts for your subscription plan. Please upgrade to create more alerts.";

async function fillAndSubmit(page: Page): Promise<void> {
  await page.locator('[name=make]').selectOption('honda');
  await page.locator('[name=model]').selectOption('s2000');
  await page.locator('[name=location]').fill('Miami, FL');
  await submit(page);
}

/** Opens the fields of delivery, and takes quiet hours. */
async function openDelivery(page: Page): Promise<void> {
  const fold = page.locator('main details:has([name=delivery])');
  await fold.locator('summary').click();
  await fold.locator('input[type=checkbox]:not([name])').check();
}

/** A create form whose call fails, with the text of its toast. */
const refused = (name: string, texts: SpecWords[], fault: CallFault): State => ({
  name: `create-alert/${name}`,
  who: 'empty',
  path: '/create-alert',
  texts,
  prepare: (page) => failing(page, 'CreateAlert', fault),
  act: fillAndSubmit,
});

const createStates: readonly State[] = [
  {
    name: 'create-alert/loading',
    isLong: true,
    who: 'empty',
    path: '/create-alert',
    texts: ['Create Car Alert'],
    also: ['Loading the form'],
    prepare: (page) => holding(page, 'AlertQuota'),
  },
  {
    name: 'create-alert/first',
    who: 'user',
    path: '/create-alert',
    texts: ['Create Car Alert', 'Create Alert', 'Cancel'],
    also: ['Only listings with images', 'Email notifications', 'Text notifications', 'Select make first'],
  },
  {
    name: 'create-alert/wish',
    who: 'user',
    path: '/create-alert',
    texts: [],
    also: [
      'Honda Civic',
      'Up to $9,000',
      'Undo',
      '“heated seats” was not understood.',
      'You can also paste the address of a search at Facebook Marketplace or Craigslist.',
    ],
    async act(page) {
      await page
        .getByLabel('Say it in your own words')
        .fill('blue civic under 9k within 40 miles of Reno, 2014 or newer, around 90k miles, heated seats');
      await page.getByRole('button', { name: 'Fill in the form' }).click();
    },
  },
  {
    name: 'create-alert/wish-failed',
    who: 'user',
    path: '/create-alert',
    texts: [],
    also: ["We can't reach LotWatch. Check your connection and try again."],
    prepare: (page) => failing(page, 'ReadWish', 'offline'),
    async act(page) {
      await page.getByLabel('Say it in your own words').fill('blue civic under 9k');
      await page.getByRole('button', { name: 'Fill in the form' }).click();
    },
  },
  {
    name: 'create-alert/delivery',
    who: 'user',
    path: '/create-alert',
    texts: [],
    also: [
      'Once a day at 08:00 by mail, never between 22:00 and 07:00.',
      'Quiet hours',
      'Monday',
      'Price drops, and when a car you viewed is sold',
    ],
    async act(page) {
      await openDelivery(page);
      await page.locator('[name=delivery]').selectOption('daily');
    },
  },
  {
    name: 'create-alert/quiet-hours-without-days',
    who: 'user',
    path: '/create-alert',
    texts: [],
    also: ['Please choose when quiet hours begin and end, and at least one day'],
    async act(page) {
      await openDelivery(page);
      const chosen = page.locator('main details button[aria-pressed=true]');
      for (let days = await chosen.count(); days > 0; days -= 1) await chosen.first().click();
      await submit(page);
    },
  },
  {
    name: 'create-alert/invalid',
    who: 'empty',
    path: '/create-alert',
    texts: [
      'Car make is required',
      'Location is required',
      'Distance radius is required',
      'Upgrade to a paid plan to enable SMS notifications.',
    ],
    also: ['The minimum is above the maximum.'],
    async act(page) {
      await page.locator('[name=radius]').selectOption('');
      await page.locator('[name=priceMin]').fill('9000');
      await page.locator('[name=priceMax]').fill('8000');
      await submit(page);
    },
  },
  {
    name: 'create-alert/place-unknown',
    who: 'empty',
    path: '/create-alert',
    texts: [],
    also: ["We couldn't find that place. Try a city and state, or a ZIP code."],
    async act(page) {
      await page.locator('[name=make]').selectOption('honda');
      await page.locator('[name=location]').fill('Qwxzyville');
      await submit(page);
    },
  },
  {
    name: 'create-alert/sms-refused',
    who: 'empty',
    path: '/create-alert',
    texts: [
      'Premium Feature',
      'SMS notifications are only available with paid subscription plans. Please upgrade to enable this feature.',
    ],
    // It is marked as disabled, but an attempt to tick it is reported.
    act: (page) => page.locator('[name=textNotifications]').click({ force: true }),
  },
  {
    name: 'create-alert/limit-reached',
    who: 'full',
    path: '/create-alert',
    texts: [
      'Alert Limit Reached',
      "You've reached the maximum number of alerts for your current subscription plan (X of Y).",
      'Upgrade Subscription',
      'Dismiss',
    ],
  },
  {
    name: 'create-alert/creating',
    // A delayed call reaches the server when its page closes.
    who: 'new',
    path: '/create-alert',
    texts: ['Creating...'],
    prepare: (page) => holding(page, 'CreateAlert'),
    act: fillAndSubmit,
  },
  {
    name: 'create-alert/created',
    who: 'new',
    path: '/create-alert',
    texts: ['Alert created', 'Your new alert has been created successfully.', 'My Alerts', 'Created', 'Today'],
    act: fillAndSubmit,
  },
  {
    name: 'create-alert/check-failed',
    isLong: true,
    who: 'empty',
    path: '/create-alert',
    texts: ['Error', 'Failed to check subscription status'],
    prepare: (page) => failing(page, 'AlertQuota', 'offline'),
  },
  {
    name: 'create-alert/catalogue-failed',
    isLong: true,
    who: 'empty',
    path: '/create-alert',
    texts: ['Try Again'],
    also: ["We couldn't load the makes and models."],
    prepare: (page) => failing(page, 'Catalogue', 'offline'),
  },
  refused('over-limit', ['Subscription Limit Reached', LIMIT], {
    message: '',
    code: 'PLAN_LIMIT',
    needsUpgrade: true,
  }),
  refused('denied', ['Error', 'Failed to create alert: {message}', 'Access denied'], {
    status: 403,
    body: '{"message":""}',
  }),
  refused('failed', ['Error', 'Failed to create alert: {message}', 'An error occurred'], { message: '' }),
];

/** An alert without its id, which LotWatch never answers. */
const namelessAlert = {
  alert: {
    __typename: 'Alert',
    id: '',
    make: 'toyota',
    model: 'supra',
    yearMin: null,
    yearMax: null,
    location: 'Denver, CO',
    place: 'Denver, CO',
    radius: 50,
    priceMin: null,
    priceMax: null,
    color: 'any',
    onlyWithImages: true,
    emailNotifications: true,
    textNotifications: false,
    pushNotifications: false,
    isActive: true,
    createdAt: '2026-11-21T10:00:00.000Z',
    expiresAt: '2027-01-02T10:00:00.000Z',
    daysRemaining: 42,
    matchCount: 0,
  },
  currentSubscription: { __typename: 'CurrentSubscription', planId: '2' },
};

const editStates: readonly State[] = [
  {
    name: 'edit-alert/loading',
    isLong: true,
    who: 'user',
    path: editSupra,
    texts: [],
    also: ['Loading alert'],
    prepare: (page) => holding(page, 'EditAlertPage'),
  },
  {
    name: 'edit-alert/filled',
    who: 'user',
    path: editSupra,
    texts: ['Edit Car Alert', 'Update your alert for {make} {model}', 'Cancel'],
  },
  {
    name: 'edit-alert/missing',
    isLong: true,
    who: 'user',
    path: '/edit-alert/999999999',
    texts: [
      'Error loading alert',
      "We couldn't find the alert you're looking for. Please try again or create a new alert.",
    ],
  },
  {
    name: 'edit-alert/updating',
    who: 'user',
    path: editSupra,
    texts: ['Updating...'],
    prepare: (page) => holding(page, 'UpdateAlert'),
    act: submit,
  },
  {
    name: 'edit-alert/updated',
    who: 'user',
    path: (fixtures) => `/edit-alert/${fixtures.alerts.s2000}`,
    texts: ['Alert updated', 'Your alert has been updated successfully.', 'My Alerts'],
    act: submit,
  },
  {
    name: 'edit-alert/failed',
    who: 'user',
    path: editSupra,
    texts: ['Error', 'Failed to update alert: {message}'],
    prepare: (page) => failing(page, 'UpdateAlert', INTERNAL_ERROR),
    act: submit,
  },
  {
    name: 'edit-alert/without-id',
    who: 'user',
    path: editSupra,
    texts: ['Alert ID is required for updates', 'Error'],
    sizes: ['desktop'],
    prepare: (page) => answering(page, 'EditAlertPage', namelessAlert),
    act: submit,
  },
];

/** The form in create and edit mode. */
export const alertFormStates: readonly State[] = [...createStates, ...editStates];
