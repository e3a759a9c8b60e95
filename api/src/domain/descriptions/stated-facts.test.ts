import { expect, test } from 'vitest';
import { buildFacts } from '../../../test/factories.ts';
import { factsHash } from '../facts/listing-facts.ts';
import { plainDescription } from './plain-description.ts';
import { factText, withTextFacts } from './stated-facts.ts';

const bare = { transmission: null, color: null, mileageMiles: null };

test('a field counts more than the title, and what neither states is null', () => {
  const car = buildFacts({ ...bare, title: '2016 Escape 4x4 diesel', drive: 'awd', seller: 'dealer' });
  const read = withTextFacts(car, null);
  expect(read).toMatchObject({ drive: 'awd', fuel: 'diesel', seller: 'dealer', body: null, description: null });
  expect(read.factsRead?.map(({ fact, from, value }) => ({ fact, from, value }))).toEqual([
    { fact: 'fuel', from: 'title', value: 'Diesel' },
  ]);
});

test('what is read in the text leaves the hash of the listing as it was', () => {
  const car = buildFacts({ ...bare, title: '2016 Escape 98k miles, manual, salvage' });
  const read = withTextFacts(car, 'Red, salvage title in hand.');
  expect(read.mileageMiles).toBe(98_000);
  expect(factsHash(read)).toBe(factsHash(car));
  expect(factsHash({ ...car, mileageMiles: 98_000 })).not.toBe(factsHash(car));
});

test.each([
  ['titleStatus', 'parts_only', 'For parts only'],
  ['titleStatus', 'lien', 'Title with a lien'],
  ['mileage', 98_000, '98,000 miles'],
  ['color', 'silver', 'Silver'],
  ['doors', 4, '4 doors'],
  ['trim', 'EX-L', 'EX-L'],
] as const)('the fact %s %s is shown as %s', (fact, value, text) => expect(factText(fact, value)).toBe(text));

test.each([
  ['Runs <b>great</b>.<br>Clean&nbsp;title &amp; no rust', 'Runs  great .\nClean title & no rust'],
  ['  a\r\nb\n\n\n\nc ', 'a\nb\n\nc'],
  ['under 100k <3', 'under 100k <3'],
  ['<script>alert(1)</script>', 'alert(1)'],
  [' <p> </p> ', null],
  [null, null],
])('the description %j is kept as %j', (raw, text) => expect(plainDescription(raw)).toBe(text));

test('a description is cut at 10 KB of UTF-8, between two characters', () => {
  const text = plainDescription('é🚗'.repeat(4_000)) ?? '';
  expect(Buffer.byteLength(text)).toBe(10_238);
  expect(text.isWellFormed()).toBe(true);
});
