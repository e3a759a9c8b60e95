import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gazetteer } from '../../../lab/gazetteer.ts';
import { readWish } from './wish.ts';
import type { WishFields } from './wish-fields.ts';

/*
 * Two tables of 100 sentences each, with what they ask for: `blind.json` was written before the reader, by somebody who did
 * not write it; `own.json` by its author, also before it. Both are made up. A location is right if it stands for the same
 * place and states the state as often as the sentence does. What is not understood is compared by its words.
 */
interface Row {
  text: string;
  input: WishFields;
  notUnderstood: string[];
}

const now = new Date('2026-11-25T12:00:00Z');
const rowsOf = (name: string): Row[] =>
  JSON.parse(readFileSync(new URL(`../../../test/fixtures/wishes/${name}.json`, import.meta.url), 'utf8'));

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
const hasState = (location: string) => /, [A-Z]{2}\b/.test(location);

function isRight(field: string, asked: unknown, read: unknown): boolean {
  if (field === 'location' && typeof asked === 'string' && typeof read === 'string') {
    return gazetteer.resolve(asked)?.label === gazetteer.resolve(read)?.label && hasState(asked) === hasState(read);
  }
  const sorted = (value: unknown) => (Array.isArray(value) ? value.map((item) => plain(String(item))).sort() : value);
  return JSON.stringify(sorted(asked)) === JSON.stringify(sorted(read));
}

function scoreOf(rows: readonly Row[]) {
  const wrong: string[] = [];
  const invented: string[] = [];
  const unsaid: string[] = [];
  let asked = 0;
  for (const { text, input, notUnderstood } of rows) {
    const wish = readWish(text, { gazetteer, now });
    const read = new Map<string, unknown>(Object.entries(wish.fields));
    for (const [field, value] of Object.entries(input)) {
      asked++;
      if (!isRight(field, value, read.get(field)))
        wrong.push(`${text}: ${field} is ${JSON.stringify(read.get(field))}`);
      read.delete(field);
    }
    for (const [field, value] of read) invented.push(`${text}: ${field} is ${JSON.stringify(value)}`);
    const said = ` ${plain(wish.notUnderstood.map((part) => part.text).join(' '))} `;
    for (const phrase of notUnderstood) {
      if (
        !plain(phrase)
          .split(' ')
          .some((word) => said.includes(` ${word} `))
      )
        unsaid.push(`${text}: ${phrase}`);
    }
  }
  return { asked, wrong, invented, unsaid };
}

describe.each(['own', 'blind'])('the table %s', (name) => {
  const rows = rowsOf(name);
  const { asked, wrong, invented, unsaid } = scoreOf(rows);

  test('has 100 sentences', () => expect(rows).toHaveLength(100));
  test('at least 98 % of the fields are right', () => {
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(asked * 0.02);
  });
  test('no field is invented that a sentence does not ask for', () => {
    expect(invented).toEqual([]);
  });
  test('nearly all that is not understood is said', () => {
    expect(unsaid.length, unsaid.join('\n')).toBeLessThanOrEqual(2);
  });
});

const refusedIn = (text: string) => readWish(text, { gazetteer, now }).notUnderstood;

test.each([
  ['camry 12k', '12k', 'unclear'],
  ['accord 9000', '9000', 'unclear'],
  ['corvette around 30k', 'around 30k', 'vague'],
  ['kia soul, not red', 'not red', 'unwanted'],
  ['honda or toyota', 'honda', 'one make'],
  ['blue or black civic', 'blue or black', 'one color'],
  ['civic within 200 miles of Reno', 'within 200 miles', 'too far'],
  ['camry under $9k, max $8,000', 'max $8,000', 'second value'],
  ['camry over $9,000, under $5,000', 'under $5,000', 'second value'],
  ['civic with about 90k miles', 'about 90k miles', 'vague'],
  ['civic with heated seats', 'heated seats', 'unread'],
  ['model y in the Bay Area', 'in the Bay Area', 'region'],
  ['within 25 miles of Orange County', 'of Orange County', 'region'],
  ['tacoma in southern California', 'in southern California', 'region'],
  ['norcal tacoma', 'norcal', 'region'],
  ['https://sfbay.craigslist.org/search/cta?query=civic', 'sfbay', 'region'],
])('%j: %j is said to be %s', (text, words, reason) => {
  expect(refusedIn(text)).toContainEqual({ text: words, reason });
});

