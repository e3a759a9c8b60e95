import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  camelCase,
  factsOf,
  flat,
  nested,
  node,
  now,
  page,
  parse,
  rejectionOf,
} from '../../../../test/reading/marketplace-items.ts';

describe('the shapes', () => {
  test('parses an item of a search page, bare or under listing', () => {
    const facts = factsOf(node);
    expect(facts).toMatchObject({
      externalId: '512000000000001',
      title: '2014 Subaru Outback · 2.5i Wagon 4D',
      make: 'subaru',
      model: 'outback',
      year: 2014,
      price: 8900,
      mileageMiles: 120000,
      city: 'Boulder',
      state: 'CO',
      images: ['https://photos.example/1.jpg'],
      url: 'https://www.facebook.com/marketplace/item/512000000000001/',
      listedAt: null,
      status: 'for_sale',
      color: null,
      transmission: null,
    });
    expect(facts.lat).toBeCloseTo(40.01, 1);
    expect(factsOf({ listing: node })).toEqual(facts);
    expect(factsOf({ node: { listing: node } })).toEqual(facts);
  });

  test('parses the page of one listing', () => {
    expect(factsOf(page)).toMatchObject({
      make: 'ford',
      model: 'escape',
      price: 11500,
      mileageMiles: 62137,
      transmission: 'automatic',
      color: 'red',
      condition: 'Used',
      city: 'Dayton',
      state: 'OH',
      lat: 39.75,
      lng: -84.19,
      images: ['https://photos.example/a.jpg', 'https://photos.example/b.jpg'],
      listedAt: new Date(1780000000 * 1000),
    });
  });

  test('parses names in camel case', () => {
    expect(factsOf(camelCase)).toMatchObject({
      make: 'toyota',
      model: 'sienna',
      price: 7200,
      mileageMiles: 98000,
      city: 'Tulsa',
      url: 'https://market.example/item/9',
      images: ['https://photos.example/s.jpg'],
      listedAt: new Date('2026-05-30T15:07:19Z'),
    });
  });

  test('parses details in a separate object', () => {
    expect(factsOf(nested)).toMatchObject({
      model: 'mazda3',
      price: 6100,
      transmission: 'manual',
      color: 'silver',
      city: 'Fresno',
      mileageMiles: 88000,
    });
  });

  test('parses flat fields with a foreign place', () => {
    expect(factsOf(flat)).toMatchObject({
      externalId: '42',
      model: '3-series',
      price: 2500,
      city: 'Liege',
      state: null,
      lat: null,
      url: 'https://market.example/42',
    });
  });

  test('parses make and model attributes where the title lacks them', () => {
    const item = {
      ...page,
      marketplace_listing_title: 'Family car, runs great',
      vehicle_make_display_name: 'Kia',
      vehicle_model_display_name: 'Sedona',
    };
    expect(factsOf(item)).toMatchObject({ make: 'kia', model: 'sedona', year: null, title: 'Family car, runs great' });
  });
});

describe('rejected items', () => {
  test.each([
    ['NOT_A_CAR', { ...node, marketplace_listing_title: 'Set of 4 rims off a Camry' }],
    ['NOT_A_CAR', { ...node, marketplace_listing_title: 'Ascend kayak' }],
    ['NOT_A_CAR', { ...node, marketplace_listing_title: '2008 Honda CBR600' }],
    [
      'NOT_A_CAR',
      { ...node, marketplace_listing_title: 'Walk in freezer', marketplace_listing_category_id: '678754142233400' },
    ],
    [
      'NOT_A_CAR',
      {
        ...camelCase,
        listingTitle: '2015 Toyota Camry',
        customSubTitlesWithRenderingFlags: [],
        category: 'Auto Parts',
      },
    ],
    ['NOT_A_CAR', { id: '7', title: 'Honda Civic', final_price: 40 }],
    ['NOT_A_CAR', { id: '7' }],
    ['UNKNOWN_MAKE', { ...node, marketplace_listing_title: '2010 Suzuki SX4' }],
    [
      'UNKNOWN_MAKE',
      { ...node, marketplace_listing_title: '2015 Transcraft Custom', vehicle_make_display_name: 'Transcraft' },
    ],
    ['BAD_YEAR', { ...node, vehicle_year: 2090 }],
    ['NO_ID', { ...node, id: undefined }],
    ['NO_ID', { ...node, id: '' }],
    ['NO_ID', { ...node, id: 'x'.repeat(201) }],
    ['TOO_LARGE', { ...node, note: 'x'.repeat(300_000) }],
    ['MALFORMED', null],
    ['MALFORMED', 'a car'],
    ['MALFORMED', [node]],
    ['MALFORMED', undefined],
  ])('%s', (code, raw) => {
    const rejection = rejectionOf(raw);
    expect(rejection.code).toBe(code);
    expect(rejection.reason).not.toBe('');
    expect(rejection.record.length).toBeLessThanOrEqual(code === 'TOO_LARGE' ? 8000 : 64 * 1024);
  });
});

