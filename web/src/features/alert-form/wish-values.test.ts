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
