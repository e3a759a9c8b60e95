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