test.each([
  [{ is_sold: true, is_live: false }, 'sold'],
  [{ is_pending: true }, 'pending'],
  [{ is_live: false }, 'gone'],
  [{ is_hidden: true }, 'gone'],
  [{}, 'for_sale'],
])('%j is %s', (flags, status) => {
  expect(factsOf({ ...node, ...flags }).status).toBe(status);
});

test('a time in the future counts as now, and an invalid one as not stated', () => {
  expect(factsOf({ ...node, creation_time: 9_999_999_999 }).listedAt).toEqual(now);
  expect(factsOf({ ...node, creation_time: -1 }).listedAt).toBeNull();
  expect(factsOf({ ...node, creation_time: 'soon' }).listedAt).toBeNull();
  expect(factsOf({ ...node, datePosted: '2026-05-30' }).listedAt).toEqual(new Date('2026-05-30T00:00:00Z'));
  expect(factsOf({ ...node, created_at: '1780000000' }).listedAt).toEqual(new Date(1780000000 * 1000));
  expect(factsOf({ ...node, creation_time: 1780000000000 }).listedAt).toEqual(new Date(1780000000000));
});

test.each([
  'javascript:alert(1)',
  'ftp://market.example/1',
  'https://user:pw@market.example/',
  'data:text/html,x',
  'not an address',
  `https://x.example/${'x'.repeat(3000)}`,
])('the address %s is neither linked nor shown', (url) => {
  const facts = factsOf({ ...node, id: '42', url, primary_listing_photo: { image: { uri: url } } });
  expect([facts.url, facts.images]).toEqual([null, []]);
});

test.each(['http://localhost:4000/demo/listing/1', 'http://dealer.example/cars/1'])(
  'the page address %s is linked',
  (url) => {
    expect(factsOf({ ...node, url }).url).toBe(url);
  },
);

test('titles are stored without markup and cut to their maximum length', () => {
  const title = `<b>2014</b> Subaru\u0000 Outback ${'x'.repeat(900)}`;
  const facts = factsOf({ ...node, marketplace_listing_title: title });
  expect(facts.title.startsWith('2014 Subaru Outback x')).toBe(true);
  expect(facts.title).toHaveLength(500);
});

test('any JSON value is parsed or rejected without an exception', () => {
  const field = fc.oneof(
    fc.anything({ maxDepth: 3, withNullPrototype: true }),
    fc.constantFrom('2014 Honda Civic', '$5', {}, { text: 1 }, [null], { image: { uri: 'https://x.example' } }),
  );
  const record = fc.record(
    Object.fromEntries(
      [
        ...[node, page, camelCase].flatMap((shape) => Object.keys(shape)),
        'listing',
        'listing_details',
        'offers',
        'makesOffer',
      ].map((key) => [key, field]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(record, fc.anything({ withBigInt: true })), (raw) => {
      const result = parse(raw);
      expect('facts' in result || result.rejection.code.length > 0).toBe(true);
      if ('rejection' in result) expect(result.rejection.reason).not.toContain('could not read it');
    }),
    { numRuns: 200 },
  );
});
