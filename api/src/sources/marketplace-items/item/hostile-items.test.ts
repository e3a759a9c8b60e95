import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  camelCase,
  factsOf,
  flat,
  gazetteer,
  nested,
  node,
  now,
  page,
  parse,
  rejectionOf,
} from '../../../../test/reading/marketplace-items.ts';
import type { Gazetteer } from '../../../domain/places/places.ts';
import { parseMarketplaceItem } from './parse-marketplace-item.ts';

/** The reason of a record that its reader failed at, and an empty one. */
const unread = /^$|could not read it/;

const titled = (title: unknown) => ({ ...node, marketplace_listing_title: title });
const titleOf = (title: string) => factsOf(titled(title)).title;
const nestedIn = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : { x: nestedIn(depth - 1, inner) });

describe('titles', () => {
  test.each([
    ['<b>2014</b> Subaru <i>Outback</i>', '2014 Subaru Outback'],
    ['2014 Subaru Outback<script>alert(1)</script>', '2014 Subaru Outback alert(1)'],
    ['2014 Subaru Outback &amp; trailer hitch', '2014 Subaru Outback & trailer hitch'],
    ['2014 Subaru Outback &lt;b&gt;', '2014 Subaru Outback <b>'],
    ['2014 Subaru Outback &amp;lt;b&amp;gt;', '2014 Subaru Outback &lt;b&gt;'],
    ['2014 Subaru\u0000 \u001bOutback\u0007', '2014 Subaru Outback'],
    ['\u202e2014 Subaru\u2066 Outback\u202c', '2014 Subaru Outback'],
    ['2014\tSubaru\r\n\r\nOutback', '2014 Subaru Outback'],
    ['2014 Subaru Outback \ud83d', '2014 Subaru Outback'],
    ['🚗 2014 Subaru Outback 🔥', '🚗 2014 Subaru Outback 🔥'],
    ['２０１４ Subaru Outback', '２０１４ Subaru Outback'],
  ])('%j is shown as %j', (title, shown) => {
    expect(titleOf(title)).toBe(shown);
    expect(factsOf(titled(title))).toMatchObject({ make: 'subaru', model: 'outback', year: 2014 });
  });

  test('a long title is cut, and an item with a huge one is rejected', () => {
    expect(titleOf(`2014 Subaru Outback ${'x'.repeat(500)}`)).toHaveLength(500);
    const started = performance.now();
    const rejection = rejectionOf(titled(`2014 Subaru Outback ${'<a '.repeat(1_700_000)}`));
    expect(rejection).toMatchObject({ code: 'TOO_LARGE', externalId: node.id });
    expect(rejection.record.length).toBeLessThan(10_000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

test('an unknown place is shown as its text', () => {
  const { city, lat } = factsOf({ ...node, location: '<i>Nowhere</i>\u0000 at\u202e all' });
  expect([city, lat]).toEqual(['Nowhere at all', null]);
});

describe('values of other kinds than expected', () => {
  test.each<[string, Record<string, unknown>]>([
    ['numbers as strings', { listing_price: { amount: '8900' }, vehicle_odometer_data: { value: '120000' } }],
    ['an array for an object', { listing_price: [{ amount: 8900 }], location: [node.location] }],
    ['objects for texts', { condition: { text: 'USED' }, marketplace_listing_title: { text: '2014 Subaru Outback' } }],
    ['texts for lists', { listing_photos: 'none', custom_sub_titles_with_rendering_flags: '120K miles' }],
    ['booleans as texts', { is_sold: 'false', is_live: 'true' }],
    ['deep nesting', { note: nestedIn(60, 1), attributes: nestedIn(60, []), offers: nestedIn(60, { price: 1 }) }],
    [
      'a prototype',
      JSON.parse('{"__proto__": {"id": "evil", "is_sold": true}, "constructor": {"prototype": {"a": 1}}}'),
    ],
    ['names of methods', { toString: 1, valueOf: 'x', hasOwnProperty: null, toJSON: 'x' }],
  ])('%s', (_case, fields) => {
    expect(factsOf({ ...node, ...fields })).toMatchObject({
      externalId: node.id,
      make: 'subaru',
      model: 'outback',
      year: 2014,
      price: 8900,
      status: 'for_sale',
    });
    expect({}).not.toHaveProperty('is_sold');
  });

  test('a field named __proto__ gives no facts', () => {
    expect(rejectionOf(JSON.parse('{"__proto__": {"id": "1", "title": "2014 Subaru Outback"}}')).code).toBe('NO_ID');
  });
});

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    '2014 Honda Civic',
    '$5',
    '-1',
    '1e999',
    'NaN',
    '9999',
    {},
    [[]],
    { text: 1 },
    { text: { text: { text: 'deep' } } },
    [null],
    { amount: '\u0000', currency: 7 },
    { image: { uri: 'https://x.example' } },
    { '@graph': [{}] },
    { itemOffered: [{ listing: 3 }] },
    [{ name: '__proto__', value: { polluted: true } }],
    nestedIn(60, 'x'),
    'x'.repeat(5000),
  ),
);
const names = [
  ...new Set([node, page, camelCase, nested, flat].flatMap((shape) => Object.keys(shape))),
  'listing',
  'node',
  'item',
  '@graph',
  '@type',
  'identifier',
  'listing_details',
  'vehicle',
  'attributes',
  'offers',
  'makesOffer',
  'itemOffered',
  'sale_price',
  'category',
  'vehicle_year',
  'mileage',
  'description',
  'seller',
  'latitude',
  'constructor',
  '__proto__',
];

test('an item with any values in its fields is parsed or rejected without an exception', () => {
  const shapes = fc.constantFrom<Record<string, unknown>>({}, node, page, camelCase, nested, flat);
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 8 });
  fc.assert(
    fc.property(shapes, changes, (shape, fields) => {
      // As from a body: an own field may be named __proto__.
      const text = JSON.stringify(Object.fromEntries([...Object.entries(shape), ...fields]));
      const record = parse(JSON.parse(text));
      if ('rejection' in record) {
        expect(record.rejection.reason).not.toMatch(unread);
        return;
      }
      const { price, year, lat, lng, mileageMiles, title } = record.facts;
      for (const whole of [price, year, mileageMiles]) expect(whole === null || Number.isInteger(whole)).toBe(true);
      expect(price === null || price > 0).toBe(true);
      expect((lat === null) === (lng === null)).toBe(true);
      expect(lat === null || Math.abs(lat) <= 90).toBe(true);
      expect(title.length).toBeLessThanOrEqual(500);
    }),
    { numRuns: 500 },
  );
  expect({}).not.toHaveProperty('polluted');
});

test.each([
  ['an item', { id: '7', title: '2014 Subaru Outback', location: 'Boulder, CO' }],
  [
    "a feed's row",
    { vehicle_id: '7', title: '2014 Subaru Outback', 'address.city': 'Boulder', 'address.region': 'CO' },
  ],
])('%s that its reader fails at is rejected under its id', (_, raw) => {
  const failing: Gazetteer = {
    ...gazetteer,
    resolve() {
      throw new RangeError('Invalid string length');
    },
  };
  expect(parseMarketplaceItem(raw, { gazetteer, now })).toHaveProperty('facts.city', 'Boulder');
  expect(parseMarketplaceItem(raw, { gazetteer: failing, now })).toMatchObject({
    rejection: { externalId: '7', code: 'MALFORMED', reason: 'LotWatch could not read it: Invalid string length' },
  });
});
