import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMake, isModelOf, makes, modelsOf } from '../catalogue.ts';
import { cleanTitle } from './title-words.ts';
import { parseTitle, readTitle } from './vehicle-title.ts';

const now = new Date('2026-06-01T00:00:00Z');
const LONG = 100_000;
/** Far above what a title takes, and far below what catastrophic backtracking takes. */
const GENEROUS_MS = 5_000;

/** Words of the catalogue and of sellers, which together reach every rule. */
const ownWords = [
  ...makes.flatMap(({ value, label }) => [label, ...modelsOf(value).map((model) => model.label)]),
  ...['2018', "'05", '05', '1999', '1500', '2500hd', '$2000', '77.000', 'miles', 'for', 'wheels', 'engine', 'parts'],
  ...[
    'wanted',
    'sedan 4d',
    'is',
    'ram',
    'mini',
    '-',
    '(',
    ')',
    '·',
    ',',
    '/',
    '’',
    '<b>',
    '&amp;',
    '\u0000',
    'é',
    '🔥',
  ],
];

const hostile = [
  ...['a', '1', ' ', '(', '<', '&', "'", '.', '-', '$', '\u0000', '\ufffd', '\u0301', '\ud800', '\udc00', '\u200d'],
  ...[
    '1 ',
    "' ",
    '1.',
    '1,',
    '2018 ',
    '05 ',
    '((',
    '<b',
    '&#39;',
    'f 1 5 0 ',
    'é',
    'ﷺ',
    '℡',
    '㎞',
    '𝟐',
    '👩‍👩‍👧‍👦',
    'x\u0323\u0307',
  ],
  ...['ford ', 'honda civic ', 'bmw', 'wheels for ', 'mini cooper s ', 'ram 1500 2500 ', 'is IS ', 'mercedes benz c c'],
  ...['toyoat ', 'chevrolte silverdao ', 'abcdefgh ', 'aaaaaaaaab ', '2015 to 2018 - ', 'chrysler town & country '],
];

function answers(text: string): void {
  const { year, make, model, isCar } = parseTitle(text, now);
  expect(year === null || (Number.isInteger(year) && year >= 1900 && year <= 2027)).toBe(true);
  expect(make === null ? model === null && !isCar : isMake(make)).toBe(true);
  expect(model === null || isModelOf(make ?? '', model)).toBe(true);
  const shown = cleanTitle(text);
  expect(shown.length).toBeLessThanOrEqual(500);
  expect(shown.isWellFormed()).toBe(true);
}

test('any text is read as slugs of the catalogue or null', () => {
  const graphemes = fc.string({ unit: 'grapheme', maxLength: 600 });
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 600 });
  const text = fc.oneof(
    graphemes,
    fc.string({ unit: 'binary', maxLength: 600 }),
    // Lone halves of surrogate pairs, as broken encoders leave them.
    units.map((codes) => String.fromCharCode(...codes)),
  );
  fc.assert(fc.property(text, answers), { numRuns: 400 });
});

test('any mix of words of the catalogue is read', () => {
  const glue = fc.constantFrom(' ', ' ', ' ', '', '-', ', ', ' / ', ' · ', '  ', '\n');
  const text = fc
    .array(fc.tuple(fc.constantFrom(...ownWords), glue), { maxLength: 80 })
    .map((pairs) => pairs.flat().join(''));
  fc.assert(fc.property(text, answers), { numRuns: 400 });
});

test.each(hostile)('a hundred thousand characters of %j are read quickly', (part) => {
  for (const text of [part.repeat(Math.ceil(LONG / part.length)), `2018 Honda ${part.repeat(LONG / 10)} Civic`]) {
    const started = performance.now();
    answers(text);
    expect(performance.now() - started).toBeLessThan(GENEROUS_MS);
  }
});

test('a mix of hostile parts is read quickly', () => {
  const text = fc
    .array(fc.tuple(fc.constantFrom(...hostile, ...ownWords), fc.integer({ min: 1, max: 60 })), { maxLength: 40 })
    .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''));
  const started = performance.now();
  fc.assert(fc.property(text, answers), { numRuns: 300 });
  expect(performance.now() - started).toBeLessThan(30 * GENEROUS_MS);
});

test('the result does not depend on what was read before', () => {
  const text = fc.array(fc.constantFrom(...ownWords), { maxLength: 12 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const first = readTitle(one, now);
      readTitle(other, now);
      expect(readTitle(one, now)).toEqual(first);
    }),
    { numRuns: 200 },
  );
});

test('cleaning a title twice is like cleaning it once', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 700 }), fc.string({ unit: 'binary' })), (raw) => {
      // Decoding an entity may make another one, so they are left out.
      const once = cleanTitle(raw.replaceAll('&', ' '));
      expect(cleanTitle(once)).toBe(once);
    }),
    { numRuns: 300 },
  );
});
