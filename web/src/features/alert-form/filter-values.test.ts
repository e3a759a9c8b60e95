import { expect, it } from 'vitest';
import { filterTexts } from '../../lib/text/filter-texts.ts';
import { alertFormDefaults, fromAlert, toAlertPatch, unpricedHint } from './alert-form-values.ts';
import { countFilters, wordsOf } from './filter-values.ts';

it('counts the filters that are set', () => {
  expect(countFilters(alertFormDefaults)).toBe(0);
  const some = { mileageMax: '90000', fuel: 'gas', priceStated: false, excludeWords: ['parts'], belowFairPrice: true };
  expect(countFilters({ ...alertFormDefaults, ...some, models: ['vue'] })).toBe(6);
});

it.each([
  ['parts, As-Is;  one owner,', ['parts', 'as is', 'one owner']],
  ['parts, PARTS', ['parts']],
  [' , ', null],
])('reads the words %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it.each([
  [{ priceStated: false }, null],
  [{ priceStated: true }, 'Choose “Also without a stated price” to include it.'],
  [{ priceStated: true, priceMax: '' }, 'Choose “Also without a stated price” to include it.'],
  [{ belowFairPrice: true, priceMax: '' }, 'since nobody can tell whether it is below the fair price.'],
  [{ belowFairPrice: true, priceStated: false }, 'since nobody can tell whether it is below the fair price.'],
])('says of cars without a price with %j: %s', (values, hint) => {
  expect(unpricedHint({ ...alertFormDefaults, ...values })).toEqual(hint && expect.stringContaining(hint));
});

it('shows the first of several models as the form’s own, and sends back what it was', () => {
  const alert = { ...alertFormDefaults, yearMin: null, yearMax: null, priceMin: null, priceMax: null, radius: 50 };
  const stored = { ...alert, make: 'saturn', model: null, models: ['pontiac/solstice', 'sky', 'vue'] };
  const values = fromAlert({ ...stored, delivery: 'instant', digestHour: 8, maxMailsPerDay: null, mileageMax: null });
  expect(values).toMatchObject({ model: 'sky', models: ['pontiac/solstice', 'vue'] });
  expect(toAlertPatch(values)).toMatchObject({ model: 'sky', models: ['pontiac/solstice', 'vue'], mileageMax: null });
});

it('names the filters in few words', () => {
  const alert = { mileageMax: 90_000, drive: '4wd', titleStatus: 'clean', seller: null, excludeWords: ['as is'] };
  expect(filterTexts({ ...alert, priceStated: false, belowFairPrice: true })).toEqual([
    'Up to 90,000 miles',
    'Four-wheel drive',
    'Clean title',
    'Without “as is”',
    'Also without a stated price',
    'Only below the fair price',
  ]);
  expect(filterTexts({})).toEqual([]);
});
