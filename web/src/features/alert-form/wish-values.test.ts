import { expect, test } from 'vitest';
import { alertFormDefaults } from './alert-form-values.ts';
import { undoneChanges, wishChanges } from './wish-values.ts';

const nothing = {
  make: null,
  model: null,
  yearMin: null,
  yearMax: null,
  priceMin: null,
  priceMax: null,
  location: null,
  radius: null,
  color: null,
  onlyWithImages: null,
  mileageMax: null,
  models: null,
  transmission: null,
  fuel: null,
  drive: null,
  body: null,
  titleStatus: null,
  excludeWords: null,
  requireWords: null,
  priceStated: null,
  belowFairPrice: null,
};
const civic = { ...alertFormDefaults, make: 'honda', model: 'civic' };

test('a wish changes the fields that it names, in the form that the fields hold', () => {
  const input = { ...nothing, make: 'toyota', model: 'corolla', yearMin: 2014, radius: 100, onlyWithImages: false };
  expect(wishChanges(input, civic)).toEqual({
    make: 'toyota',
    model: 'corolla',
    yearMin: '2014',
    radius: '100',
    onlyWithImages: false,
  });
});

test('a make without a model clears the model', () => {
  expect(wishChanges({ ...nothing, make: 'kia' }, civic)).toEqual({ make: 'kia', model: '' });
  expect(wishChanges({ ...nothing, color: 'blue' }, civic)).toEqual({ color: 'blue' });
});

test('a lowest price above the highest one of the form clears that one', () => {
  expect(wishChanges({ ...nothing, priceMin: 60_000 }, civic)).toEqual({ priceMin: '60000', priceMax: '' });
});

test('a wish that says what the form has changes nothing', () => {
  expect(wishChanges({ ...nothing, make: 'honda', model: 'civic', radius: 50 }, civic)).toEqual({});
});

test('an undo brings back what the wish replaced, and keeps what was changed by hand since', () => {
  const changes = wishChanges({ ...nothing, color: 'blue', priceMax: 9000 }, civic);
  const after = { ...civic, ...changes, color: 'red', location: 'Reno' };
  expect(undoneChanges(changes, civic, after)).toEqual({ priceMax: '50000' });
});

test('of several models the first is the form’s car, and the others stand beside it', () => {
  const models = ['honda/civic', 'toyota/corolla', 'honda/accord'];
  const before = { ...civic, models: ['pilot'] };
  expect(wishChanges({ ...nothing, models }, before)).toEqual({ models: ['toyota/corolla', 'accord'] });
  expect(wishChanges({ ...nothing, make: 'toyota', models: ['camry', 'corolla'] }, civic)).toEqual({
    make: 'toyota',
    model: 'camry',
    models: ['corolla'],
  });
  expect(wishChanges({ ...nothing, make: 'toyota' }, before)).toEqual({ make: 'toyota', model: '', models: null });
});

test('filters are filled as the form holds them, and an undone wish brings back what was there', () => {
  const input = { ...nothing, mileageMax: 90_000, titleStatus: 'clean', excludeWords: ['as is'], belowFairPrice: true };
  const changes = wishChanges(input, civic);
  expect(changes).toEqual({ mileageMax: '90000', titleStatus: 'clean', excludeWords: ['as is'], belowFairPrice: true });
  const filled = { ...civic, ...changes, excludeWords: ['as is'] };
  expect(wishChanges(input, filled)).toEqual({});
  expect(undoneChanges(changes, civic, filled)).toEqual({
    mileageMax: '',
    titleStatus: '',
    excludeWords: null,
    belowFairPrice: false,
  });
});
