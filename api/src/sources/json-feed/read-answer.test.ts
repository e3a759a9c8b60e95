import { describe, expect, it, test } from 'vitest';
import { parseJsonPath } from './json-path.ts';
import { type FieldName, makeMapping } from './map-item.ts';
import { type Paging, pageAddress } from './page-addresses.ts';
import { readAnswer } from './read-answer.ts';

const path = (text: string) => {
  const read = parseJsonPath(text);
  if (!read) throw new Error(`${text} is no path`);
  return read;
};
const fields: Partial<Record<FieldName, string | string[]>> = {
  id: 'id',
  title: ['heading', 'name'],
  price: 'price',
  make: 'build.make',
  model: 'build.model',
  year: 'build.year',
  city: 'dealer.city',
  state: 'dealer.state',
  location: 'geo',
  images: 'photos[*].src',
  url: 'link',
};
const mapping = makeMapping({ fields, constants: { seller: 'dealer', state: 'TX' } }, 'https://api.example/v2/cars', [
  'secret-key-1',
]);
const read = (answer: unknown, items = 'listings') =>
  readAnswer(answer, { items: path(items), total: path('found'), next: path('links.next') }, mapping);

describe('an item', () => {
  it('has the fields that the mapping finds, and constants where it finds none', () => {
    const listing = {
      id: 7,
      name: 'Civic',
      heading: '',
      build: { make: 'Honda' },
      dealer: { city: 'Austin' },
      geo: [-97.7, 30.2],
      photos: [{ src: '/p/1.jpg' }, { src: 'https://cdn.example/2.jpg' }, {}],
      link: '/cars/7',
    };
    expect(read({ listings: [listing], found: '12', links: { next: '/v2/cars?page=2' } })).toEqual({
      items: [
        {
          id: 7,
          title: 'Civic',
          make: 'Honda',
          seller_type: 'dealer',
          url: 'https://api.example/cars/7',
          images: ['https://api.example/p/1.jpg', 'https://cdn.example/2.jpg'],
          location: { coordinates: [-97.7, 30.2], city: 'Austin', state: 'TX' },
        },
      ],
      total: 12,
      next: '/v2/cars?page=2',
    });
  });

  it('without a title has its year, make and model as one', () => {
    const { items } = read({ listings: [{ id: 1, build: { year: 2019, make: 'Ford', model: 'F-150' } }] });
    expect(items[0]).toMatchObject({ title: '2019 Ford F-150' });
  });

  it('repeats no key of the caller, wherever the service writes it', () => {
    const listing = {
      id: 1,
      heading: 'secret-key-1',
      link: 'https://x.example/?api_key=secret-key-1',
      photos: [{ src: 'https://x.example/1.jpg?k=secret-key-1' }, { src: 'https://x.example/2.jpg' }],
    };
    expect(JSON.stringify(read({ listings: [listing] }))).not.toContain('secret-key-1');
  });

  it('may be nested deeper than the stack, or larger than a record', () => {
    let deep: unknown = 'x';
    for (let depth = 0; depth < 200_000; depth++) deep = [deep];
    const { items } = read({
      listings: [{ id: 1, heading: 'Civic'.repeat(100_000), photos: [{ src: deep }], price: deep }],
    });
    expect(items[0]).toMatchObject({ id: 1, title: expect.stringMatching(/^Civic/) });
    expect(JSON.stringify(items).length).toBeLessThan(10_000);
  });

  it('keeps a fragment, which is no address, as it is', () => {
    expect(read({ listings: [{ id: 1, link: '#22' }] }).items[0]).toMatchObject({ url: '#22' });
  });
});

const many = (count: number, one: object) => Array.from({ length: count }, (_, index) => ({ id: index, ...one }));

