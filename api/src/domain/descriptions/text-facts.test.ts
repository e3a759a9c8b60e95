import { expect, test } from 'vitest';
import { readWords } from './seller-text.ts';
import { readTextFacts, type TextFacts } from './text-facts.ts';

const car = { title: '2010 Toyota Camry', make: 'toyota', model: 'camry', year: 2010, price: 6000 };
const factsOf = (description: string | null, title = car.title) => readTextFacts({ ...car, title, description });

test('each fact says where it was read and quotes the words, and the title counts more', () => {
  const facts = factsOf('Salvage title, 98,500 miles. AWD.', '2010 Toyota Camry 4x4 142k miles');
  expect(facts.titleStatus).toEqual({ value: 'salvage', from: 'description', words: 'Salvage' });
  expect(facts.mileageMiles).toEqual({ value: 142_000, from: 'title', words: '142k miles' });
  expect(facts.drive).toEqual({ value: '4wd', from: 'title', words: '4x4' });
});

test('the trim is read in the title, or else behind the model in the description', () => {
  const description = 'My 2010 Toyota Camry XLE runs well';
  expect(factsOf(description).trim).toEqual({ value: 'XLE', from: 'description', words: 'xle' });
  expect(factsOf(description, '2010 Toyota Camry SE').trim).toEqual({ value: 'SE', from: 'title', words: 'se' });
});

test('texts that state nothing leave every fact null', () => {
  for (const facts of [factsOf(null), factsOf(''), factsOf('Runs well. Call me.', '')]) {
    expect(Object.values(facts).every((fact) => fact === null)).toBe(true);
  }
});

const noWords = { obo: false, firm: false, down: null, monthly: null, prices: [] };
test.each([
  ['$4500 OBO', { ...noWords, obo: true }],
  ['4500 or best offer', { ...noWords, obo: true }],
  ['price is negotiable', { ...noWords, obo: true }],
  ['o.b.o', { ...noWords, obo: true }],
  ['price is firm', { ...noWords, firm: true }],
  ['not negotiable', { ...noWords, firm: true }],
  ['firm suspension', null],
  ['$1,500 down and $299/mo', { ...noWords, down: 1500, monthly: 299 }],
  ['down payment of $500', { ...noWords, down: 500 }],
  ['down from $5000', null],
  ['$299 a month', { ...noWords, monthly: 299 }],
  ['asking $4,500, cash price $4,200', { ...noWords, prices: [4200, 4500] }],
  ['Selling price: $5,915 (KBB fair purchase price: $7,207)', null],
  ['Window sticker price $81,500, asking $24,500', null],
  ['Runs well', null],
])('of the price, %j says %j', (description, words) => {
  expect(factsOf(description).priceWords?.value ?? null).toEqual(words);
});

test.each([
  ['for sale by owner', 'private'],
  ['FSBO', 'private'],
  ['private party', 'private'],
  ['I am selling my Camry', 'private'],
  ['not a dealer', 'private'],
  ['Financing available! We accept trade-ins. Stock #4711', 'dealer'],
  ['plus tax, license and doc fee', 'dealer'],
  ['visit our lot', 'dealer'],
  ['KBB private party value 6000', null],
  ['dealer maintained, one owner', null],
  ['all stock no mods', null],
  ['Stock no 4711', 'dealer'],
  ['runs well', null],
])('%j was written by a seller of kind %j', (description, seller) => {
  expect(factsOf(description).seller?.value ?? null).toBe(seller);
});

test.each([
  ['VIN: 1HGCM82633A004352', '1HGCM82633A004352'],
  ['vin#1hgcm82633a004352.', '1HGCM82633A004352'],
  ['1HGCM82633A004353', null],
  ['11111111111111111', null],
  ['1HGCM82633A004352 and 1M8GDM9AXKP042788', null],
])('the VIN in %j is %j', (description, vin) => {
  expect(factsOf(description).vin?.value ?? null).toBe(vin);
});

test('typographic letters, accents and markup are read like plain ones', () => {
  const facts = factsOf('<b>𝗖𝗹𝗲𝗮𝗻 𝗧𝗶𝘁𝗹𝗲</b><br>98,500&nbsp;miles · automático');
  expect(facts.titleStatus?.value).toBe('clean');
  expect(facts.mileageMiles?.value).toBe(98_500);
  expect(facts.transmission?.value).toBe('automatic');
});

const hostile = [
  '',
  ' ',
  '\0',
  '\ud800',
  'é',
  '<',
  '&',
  '((',
  "' ",
  '1 ',
  '1,',
  '142k miles ',
  '142xxx',
  'title: ',
  'clean ',
  'no ',
].concat(
  'salvage or rebuilt ',
  'black on ',
  'auto ',
  '5 speed ',
  'miles: ',
  'odometer ',
  '$1 down ',
  '4 x ',
  'owner by ',
  'CleanTitle',
  'abcDrive1',
  '30300Body',
  '\n',
);

test.each(hostile)('a long text of %j is read in a time that its length bounds', (part) => {
  const text = part.repeat(100_000 / Math.max(1, part.length));
  const facts: TextFacts = factsOf(text, text);
  expect(Object.keys(facts)).toHaveLength(12);
  // Ten thousand characters are read of it, so that a text ten times as long reads the same.
  expect(factsOf(text + text)).toEqual(factsOf(text));
});

test.each(['CleanTitle', 'abcDrive1', '30300Body'])(
  'of a text that is one word of %j no part is read alone',
  (part) => {
    expect(readWords(part).words.length).toBeGreaterThan(1);
    // Each part would be looked for up to the text's end.
    expect(readWords(part.repeat(1000)).words).toHaveLength(1);
  },
);
