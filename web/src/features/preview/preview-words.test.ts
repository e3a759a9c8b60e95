import { describe, expect, it } from 'vitest';
import { listedText, messagesText, missingText, periodText, stepsOf } from './preview-words.ts';

const miss = (field: string, from: string | null, to: string | null, more = 4) => ({ field, from, to, more });

describe('the steps', () => {
  it.each([
    [miss('priceMax', '9000', '10000', 9), '9 more if the maximum were $1,000 higher', { priceMax: '10000' }],
    [miss('priceMin', '4000', '3500'), '4 more if the minimum were $500 lower', { priceMin: '3500' }],
    [miss('yearMin', '2014', '2013'), '4 more from 2013 on', { yearMin: '2013' }],
    [miss('yearMax', '2014', '2015'), '4 more up to 2015', { yearMax: '2015' }],
    [miss('radius', '50', '100'), '4 more within 100 miles', { radius: '100' }],
    [miss('model', 'civic', null), '4 more of other models', { model: '' }],
    [miss('models', 'civic, fit', null), '4 more of other models', { model: '', models: null }],
    [miss('color', 'blue', null), '4 more in other colors', { color: 'any' }],
    [miss('onlyWithImages', 'true', 'false'), '4 more without photos', { onlyWithImages: false }],
    [miss('mileageMax', '90000', '100000'), '4 more with up to 100,000 miles', { mileageMax: '100000' }],
    [miss('filters', null, null), '4 more without the further filters', { fuel: '', seller: '', excludeWords: null }],
    [miss('noPrice', null, null, 6), '6 state no price: include them', { priceStated: false }],
    [miss('noPrice', null, null, 1), '1 states no price: include it', { priceStated: false }],
    [miss('radius', '50', '100', 1200), '1,000+ more within 100 miles', { radius: '100' }],
  ])('%j', (nearMiss, text, changes) => {
    expect(stepsOf([nearMiss])).toMatchObject([{ text, changes }]);
  });

  it('leave out fields that the form does not know', () => {
    expect(stepsOf([miss('newer', '1', '2')])).toEqual([]);
  });
});

const mails = {
  emailNotifications: true,
  textNotifications: false,
  pushNotifications: false,
  delivery: 'instant',
  maxMailsPerDay: '',
};

it.each([
  [2.6, 30, {}, 'About 3 mails a week.'],
  [1, 30, {}, 'About 1 mail a week.'],
  [0.4, 30, {}, 'Less than one mail a week.'],
  [2000, 30, {}, 'About 2,000 mails a week.'],
  [2.6, 6, {}, 'That is too short to say what a week brings.'],
  [12, 30, { delivery: 'daily' }, 'About 12 matches a week, in no more than 1 mail a day.'],
  [5, 30, { delivery: 'daily' }, 'About 5 mails a week.'],
  [80, 30, { maxMailsPerDay: '5' }, 'About 80 matches a week, in no more than 5 mails a day.'],
  [80, 30, { maxMailsPerDay: '5', emailNotifications: false, pushNotifications: true }, 'About 80 messages a week.'],
  [2.6, 30, { emailNotifications: false }, 'About 3 matches a week; all notifications are off.'],
])('%d matches a week over %d days with %j', (perWeek, days, change, text) => {
  expect(messagesText({ perWeek, days }, { ...mails, ...change })).toBe(text);
});

it('says over which time was counted', () => {
  expect([1, 2, 29, 30].map(periodText)).toEqual([
    'since LotWatch began to watch today',
    'in the 2 days that LotWatch has watched',
    'in the 29 days that LotWatch has watched',
    'in the last 30 days',
  ]);
});

it('says how far the list of the alert goes back, where more days were counted', () => {
  const counted = { days: 30, matchCount: 3 };
  expect(listedText(counted, false)).toBe('Once saved, the alert shows those of the last 14 days.');
  expect(listedText(counted, true)).toBe('The list of the alert began with those of the 14 days before it was saved.');
  expect(listedText({ ...counted, days: 14 }, false)).toBe('');
  expect(listedText({ ...counted, matchCount: 0 }, false)).toBe('');
});

it('names what has to be filled in first', () => {
  expect(missingText(['location'])).toMatch(/^Choose a place, and/);
  expect(missingText(['make', 'location', 'radius'])).toMatch(/^Choose a make, a place and a distance, and/);
});
