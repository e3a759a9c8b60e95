import type { Page } from 'playwright-core';
import { answering, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

const sampleOf = (id: string, title: string, price: number | null, priceBand: object | null) => ({
  __typename: 'Listing',
  id,
  title,
  price,
  color: 'silver',
  photos: [],
  priceBand,
});

/** What the server says of an alert, with the longest that it may say. */
export const preview = {
  __typename: 'AlertPreview',
  matchCount: 1234,
  perWeek: 287.9,
  days: 30,
  place: 'Reno, NV',
  sampleDistances: [3.4, 27, 49],
  samples: [
    sampleOf('1', '2016 Honda Civic EX-L with everything', 8900, {
      __typename: 'PriceBand',
      low: 8800,
      middle: 10_400,
      high: 12_300,
      n: 412,
      rating: 'good',
      reason: null,
    }),
    sampleOf('2', '2014 Honda Civic', 7400, null),
    sampleOf('3', '2015 Honda Civic LX', null, null),
  ],
  nearMisses: [
    { __typename: 'NearMiss', field: 'radius', from: '50', to: '100', more: 1250 },
    { __typename: 'NearMiss', field: 'priceMax', from: '9000', to: '10000', more: 9 },
    { __typename: 'NearMiss', field: 'noPrice', from: null, to: null, more: 6 },
    { __typename: 'NearMiss', field: 'yearMin', from: '2014', to: '2013', more: 4 },
  ],
};

const fillCar = async (page: Page) => {
  await page.locator('[name=make]').selectOption('honda');
  await page.locator('[name=location]').fill('Reno, NV');
};

const previewState = (name: string, also: State['also'], answer: object): State => ({
  name: `create-alert/preview${name}`,
  who: 'user',
  path: '/create-alert',
  texts: [],
  also,
  prepare: (page) => answering(page, 'PreviewAlert', { previewAlert: { ...preview, ...answer } }),
  act: fillCar,
});

/** What the form says of the alert before it is saved. */
export const previewStates: readonly State[] = [
  previewState(
    '',
    [
      'What this alert would bring',
      '1,000+ matches',
      'in the last 30 days',
      /^About 288 mails a week\. Counted from Reno, NV/,
      'Good price',
      '1,000+ more within 100 miles',
      '9 more if the maximum were $1,000 higher',
      '6 state no price: include them',
    ],
    {},
  ),
  previewState('-of-few-days', ['in the 3 days that LotWatch has watched', /^That is too short to say/], { days: 3 }),
  previewState('-of-nothing', ['No match', /^The alert watches on/], {
    matchCount: 0,
    perWeek: 0,
    samples: [],
    sampleDistances: [],
    nearMisses: preview.nearMisses.slice(0, 1),
  }),
  {
    name: 'create-alert/preview-loading',
    who: 'user',
    path: '/create-alert',
    texts: [],
    also: ['Counting matches'],
    prepare: (page) => holding(page, 'PreviewAlert'),
    act: fillCar,
  },
  {
    name: 'create-alert/preview-failed',
    who: 'user',
    path: '/create-alert',
    texts: ['Try Again'],
    also: [/^The matches could not be counted\. Something went wrong/],
    prepare: (page) => failing(page, 'PreviewAlert', INTERNAL_ERROR),
    act: fillCar,
  },
  {
    name: 'create-alert/preview-too-often',
    who: 'user',
    path: '/create-alert',
    texts: [],
    also: [/^LotWatch has counted very often for you in the last minute\./],
    prepare: (page) => failing(page, 'PreviewAlert', { message: 'Too many tries.', code: 'RATE_LIMITED' }),
    act: fillCar,
  },
  {
    name: 'create-alert/step-taken',
    who: 'user',
    path: '/create-alert',
    texts: [],
    also: ['It is within 100 miles now.', 'Undo'],
    prepare: (page) => answering(page, 'PreviewAlert', { previewAlert: preview }),
    async act(page) {
      await fillCar(page);
      await page.getByRole('button', { name: '1,000+ more within 100 miles' }).click();
    },
  },
];

const openDisclosure = (page: Page, at: number) => page.locator('main summary').nth(at).click();

const askWhy = async (page: Page) => {
  await openDisclosure(page, 1);
  await page.locator('[name=listing]').fill('2016 Honda S2000');
  await page.locator('[name=listing]').press('Enter');
};

const explained = {
  __typename: 'Explanation',
  outcome: 'does_not_fit',
  message: 'It does not fit this alert.',
  listing: {
    __typename: 'ExplainedListing',
    id: '7',
    title: '2008 Honda S2000 CR with a hardtop that has never been in the rain',
    price: 61_000,
    place: 'Fort Lauderdale, FL',
    status: 'for_sale',
  },
  verdicts: [
    ['make', 'met', 'Honda', 'Honda'],
    ['model', 'met', 'S2000', 'S2000'],
    ['year', 'met', null, '2008'],
    ['price', 'not_met', 'up to $50,000', '$61,000'],
    ['color', 'not_stated', null, null],
    ['image', 'not_met', 'With a photo', null],
    ['distance', 'met', 'Within 50 miles', '24.7 miles'],
  ].map(([criterion, verdict, asked, found]) => ({ __typename: 'Verdict', criterion, verdict, asked, found })),
  choices: [] as object[],
};

const whyState = (name: string, also: State['also'], answer: object): State => ({
  name: `alert/why-not${name}`,
  who: 'user',
  path: (fixtures) => `/alert/${fixtures.alerts.s2000}`,
  texts: [],
  also,
  prepare: (page) => answering(page, 'ExplainListing', { explainListing: { ...explained, ...answer } }),
  act: askWhy,
});

/** What an alert's page says of a missing car, and of what would bring more. */
export const explanationStates: readonly State[] = [
  whyState('', ['It does not fit this alert.', 'This car', 'Your alert', '$61,000', 'up to $50,000'], {}),
  whyState('-never-seen', [/^We have never seen this listing/], {
    outcome: 'never_seen',
    message: 'We have never seen this listing, or not in the last 90 days.',
    listing: null,
    verdicts: [],
  }),
  whyState('-several', ['Several cars fit what you entered. Choose one.', '$61,000 · Fort Lauderdale, FL'], {
    outcome: 'several',
    message: 'Several cars fit what you entered. Choose one.',
    listing: null,
    verdicts: [],
    choices: [
      { ...explained.listing, id: '8' },
      { ...explained.listing, id: '9', price: null, status: 'sold' },
    ],
  }),
  {
    name: 'alert/why-not-failed',
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.s2000}`,
    texts: [],
    also: [INTERNAL_ERROR.message],
    prepare: (page) => failing(page, 'ExplainListing', INTERNAL_ERROR),
    act: askWhy,
  },
  {
    name: 'alert/what-would-change',
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.s2000}`,
    texts: [],
    also: ['1,000+ matches', '9 more if the maximum were $1,000 higher'],
    prepare: (page) => answering(page, 'PreviewAlert', { previewAlert: preview }),
    act: (page) => openDisclosure(page, 0),
  },
  {
    name: 'alert/what-would-change-failed',
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.s2000}`,
    texts: ['Try Again'],
    also: [/^The matches could not be counted/],
    prepare: (page) => failing(page, 'PreviewAlert', INTERNAL_ERROR),
    act: (page) => openDisclosure(page, 0),
  },
  {
    name: 'share-target/listing',
    who: 'user',
    path: '/share-target?title=A%20car&text=See%20https%3A%2F%2Fmarket.example%2Fitem%2F7',
    texts: [],
    also: [
      'A car you shared',
      'https://market.example/item/7',
      'Why didn’t this fire?',
      'In which alert did you expect it?',
      'Watch for cars like it',
    ],
  },
  {
    name: 'share-target/nothing',
    who: 'empty',
    path: '/share-target',
    isLong: true,
    texts: [],
    also: ['Nothing was shared'],
  },
  {
    name: 'share-target/alerts-failed',
    who: 'user',
    path: '/share-target?text=blue%20civic',
    isLong: true,
    texts: ['Try Again'],
    also: ['Your alerts could not be loaded', INTERNAL_ERROR.message],
    prepare: (page) => failing(page, 'MyAlerts', INTERNAL_ERROR),
  },
];
