import { expect, it } from 'vitest';
import { rangeCrossed } from '../domain/forms/alert.ts';
import { readAlertFields } from './alert-input.ts';

const now = new Date('2025-06-01T00:00:00Z');
const { fields: ordinary } = readAlertFields({ make: 'toyota', location: 'Reno, NV', radius: 50 }, null, now);
/** Stored when other rules held. */
const outdated = { ...ordinary, make: 'unknown', location: '', radius: 30, yearMax: 2027, priceMax: 20_000_000 };

it('lets the owner of an alert change it although what stays is no longer accepted', () => {
  const { fields, faults } = readAlertFields({ emailNotifications: false }, outdated, now);
  expect(faults).toEqual({});
  expect(fields).toEqual({ ...outdated, emailNotifications: false });
});

it('refuses what is given as for a new alert', () => {
  const { faults } = readAlertFields({ radius: 30, yearMax: 2027, location: '' }, outdated, now);
  expect(Object.keys(faults).sort()).toEqual(['location', 'radius', 'yearMax']);
});

it('refuses both ends of a range that a given end crosses', () => {
  const { faults } = readAlertFields({ yearMin: 2020 }, { ...ordinary, yearMax: 2010 }, now);
  expect(faults).toEqual({ yearMin: rangeCrossed, yearMax: rangeCrossed });
});

const models = (input: object, before: Parameters<typeof readAlertFields>[1] = null) => {
  const whole = before ? input : { make: 'toyota', location: 'Reno, NV', radius: 50, ...input };
  const { fields, faults } = readAlertFields(whole, before, now);
  return faults.models ?? fields.models;
};

it('stores models once each, and with their make where it is another one', () => {
  expect(models({ models: ['camry', 'toyota/camry', 'honda/civic', 'corolla'] })).toEqual([
    'camry',
    'honda/civic',
    'corolla',
  ]);
  expect(models({ models: [] })).toBeNull();
  expect(models({ model: 'camry', models: ['honda/civic'] })).toEqual(['honda/civic']);
});

it.each([
  [['civic'], 'Please choose models from the list'],
  [['toyota/'], 'Please choose models from the list'],
  [[''], 'Please choose models from the list'],
  [[{}], 'Please choose models from the list'],
  ['camry', 'Please choose models from the list'],
  [['honda/civic'], 'Please choose at least one model of this make'],
  [Array.from({ length: 11 }, () => 'camry'), 'Please choose at most 10 models'],
])('refuses the models %j', (given, message) => {
  expect(models({ models: given })).toBe(message);
});

it('clears models with their make, and refuses to leave none of it', () => {
  const before = { ...ordinary, model: 'camry', models: ['honda/civic'] };
  expect(models({ make: 'honda' }, before)).toBeNull();
  expect(models({ radius: 25 }, before)).toEqual(['honda/civic']);
  expect(models({ model: null }, before)).toBe('Please choose at least one model of this make');
});

it('stores words in lower case without what separates them, and refuses what is none', () => {
  const read = (excludeWords: unknown) =>
    readAlertFields({ make: 'toyota', location: 'Reno, NV', radius: 50, excludeWords }, null, now);
  expect(read(['As-Is!', ' as  is ', 'Señor\0']).fields.excludeWords).toEqual(['as is', 'señor']);
  expect(read([]).fields.excludeWords).toBeNull();
  expect(read(['…']).faults.excludeWords).toBe('Please enter words, each of letters or digits');
  expect(read([null]).faults.excludeWords).toBe('Please enter words, each of letters or digits');
  expect(read(['x'.repeat(41)]).faults.excludeWords).toBe('Please enter words of at most 40 characters');
  expect(read(Array.from({ length: 11 }, (_, n) => `w${n}`)).faults.excludeWords).toBe('Please enter at most 10 words');
  expect(read('salvage').faults.excludeWords).toBeDefined();
});
