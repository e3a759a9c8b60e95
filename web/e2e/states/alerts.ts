import type { Page } from 'playwright-core';
import { changeViewer } from '../browser/calls.ts';
import { answering, type CallFault, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import { createAlert, type Person } from '../browser/session.ts';
import type { SpecWords } from './spec-texts.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const alertPage = (name: keyof Fixtures['alerts']) => (fixtures: Fixtures) => `/alert/${fixtures.alerts[name]}`;
const askToDelete = (page: Page) => page.locator('main li button:has(.lucide-trash-2)').first().click();
const confirm = (page: Page) => page.getByRole('alertdialog').locator('button').last().click();
const honda = { make: 'honda', model: 's2000', location: 'Miami, FL', radius: 50 };
const snooze = (me: Person, id: string) =>
  me.ask('mutation ($id: ID!) { snoozeAlert(id: $id, days: 3) { id } }', { id });

/** Makes an alert for a new user, and opens the list with it. */
async function toTheirAlert(page: Page, me: Person): Promise<void> {
  await createAlert(me, honda);
  await page.goto('/my-alerts');
}

/** A list whose call fails, with the text of its panel. */
/** Unit tests read each such answer, so one of them is enough for a quick run. */
const broken = (name: string, text: SpecWords, fault: CallFault): State => ({
  name: `my-alerts/${name}`,
  who: 'user',
  path: '/my-alerts',
  texts: [text, 'Try Again'],
  also: ['Your alerts could not be loaded'],
  sizes: ['phone'],
  ...(fault !== 'html' && { isLong: true }),
  prepare: (page) => failing(page, 'MyAlerts', fault),
});

const listStates: readonly State[] = [
  {
    name: 'my-alerts/loading',
    isLong: true,
    who: 'user',
    path: '/my-alerts',
    texts: ['My Alerts', 'Create Alert'],
    also: ['Loading your alerts'],
    prepare: (page) => holding(page, 'MyAlerts'),
  },
  {
    name: 'my-alerts/empty',
    who: 'empty',
    path: '/my-alerts',
    texts: [
      'No Alerts Yet',
      "You haven't created any alerts yet. Create your first alert to start monitoring car listings.",
      'Create Alert',
    ],
  },
  {
    name: 'my-alerts/filled',
    who: 'user',
    path: '/my-alerts',
    texts: [
      'My Alerts',
      'Your Active Alerts',
      'Any',
      'Current',
      'Active',
      'Inactive',
      'Created',
      'View matches',
      'Today',
      'Yesterday',
      'N days ago',
      'N weeks ago',
      'N months ago',
    ],
    also: [/^4 days remaining/, 'Renew', '1 listing', '5 listings'],
  },
  {
    name: 'my-alerts/snoozed',
    who: 'new',
    path: '/my-alerts',
    texts: ['Active'],
    also: [/^Snoozed until \w+ \d+, \d\d:\d\d ·$/],
    async act(page, _world, me) {
      await snooze(me, await createAlert(me, honda));
      await page.goto('/my-alerts');
    },
  },
  {
    name: 'my-alerts/delete-dialog',
    who: 'user',
    path: '/my-alerts',
    texts: [
      'Delete Alert',
      'Are you sure you want to delete this alert? This action cannot be undone.',
      'Cancel',
      'Delete',
    ],
    act: askToDelete,
  },
  {
    name: 'my-alerts/deleted',
    who: 'new',
    path: '/my-alerts',
    texts: ['Alert deleted', 'The alert has been successfully deleted.', 'No Alerts Yet'],
    async act(page, _world, me) {
      await toTheirAlert(page, me);
      await askToDelete(page);
      await confirm(page);
    },
  },
  {
    name: 'my-alerts/delete-failed',
    who: 'user',
    path: '/my-alerts',
    texts: ['Error', 'Failed to delete alert: {message}', 'Your Active Alerts'],
    prepare: (page) => failing(page, 'DeleteAlert', INTERNAL_ERROR),
    async act(page) {
      await askToDelete(page);
      await confirm(page);
    },
  },
  {
    name: 'my-alerts/switch-failed',
    who: 'user',
    path: '/my-alerts',
    texts: ['Error', 'Failed to update alert: {message}', 'Your Active Alerts'],
    prepare: (page) => failing(page, 'SwitchAlert', 'bad-gateway'),
    act: (page) => page.getByRole('switch').first().click(),
  },
  broken('html-answer', 'Server returned HTML instead of JSON. API endpoint may be misconfigured.', 'html'),
  broken('unreadable-answer', 'Failed to parse JSON response: ...', 'unreadable'),
  broken('wrong-type-answer', 'Response is not valid JSON and has content-type: ...', 'wrong-type'),
  broken('cut-off-answer', 'Failed to read response: ...', 'cut-off'),
  broken('bad-gateway-answer', '{status}: {statusText}', 'bad-gateway'),
  broken('wordless-answer', '{status}: Failed to parse response', { status: 500, body: '{' }),
];

const pageStates: readonly State[] = [
  {
    name: 'alert/loading',
    who: 'user',
    path: alertPage('supra'),
    texts: [],
    also: ['Loading the alert'],
    prepare: (page) => holding(page, 'AlertPage'),
  },
  {
    name: 'alert/matches',
    who: 'user',
    path: alertPage('supra'),
    texts: [
      'Active',
      'Within N miles',
      'Edit Alert',
      'Send Test Notification',
      'matches',
      'New',
      'View on Marketplace',
      'Just now',
      '1hr ago',
      'Nhrs ago',
    ],
    also: ['Toyota Supra', /sent \+/],
  },
  {
    name: 'alert/car-hidden',
    who: 'user',
    path: alertPage('supra'),
    texts: ['View on Marketplace'],
    also: [/is hidden\. You get no more messages about it\.$/, 'Undo', 'Not this car'],
    // Only on the page, as all states share the cars.
    prepare: (page) => answering(page, 'HideCar', { hideCar: { __typename: 'Listing', id: '1', hidden: true } }),
    act: (page) => page.getByRole('button', { name: 'Not this car' }).nth(1).click(),
  },
  {
    name: 'alert/one-match',
    isLong: true,
    who: 'user',
    path: alertPage('bronco'),
    texts: ['match', 'Any', 'N/A', 'Location unavailable'],
  },
  {
    name: 'alert/no-matches',
    who: 'user',
    path: alertPage('s2000'),
    texts: ['Within N miles', 'matches'],
    also: ['No matching listings yet', /will mail you/],
  },
  {
    name: 'alert/off',
    isLong: true,
    who: 'user',
    path: alertPage('corvette'),
    texts: ['Inactive'],
    also: ['Switch on', /you will be notified/],
  },
  {
    name: 'alert/snoozed',
    who: 'new',
    path: '/my-alerts',
    texts: ['Active', 'Edit Alert'],
    also: [/^Snoozed until \w+ \d+, \d\d:\d\d\.$/, 'End snooze'],
    async act(page, _world, me) {
      const id = await createAlert(me, honda);
      await snooze(me, id);
      await page.goto(`/alert/${id}`);
    },
  },
  {
    name: 'alert/push-without-device',
    who: 'new',
    path: '/my-alerts',
    texts: ['Active'],
    also: [/^No device gets your push notifications yet/],
    async act(page, _world, me) {
      const id = await createAlert(me, { ...honda, pushNotifications: true });
      await page.goto(`/alert/${id}`);
    },
  },
  {
    name: 'alert/daily-and-quiet',
    who: 'new',
    path: '/my-alerts',
    texts: ['Active', 'MMM d, yyyy', 'Today'],
    also: [
      'Once a day at 18:00 by mail, never between 22:00 and 07:00 from Monday to Friday.',
      'Snooze for 1 day',
      'Only listings with images',
      'Make one like this',
      'Why is a car missing?',
    ],
    sizes: ['phone'],
    async act(page, _world, me) {
      const quietHours = { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5] };
      const id = await createAlert(me, { ...honda, delivery: 'daily', digestHour: 18, quietHours });
      await page.goto(`/alert/${id}`);
      await page.locator('main summary').first().click();
    },
  },
  {
    name: 'alert/messages-paused',
    isLong: true,
    who: 'user',
    path: alertPage('s2000'),
    texts: ['Active'],
    also: ['All messages are paused. Your alerts keep watching.', 'Resume'],
    prepare: (page) => changeViewer(page, (me) => Object.assign(me, { messagesPaused: true })),
  },
  { name: 'alert/ends-soon', isLong: true, who: 'user', path: alertPage('volvo'), texts: ['Active'], also: ['Renew'] },
  {
    name: 'alert/missing',
    who: 'user',
    path: '/alert/999999999',
    texts: ['Error loading alert details', 'Alert not found'],
    also: ['Back to My Alerts'],
  },
  {
    name: 'alert/failed',
    isLong: true,
    who: 'user',
    path: alertPage('supra'),
    texts: ['Error loading alert details', 'Try Again'],
    also: [INTERNAL_ERROR.message],
    prepare: (page) => failing(page, 'AlertPage', INTERNAL_ERROR),
  },
  {
    name: 'alert/matches-failed',
    who: 'user',
    path: alertPage('supra'),
    texts: ['Active', 'Try Again'],
    also: ['The matches could not be loaded'],
    prepare: (page) => failing(page, 'AlertMatches', INTERNAL_ERROR),
  },
  {
    name: 'alert/test-sent',
    who: 'user',
    path: alertPage('s2000'),
    texts: ['Notification sent'],
    act: (page) => page.locator('main button').first().click(),
  },
  {
    name: 'alert/test-failed',
    who: 'user',
    path: alertPage('s2000'),
    texts: ['Error sending notification', 'Failed to send notification. Please check your email settings.'],
    prepare: (page) => failing(page, 'SendTestNotification', 'offline'),
    act: (page) => page.locator('main button').first().click(),
  },
];

/** The list of alerts and an alert's own page. */
export const alertsStates: readonly State[] = [...listStates, ...pageStates];
