import { describe, expect, it } from 'vitest';
import { alertName, alertSummary } from './alert-name.ts';

describe('alertSummary', () => {
  it.each([
    [{ yearMin: 2015, yearMax: 2020 }, 'Toyota Camry, 2015–2020, within 50 mi'],
    [{ yearMin: 2018, yearMax: 2018 }, 'Toyota Camry, 2018, within 50 mi'],
    [{ yearMin: 2015 }, 'Toyota Camry, 2015 or newer, within 50 mi'],
    [{ yearMax: 2020, yearMin: null }, 'Toyota Camry, 2020 or older, within 50 mi'],
    [{ model: null }, 'Toyota, within 50 mi'],
  ])('%j: %s', (criteria, summary) => {
    expect(alertSummary({ make: 'toyota', model: 'camry', radius: 50, ...criteria })).toBe(summary);
  });
  it('spells a make as the catalogue does', () => expect(alertName({ make: 'bmw' })).toBe('BMW'));
});

it.each([
  [{ model: null }, 'Toyota'],
  [{ model: 'camry' }, 'Toyota Camry'],
  [{ model: 'camry', models: ['corolla'] }, 'Toyota Camry or Corolla'],
  [{ models: ['camry', 'honda/civic'] }, 'Toyota Camry or Honda Civic'],
  [{ model: 'camry', models: ['camry', 'corolla', 'honda/civic'] }, 'Toyota Camry and 2 more'],
])('names the cars %o', (cars, name) => {
  expect(alertName({ make: 'toyota', ...cars })).toBe(name);
});
