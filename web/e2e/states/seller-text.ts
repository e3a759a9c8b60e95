import type { Page } from 'playwright-core';
import { answering, failing, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const read = (fact: string, value: string, from: string, words: string | null) => ({
  __typename: 'FactRead',
  fact,
  value,
  from,
  words,
});

const sellerText = {
  __typename: 'SellerText',
  description:
    'Selling my Supra, as I moved and have no place for it.\n\nRebuilt title in hand: it was hit in the rear three years ago and repaired by a body shop; I have the photos and every receipt. 41k miles, six speed manual, new tires.\n\nCall or text after six. https://pictures.example/of-the-car-before-and-after-the-repair-in-full-size',
  factsRead: [
    read('titleStatus', 'Rebuilt title', 'description', 'Rebuilt title in hand'),
    read('mileage', '41,000 miles', 'description', '41k miles'),
    read('trim', '3.0 Premium', 'title', '3.0 Premium'),
    read('transmission', 'Manual', 'field', null),
    read('color', 'Gray', 'field', null),
  ],
};

const open = (page: Page) =>
  page.getByRole('article').first().locator('summary', { hasText: 'What the seller wrote' }).click();

const state = {
  who: 'user',
  path: ({ alerts }: Fixtures) => `/alert/${alerts.supra}`,
  texts: [],
  sizes: ['phone', 'desktop'],
  act: open,
} as const;

export const sellerTextStates: readonly State[] = [
  {
    ...state,
    name: 'seller-text/filled',
    also: [/^Selling my Supra/, 'Rebuilt title', 'Stated in fields of the listing: Manual, Gray'],
    prepare: (page) => answering(page, 'SellerText', { sellerText }),
  },
  {
    ...state,
    name: 'seller-text/nothing',
    sizes: ['phone'],
    also: ['The seller wrote nothing beside the title.'],
    prepare: (page) =>
      answering(page, 'SellerText', { sellerText: { ...sellerText, description: null, factsRead: [] } }),
  },
  {
    ...state,
    name: 'seller-text/failed',
    sizes: ['phone'],
    also: [/^What the seller wrote could not be loaded\./, 'Try again'],
    prepare: (page) => failing(page, ['SellerText'], INTERNAL_ERROR),
  },
];
