import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gazetteer } from '../../../lab/gazetteer.ts';
import { readDataFile } from '../../base/data-folder.ts';
import { greatCircleMiles } from './place.ts';
import { placeWords, splitState, stateOf } from './place-names.ts';
import { placeOf, readTable } from './tables/place-tables.ts';

const placesCsv = readDataFile('geo/us-places.csv');
const table = readTable(placesCsv);
const places = Array.from({ length: table.length }, (_, row) => placeOf(table.fields(row), null));

test('the label of a place means the place itself, or a larger one of that name in its state', () => {
  const others = places.filter((place) => {
    const found = gazetteer.resolve(place.label);
    return found?.label !== place.label;
  });
  // Names that people use for something larger: Manhattan, Buckhead, `Western, NY`.
  expect(others.length).toBeLessThanOrEqual(10);
  expect(others.filter(({ population }) => population > 10_000).map(({ label }) => label)).toEqual(['Manhattan, NY']);
  expect(places.filter((place) => gazetteer.resolve(place.label)?.state !== place.state)).toEqual([]);
});

test('a name without a state means the largest place, unless a foreign city is better known', () => {
  fc.assert(
    fc.property(fc.constantFrom(...places), ({ name, population }) => {
      const found = gazetteer.resolve(name);
      if (found && found.name === name) expect(found.population).toBeGreaterThanOrEqual(population);
    }),
    { numRuns: 200 },
  );
});

test('suggestions contain the place that is typed', () => {
  fc.assert(
    fc.property(fc.constantFrom(...places), ({ label }) => {
      const meant = gazetteer.resolve(label)?.label;
      expect(gazetteer.suggest(label, 8).map((place) => place.label)).toContain(meant);
    }),
    { numRuns: 200 },
  );
});

const states = fc.constantFrom('TX', 'texas', 'Calif.', 'New York', 'W Va', 'MO', 'Florida', 'PR');

test('a stated state is never changed', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aeioulnrst '), minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(letters, states, (name, state) => {
      const found = gazetteer.resolve(`${name}, ${state}`);
      const code = stateOf(state.toLowerCase().replaceAll('.', '').split(' '));
      // `Kansas City, MO/KS` has two states; the first holds.
      if (found && name.trim() !== '' && splitState(placeWords(name)).length === 0) expect(found.state).toBe(code);
    }),
    { numRuns: 200 },
  );
});

test('of several places of one name the near one is meant', () => {
  fc.assert(
    fc.property(fc.constantFrom(...places.slice(0, 5000)), (place) => {
      const found = gazetteer.resolve(place.name, place);
      if (found && found.name === place.name)
        expect(greatCircleMiles(found.lat, found.lng, place.lat, place.lng)).toBeLessThan(100);
    }),
    { numRuns: 200 },
  );
});

const words = fc.constantFrom(
  'st',
  'new',
  'york',
  'near',
  '10',
  'miles',
  'of',
  'TX',
  ',',
  '-',
  '/',
  '90210',
  'county',
  'n',
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(words, { maxLength: 40 }).map((list) => list.join(' ')),
  fc.constantFrom('st '.repeat(90), ',,,,', 'a'.repeat(5000), '<'.repeat(100), '9'.repeat(100), 'and/'.repeat(30)),
);

test('any text quickly means a place of the tables or none', () => {
  const started = process.cpuUsage();
  fc.assert(
    fc.property(text, (typed) => {
      const place = gazetteer.resolve(typed, { lat: 40, lng: -75 });
      expect(place === null || (Math.abs(place.lat) <= 90 && Math.abs(place.lng) <= 180)).toBe(true);
      if (place) expect(place.label).toMatch(/^\P{C}+, [A-Z]{2}$/u);
      expect(gazetteer.suggest(typed, 8).length).toBeLessThanOrEqual(8);
    }),
    { numRuns: 200 },
  );
  const { user } = process.cpuUsage(started);
  expect(user / 1000).toBeLessThan(30_000);
}, 120_000);