test.each<[string, unknown, RegExp]>([
  ['another name of the list', { results: [], num: 3 }, /nothing at items \(listings\), but results, num\.$/],
  ['null in place of the list', { listings: null }, /nothing at items \(listings\), but listings/],
  ['an object in place of the list', { listings: { a: 1 } }, /no list, but a\.$/],
  ['a message in place of an answer', 'quota exceeded', /but a string\./],
  ['a list in place of an object', [], /but a list of 0\./],
  ['an empty object', {}, /but an empty object\./],
  ['other names of all ids', { listings: many(3, { id: undefined }) }, /None of the 3 items has anything at id \(id\)/],
  [
    'other names of titles',
    { listings: many(3, { title: 'x' }) },
    /at title \(heading, name\) or make \(build\.make\)/,
  ],
  ['no price any more', { listings: many(10, { heading: 'Civic' }) }, /at price \(price\)\.$/],
  ['no place any more', { listings: many(10, { heading: 'Civic', price: 1 }) }, /at city \(dealer\.city\) or state/],
  ['more items than a page may have', { listings: Array(10_001).fill({ id: 1 }) }, /more than 10,000 items/],
])('%s is an error in words', (_, answer, message) => {
  expect(() => read(answer)).toThrow(message);
});

it('says nothing of what an answer holds, only the names of its members', () => {
  const answer = { error: 'wrong key secret-key-1', ['x'.repeat(500)]: 1, 'evil\u0000name': 1 };
  expect(() => read(answer)).toThrow(`but error, ${'x'.repeat(30)}, evil?name.`);
});

test.each<[string, unknown, unknown[]]>([
  ['listings', { listings: [] }, []],
  ['$', [{ id: 1, heading: 'x' }], [{ id: 1 }]],
  ['data[*].car', { data: [{ car: { id: 1 } }, { car: { id: 2, heading: 'x' } }] }, [{ id: 1 }, { id: 2 }]],
  ['data[*].car', { data: [] }, []],
])('items at %s', (items, answer, expected) => {
  expect(read(answer, items).items).toMatchObject(expected);
});

describe('the address of a page', () => {
  const start = new URL('https://api.example/cars?zip=78701');
  const addressOf = (paging: Paging | undefined, pages: number, items: number, next: string | null = null) =>
    pageAddress(start, start, paging, { pages, items, next })?.href ?? null;
  const offset: Paging = { by: 'offset', offset: 'start', limit: 'rows', size: 50, start: 0 };
  const page: Paging = { by: 'page', page: 'page', size: 20, start: 1 };
  const link: Paging = { by: 'cursor', next: 'links.next', size: 20 };
  const token: Paging = { by: 'cursor', next: 'next', parameter: 'cursor', limit: 'limit', size: 20 };

  it.each<[string, Paging | undefined, number, number, string | null, string | null]>([
    ['without paging', undefined, 0, 0, null, '?zip=78701'],
    ['without paging, after the first', undefined, 1, 9, null, null],
    ['by offset', offset, 0, 0, null, '?zip=78701&rows=50&start=0'],
    ['by offset, after a shorter page', offset, 1, 48, null, '?zip=78701&rows=50&start=48'],
    ['by page', page, 2, 40, null, '?zip=78701&page=3'],
    ['by link', link, 0, 0, null, '?zip=78701'],
    ['by link, the next', link, 1, 20, '/cars?cursor=x', '?cursor=x'],
    ['by link, a query alone', link, 1, 20, '?cursor=x', '?cursor=x'],
    ['by link, the last', link, 1, 20, null, null],
    ['by token', token, 1, 20, 'a&b=', '?zip=78701&limit=20&cursor=a%26b%3D'],
  ])('%s', (_, paging, pages, items, next, expected) => {
    expect(addressOf(paging, pages, items, next)).toBe(expected && `https://api.example/cars${expected}`);
  });

  it.each(['https://evil.example/cars', 'http://api.example/cars', '//evil.example/x', 'https://api.example:8443/'])(
    'is never elsewhere, as at %s',
    (next) => {
      expect(() => addressOf(link, 1, 20, next)).toThrow(/The next page is at .*, but only api\.example is read/);
    },
  );

  it('that can not be read is an error', () => {
    expect(() => addressOf(link, 1, 20, 'http://[')).toThrow(/can not be read/);
  });
});
