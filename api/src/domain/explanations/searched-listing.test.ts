import { expect, it } from 'vitest';
import { readSearchedListing } from './searched-listing.ts';

const none = { id: null, externalIds: [], url: null, host: null, title: null, titleWords: [] };

it('a number may be our own and that of a source, and with "#" it is our own', () => {
  expect(readSearchedListing('4711')).toEqual({ ...none, id: 4711, externalIds: ['4711'], titleWords: ['4711'] });
  expect(readSearchedListing('#4711')).toEqual({ ...none, id: 4711 });
  expect(readSearchedListing('1234567890123456').id).toBeNull();
});

it.each([
  ['https://www.facebook.com/marketplace/item/123456789012345/?ref=search', 'facebook.com', '123456789012345'],
  ['facebook.com/marketplace/item/123456789012345', 'facebook.com', '123456789012345'],
  [
    'https://losangeles.craigslist.org/lac/cto/d/toyota-camry/7712345678.html',
    'losangeles.craigslist.org',
    '7712345678',
  ],
  ['https://cars.example/used-camry-4512345', 'cars.example', '4512345'],
  ['https://cars.example/show?stock=A%2F12', 'cars.example', 'A/12'],
  ['https://cars.example/#/car/A12', 'cars.example', 'A12'],
])('the address %s has the host %s and may name %s', (text, host, externalId) => {
  const searched = readSearchedListing(text);
  expect(searched).toMatchObject({ id: null, host, titleWords: [] });
  expect(searched.externalIds).toContain(externalId);
});

it('words are a title as typed, and an address or a number is none', () => {
  expect(readSearchedListing('Honda  Civic EX')).toMatchObject({
    title: 'Honda  Civic EX',
    titleWords: ['honda', 'civic', 'ex'],
  });
  for (const text of ['4711', '#4711', 'https://cars.example/used-camry-4512345', 'https://%zz/'])
    expect(readSearchedListing(text).title).toBeNull();
});

it('years and prices in an address are not taken from longer words', () => {
  expect(readSearchedListing('https://cars.example/2018-toyota-15400').externalIds).toEqual(['2018-toyota-15400']);
});

it.each([
  'https://',
  'https://%zz/%',
  `https://a.example/${'1/'.repeat(240)}`,
  '\u0000\ud800',
  '%'.repeat(500),
  '#0',
  '#',
])('the hostile text %j is read without an error, and bounded', (text) => {
  const { externalIds, titleWords } = readSearchedListing(text);
  expect(externalIds.length).toBeLessThanOrEqual(40);
  expect(titleWords.length).toBeLessThanOrEqual(12);
  expect(externalIds.join('')).not.toContain('\u0000');
});