/** What the rules make of words that stand beside each other. */
test.each<[string, WishFields]>([
  [
    'under $12,000 - Honda HR-V - under 80,000 miles - 2016+',
    { make: 'honda', models: ['hr-v'], priceMax: 12_000, mileageMax: 80_000, yearMin: 2016 },
  ],
  [
    'rav4 2019 to 2021 up to $26k up to 60,000 miles',
    { make: 'toyota', models: ['rav4'], yearMin: 2019, yearMax: 2021, priceMax: 26_000, mileageMax: 60_000 },
  ],
  ['less than 70k miles and under 22k', { mileageMax: 70_000, priceMax: 22_000 }],
  [
    'corolla 2009-2013 mileage under one hundred thousand',
    { make: 'toyota', models: ['corolla'], yearMin: 2009, yearMax: 2013, mileageMax: 100_000 },
  ],
  ['Tucson near Tucson', { make: 'hyundai', models: ['tucson'], location: 'Tucson' }],
  [
    'dodge caravan stow n go within 25 miles of 48201',
    { make: 'dodge', models: ['caravan'], radius: 25, location: '48201' },
  ],
  ['a car that can fit five', {}],
  ['07 tundra', { make: 'toyota', models: ['tundra'], yearMin: 2007, yearMax: 2007 }],
  ['wrx with a stock engine', { make: 'subaru', models: ['wrx'] }],
  ['sedan or wagon', {}],
  ['camry, Los Angeles, 100 miles', { make: 'toyota', models: ['camry'], location: 'Los Angeles', radius: 100 }],
  ['kia in Salem (OR)', { make: 'kia', location: 'Salem, OR' }],
  ['F-250 or F-350', { make: 'ford', models: ['f-250', 'f-350'] }],
  ['beater with a rebuilt engine for my son Kyle', {}],
  ['civic, my password', { make: 'honda', models: ['civic'] }],
  ['sedan, no trucks', { body: 'sedan' }],
  ['budget is around 12k max', { priceMax: 12_000 }],
])('%j asks for %j', (text, fields) => {
  expect(readWish(text, { gazetteer, now }).fields).toEqual(fields);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 800 }),
  fc.string({ unit: fc.constantFrom(...'09 $,.-+<>"\'/kor ('), maxLength: 600 }),
  fc
    .array(
      fc.constantFrom(
        ...'no or and under between 9k 2014 miles of near Reno NV civic honda blue "x" https://reno.craigslist.org/search/cta? facebook.com/marketplace/ minPrice=1&query= %E0 , ; without the word max budget is'.split(
          ' ',
        ),
      ),
      { maxLength: 120 },
    )
    .map((words) => words.join(' ')),
);

test('a text of any kind is read without an error, and its bounds are in order', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { fields } = readWish(text, { gazetteer, now });
      const { priceMin = 0, priceMax = 1e7, yearMin = 1900, yearMax = 2027, radius = 5, location = '' } = fields;
      expect(priceMin).toBeLessThanOrEqual(priceMax);
      expect(yearMin).toBeLessThanOrEqual(yearMax);
      expect([yearMin >= 1900, yearMax <= 2027, priceMin >= 0, priceMax <= 1e7]).not.toContain(false);
      expect([5, 10, 25, 50, 100]).toContain(radius);
      expect(location.length).toBeLessThanOrEqual(100);
    }),
    { numRuns: 400, examples: [["'09-k"]] },
  );
});

test.each([
  '9',
  '$',
  'no ',
  'or ',
  'between ',
  '9k-',
  '"',
  'a.',
  'with photos ',
  'near ',
  'civic or ',
  '9,000,',
  '&amp;',
])('a long text of %j is read about as quickly as another one', (unit) => {
  const long = unit.repeat(20_000);
  const timeOf = (text: string) => {
    const began = performance.now();
    for (let run = 0; run < 5; run++) readWish(text, { gazetteer, now });
    return performance.now() - began;
  };
  timeOf(long);
  // Only 500 characters are read, so even a slow machine is far below a quarter of a second for each.
  expect(timeOf(long) / 5).toBeLessThan(250);
});
