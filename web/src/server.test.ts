import type { FirstAnswer } from '@lotwatch/api/first-answer';
import { expect, it } from 'vitest';
import { draw } from './server.tsx';

const down = () => Promise.reject(new Error('the database is down'));
const at = '2026-11-25T17:00:00.000Z';

/** What the dashboard asks for first, as the server answers a user whose texts all have `mark` in them. */
function answersOf(mark: string, newCount: number, timeZone: string): FirstAnswer[] {
  const answer = (name: string, data: FirstAnswer['data']): FirstAnswer => ({ name, variables: {}, data });
  const alert = { __typename: 'Alert', id: `1${newCount}` };
  const alertDefaults = {
    __typename: 'AlertDefaults',
    emailNotifications: true,
    textNotifications: false,
    pushNotifications: false,
    delivery: 'instant',
    digestHour: 8,
    quietHours: null,
    maxMailsPerDay: null,
    priceDrops: true,
  };
  const subscription = { __typename: 'CurrentSubscription', planId: '1', planName: `Plan ${mark}`, status: 'active' };
  const me = {
    __typename: 'User',
    id: `2${newCount}`,
    username: `name-${mark}`,
    email: `${mark}@example.com`,
    pendingEmail: null,
    phone: null,
    emailConfirmed: true,
    phoneConfirmed: false,
    timeZone,
    messagesPaused: false,
    alertDefaults,
    emailSuppression: null,
    mustChangePassword: false,
    restrictedTo: null,
    secondFactor: null,
    subscription: { ...subscription, graceEndsAt: null, alertsToResume: 0 },
  };
  const listing = {
    __typename: 'Listing',
    id: `3${newCount}`,
    title: `2016 Car of ${mark}`,
    price: 12_111,
    photos: [`/photos/3-${mark}/0`],
    ...{ trim: null, mileage: 9, transmission: null, fuel: null, drive: null, body: null, titleStatus: null },
    ...{ color: null, condition: null, location: null, distance: 8.7, year: 2016, make: 'toyota', model: 'camry' },
    ...{ isNew: true, viewed: false, saved: false, note: `note of ${mark}`, status: 'for_sale', createdAt: at },
    marketplaceUrl: `https://market.example/${mark}`,
    alertIds: [alert.id],
    carId: `3${newCount}`,
    ...{ priceHistory: [], priceBand: null, daysOnMarket: 0, relists: 0, cautions: [], offers: [] },
  };
  return [
    answer('LiveStart', {
      matches: { __typename: 'MatchPage', liveCursor: `cursor-${mark}` },
      me: { __typename: 'User', id: me.id, newCount },
    }),
    answer('Viewer', { me }),
    answer('Site', {
      site: {
        __typename: 'Site',
        ...{ testMode: false, confirmEmail: false, supportEmail: 'a@b.example', carsSeenLastHour: 3 },
        ...{ lastCheckedAt: at, lateSources: 0, medianSecondsToMail: 2, checkEverySeconds: 60 },
      },
    }),
    answer('AlertQuota', {
      canCreateAlert: {
        __typename: 'CanCreateAlert',
        ...{
          canCreateAlert: false,
          needsUpgrade: false,
          alertsUsed: newCount,
          alertLimit: newCount,
          alertsToResume: 0,
        },
      },
    }),
    answer('UnreadNotifications', { me: { __typename: 'User', id: me.id, unreadNotifications: newCount } }),
    answer('Catalogue', {
      catalogue: { __typename: 'Catalogue', makes: [], years: [], distances: [], colors: [] },
    }),
    answer('MyAlerts', {
      alerts: [
        {
          ...alert,
          ...{ make: 'toyota', model: 'camry', models: null, yearMin: null, yearMax: null, radius: 50 },
          ...{ location: mark, place: `Place of ${mark}`, priceMin: null, priceMax: 9, isActive: true },
          ...{ pausedByPlan: false, createdAt: at, expiresAt: at, daysRemaining: 42, matchCount: 3, newCount: 1 },
          snoozedUntil: null,
        },
      ],
    }),
    answer('RecentListings', {
      matches: {
        __typename: 'MatchPage',
        nodes: [{ __typename: 'Match', matchedAt: at, alert, listing }],
        endCursor: `end-${mark}`,
        hasMore: false,
      },
    }),
  ];
}

const dashboardOf = (answers: FirstAnswer[], execute = down) =>
  draw({ path: '/dashboard', publicUrl: 'https://lot.example', execute, answers });
const visitors = (path: string) =>
  draw({ path, publicUrl: 'https://lot.example', execute: () => Promise.resolve({ me: null, site: null }) });

const adaAnswers = () => answersOf('zuzana', 711, 'Asia/Tokyo');
const bobAnswers = () => answersOf('bohumil', 23, 'America/New_York');
const ofAda = /zuzana|711|Tokyo|32400000/;

it('draws no page of which an answer is missing, as it would be kept for everybody', async () => {
  await expect(draw({ path: '/contact', publicUrl: 'https://lot.example', execute: down })).rejects.toThrow('is down');
});

it('draws the page of a user with what was asked first, and sends along what drawing did not need', async () => {
  const { html, title, data } = await dashboardOf(adaAnswers());
  expect(title).toBe('Dashboard');
  for (const text of ['name-zuzana', '2016 Car of zuzana', 'Place of zuzana', '711', 'Notifications, 99+ unread'])
    expect(html).toContain(text);
  expect(
    html.match(/<img [^>]*loading="eager"[^>]*fetchPriority="high"[^>]*srcSet="\/photos\/3-zuzana/gi),
  ).toHaveLength(1);
  expect(html.match(/ style="/g)).toBeNull();
  const { answers, drawn } = JSON.parse(data);
  expect(answers.map(({ name }: FirstAnswer) => name)).toEqual(['LiveStart']);
  expect(drawn.offsetMs).toBe(9 * 3_600_000);
});

it('keeps nothing of a user for the pages after theirs', async () => {
  const ada = await dashboardOf(adaAnswers());
  expect(JSON.stringify(ada)).toMatch(ofAda);
  const bob = await dashboardOf(bobAnswers());
  expect(bob.html).toContain('name-bohumil');
  expect(JSON.stringify(bob)).not.toMatch(ofAda);
  const visitor = await visitors('/terms');
  expect(visitor.html).toContain('Sign In');
  for (const page of [visitor, await visitors('/contact')]) {
    expect(JSON.stringify(page)).not.toMatch(ofAda);
    expect(JSON.stringify(page)).not.toMatch(/bohumil|offsetMs|cursor-/);
  }
});

it('keeps nothing of a user whose page fails', async () => {
  const answers = adaAnswers().filter(({ name }) => name !== 'RecentListings');
  await expect(dashboardOf(answers)).rejects.toThrow('is down');
  expect(JSON.stringify(await dashboardOf(bobAnswers()))).not.toMatch(ofAda);
  await expect(dashboardOf(answers.filter(({ name }) => name !== 'LiveStart'))).rejects.toThrow('nobody');
  expect(JSON.stringify(await visitors('/terms'))).not.toMatch(ofAda);
});

it('draws no page while it draws another', async () => {
  const ada = dashboardOf(adaAnswers());
  await expect(dashboardOf(bobAnswers())).rejects.toThrow('another page');
  await expect(visitors('/terms')).rejects.toThrow('another page');
  const page = JSON.stringify(await ada);
  expect(page).toMatch(/name-zuzana/);
  expect(page).not.toMatch(/bohumil/);
  expect(JSON.stringify(await dashboardOf(bobAnswers()))).not.toMatch(ofAda);
});
