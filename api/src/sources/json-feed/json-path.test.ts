import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseJsonPath, valueAt, valuesAt } from './json-path.ts';

const item = {
  heading: '2019 Ford F-150',
  build: { year: 2019, 'body type': 'Pickup' },
  media: { photo_links: ['a', 'b', null] },
  '@id': 'x1',
  offers: [{ price: 1 }, { price: null }, { price: 3 }],
  empty: null,
};

const at = (text: string) => {
  const path = parseJsonPath(text);
  if (!path) throw new Error('no path');
  return valueAt(item, path);
};

test.each<[string, unknown]>([
  ['heading', '2019 Ford F-150'],
  ['build.year', 2019],
  ['$.build.year', 2019],
  ['$["build"]["year"]', 2019],
  ["build['body type']", 'Pickup'],
  ['media.photo_links[1]', 'b'],
  ['media.photo_links[9]', undefined],
  ['media.photo_links[*]', ['a', 'b']],
  ['offers[*].price', [1, 3]],
  ['offers[*].none', undefined],
  ['["@id"]', 'x1'],
  ['@id', 'x1'],
  ['$', item],
  ['empty', undefined],
  ['heading.length', undefined],
  ['build.constructor', undefined],
  ['build.__proto__', undefined],
  ['media.photo_links.length', undefined],
])('%s', (path, expected) => {
  expect(at(path)).toEqual(expected);
});

describe('a text that is no path', () => {
  it.each([
    '',
    ' ',
    'a..b',
    '.a',
    'a.',
    'a[',
    'a[-1]',
    'a[1:2]',
    'a[?(@.b)]',
    '$..a',
    'a.*',
    'a[*',
    '["a]',
    '["\\x"]',
    'a b',
    'f()',
    '$x',
    `${'a.'.repeat(20)}a`,
  ])('%j is refused', (text) => {
    expect(parseJsonPath(text)).toBeNull();
  });

  it('never throws, whatever it holds', () => {
    fc.assert(fc.property(fc.string(), (text) => parseJsonPath(text) === null || true));
    for (const part of ['[', '["', "['", '[*]', '.a', '\\"', '["\\'])
      expect(parseJsonPath(part.repeat(100_000))).toBeNull();
  });
});

it('finds no more values than it may', () => {
  const path = parseJsonPath('[*][*]');
  const value = Array.from({ length: 100 }, () => Array.from({ length: 100 }, (_, index) => index));
  expect(path && valuesAt(value, path, 50)).toHaveLength(50);
});
