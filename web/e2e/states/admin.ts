import type { Page } from 'playwright-core';
import { answering, answeringOnce, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

/** What the page of sources shows to a new operator: the demo marketplace alone. */
const newOperator = {
  sourceHealth: [],
  sources: [],
  sourceOptions: { privateNetwork: false, push: false, __typename: 'SourceOptions' },
};

/** A dealer's site whose first read is under way. */
const firstRead = {
  ...newOperator,
  sourceHealth: [
    {
      __typename: 'SourceHealth',
      name: 'dealer-site',
      kind: 'vehicle-pages',
      state: 'waiting',
      everySeconds: 43_200,
      lastPolledAt: new Date().toISOString(),
      lastSuccessAt: null,
      lastCompleteAt: null,
      nextPollAt: new Date(Date.now() + 43_000_000).toISOString(),
      isReading: true,
      lastError: null,
      lastErrorAt: null,
      failures: 0,
      items: 118,
      rejects: 2,
      lagP50Ms: null,
      lagP95Ms: null,
      lagListings: 0,
      lastDay: { __typename: 'SourceCounts', accepted: 118, updated: 0, unchanged: 0, rejected: 2 },
      quarantined: [],
    },
  ],
};

const triedCar = (externalId: string, price: number | null) => ({
  externalId,
  title: 'Clean one-owner 2016 Honda Civic EX with all the service records that one can ask for',
  year: 2016,
  make: 'Honda',
  model: 'Civic',
  price,
  mileage: 61_000,
  facts: ['Salvage title', 'EX', 'Hybrid', 'Front-wheel drive', 'Automatic', 'Sedan', 'Silver', 'Private seller'],
  location: 'Austin, TX',
  photos: 12,
  url: null,
  __typename: 'TriedCar',
});
const triedReject = (code: string, reason: string) => ({
  externalId: 'A-17',
  code,
  reason,
  record: '{"id":"A-17","title":"Roof box"}',
  __typename: 'TriedReject',
});
const trial = {
  accepted: 41,
  rejected: 9,
  placeless: 2,
  hasMore: true,
  fault: null,
  cars: [1, 2, 3, 4, 5].map((index) => triedCar(`A-${index}`, index === 3 ? null : 11_900 + index)),
  rejects: [
    triedReject('NOT_A_CAR', 'It offers a part, not a car.'),
    triedReject('UNKNOWN_MAKE', 'The make is not in the catalogue.'),
    triedReject('BAD_PLACE', 'It names no place.'),
  ],
  __typename: 'SourceTrial',
};

async function pressTry(page: Page): Promise<void> {
  await page.locator('input[name=url]').fill('https://dealer.example/feed.csv');
  await page.locator('form button[type=submit]').first().click();
}

/** Sources and quarantine. The states of deletion requests are in `deletions.ts`. */
export const adminStates: readonly State[] = [
  { name: 'admin/denied', isLong: true, who: 'user', path: '/admin', texts: ['Access Denied'] },
  {
    name: 'admin/sources',
    who: 'admin',
    path: '/admin?tab=sources',
    texts: [],
    also: ['city-cars', 'corner-lot', 'Healthy'],
    // Other tests add sources, and failing ones are listed above these.
    prepare: (page) => answeringOnce(page, 'Sources'),
  },
  {
    name: 'admin/sources-loading',
    isLong: true,
    who: 'admin',
    path: '/admin?tab=sources',
    texts: [],
    also: ['Loading the sources'],
    prepare: (page) => holding(page, 'Sources'),
  },
  {
    name: 'admin/sources-failed',
    isLong: true,
    who: 'admin',
    path: '/admin?tab=sources',
    texts: ['Try Again'],
    also: ['The sources could not be loaded'],
    prepare: (page) => failing(page, 'Sources', INTERNAL_ERROR),
  },
  {
    name: 'admin/sources-first',
    isLong: true,
    who: 'admin',
    path: '/admin?tab=sources',
    texts: [],
    also: ['Where do you have cars?', 'A feed from my dealer system', 'My own program'],
    prepare: (page) => answering(page, 'Sources', newOperator),
  },
  {
    name: 'admin/sources-first-read',
    who: 'admin',
    path: '/admin?tab=sources',
    texts: [],
    isLong: true,
    sizes: ['phone'],
    also: ['Being read', 'being read, 120 records so far', /every 12 h/],
    prepare: (page) => answering(page, 'Sources', firstRead),
  },
  {
    name: 'admin/source-form',
    who: 'admin',
    path: '/admin?tab=sources&add=json-feed',
    texts: [],
    also: ['Another API that answers JSON', 'Which field is which', 'Start Reading'],
  },
  {
    name: 'admin/source-refused',
    who: 'admin',
    path: '/admin?tab=sources&add=vehicle-feed',
    texts: [],
    sizes: ['phone'],
    also: ['Address is required', 'Fill in both fields or neither'],
    async act(page) {
      await page.locator('input[name=headerName]').fill('Authorization');
      await page.locator('form button[type=submit]').first().click();
    },
  },
  {
    name: 'admin/source-lines',
    who: 'admin',
    path: '/admin?tab=sources&add=google-vehicle-feed',
    texts: [],
    isLong: true,
    sizes: ['phone'],
    also: ['Line 2 must be like AUSTIN-01 = Austin, TX'],
    async act(page) {
      await page.locator('input[name=url]').fill('https://dealer.example/google.xml');
      await page.locator('textarea[name=stores]').fill('AUSTIN-01 = Austin, TX\nDallas');
      await page.locator('form button[type=submit]').first().click();
    },
  },
  {
    name: 'admin/source-site',
    who: 'admin',
    path: '/admin?tab=sources&add=vehicle-pages',
    texts: [],
    isLong: true,
    sizes: ['phone'],
    also: ['A dealership’s web site', 'Sitemap', 'Pages of cars'],
    act: (page) => page.getByText('More settings', { exact: true }).click(),
  },
  {
    name: 'admin/source-tried',
    who: 'admin',
    path: '/admin?tab=sources&add=vehicle-feed',
    texts: [],
    also: [
      'We read 41 cars of 50 records',
      '2 cars have no place that is known, and would match no alert.',
      'The first 5 cars as we read them',
      '3 of 9 rejected records',
    ],
    prepare: (page) => answering(page, 'TrySource', { trySource: trial }),
    act: pressTry,
  },
  {
    name: 'admin/source-trying',
    who: 'admin',
    path: '/admin?tab=sources&add=vehicle-feed',
    texts: [],
    isLong: true,
    also: ['Trying...', 'Trying the source'],
    prepare: (page) => holding(page, 'TrySource'),
    act: pressTry,
  },
  {
    name: 'admin/source-unreadable',
    who: 'admin',
    path: '/admin?tab=sources&add=vehicle-feed',
    texts: [],
    isLong: true,
    also: ['This source could not be read', 'dealer.example answered 401. Check the token.'],
    prepare: (page) =>
      answering(page, 'TrySource', {
        trySource: {
          ...trial,
          accepted: 0,
          rejected: 0,
          placeless: 0,
          cars: [],
          rejects: [],
          fault: 'dealer.example answered 401.',
        },
      }),
    act: pressTry,
  },
  {
    name: 'admin/source-changed-elsewhere',
    who: 'admin',
    path: '/admin?tab=sources&add=vehicle-feed',
    texts: [],
    isLong: true,
    also: ['This source was changed in the meantime. Open it again to see its settings.'],
    prepare: (page) =>
      failing(page, 'CreateSource', {
        message: 'This source was changed in the meantime. Open it again to see its settings.',
        code: 'CONFLICT',
      }),
    async act(page) {
      await page.locator('input[name=url]').fill('https://dealer.example/feed.csv');
      await page.locator('form button[type=submit]').last().click();
    },
  },
  {
    name: 'admin/source-push',
    who: 'admin',
    path: '/admin?tab=sources&add=push',
    texts: [],
    also: ['My own program', 'push.mjs', 'push.py', 'push.sh'],
    // Its test in the browser opens and checks it too.
    isLong: true,
  },
  {
    name: 'admin/quarantine',
    who: 'admin',
    path: '/admin?tab=quarantine&source=corner-lot',
    texts: [],
    also: ['3 records', 'The make is not in the catalogue.'],
  },
  {
    name: 'admin/quarantine-empty',
    isLong: true,
    who: 'admin',
    path: '/admin?tab=quarantine&source=city-cars',
    texts: [],
    also: ['Nothing in quarantine'],
  },
  {
    name: 'admin/quarantine-failed',
    isLong: true,
    who: 'admin',
    path: '/admin?tab=quarantine',
    texts: ['Try Again'],
    also: ['The quarantine could not be loaded'],
    prepare: (page) => failing(page, 'Quarantine', INTERNAL_ERROR),
  },
  {
    name: 'admin/audit',
    who: 'admin',
    path: '/admin?tab=audit',
    texts: [],
    also: ['Audit log', 'Signed in'],
  },
  {
    name: 'admin/audit-loading',
    isLong: true,
    who: 'admin',
    path: '/admin?tab=audit',
    texts: [],
    also: ['Loading the audit log'],
    prepare: (page) => holding(page, 'AuditLog'),
  },
  {
    name: 'admin/audit-failed',
    isLong: true,
    who: 'admin',
    path: '/admin?tab=audit',
    texts: ['Try Again'],
    also: ['The audit log could not be loaded'],
    prepare: (page) => failing(page, 'AuditLog', INTERNAL_ERROR),
  },
];
