import { describe, expect, test } from 'vitest';
import { carsOf, jsonLdPage, pageUrl, pageWith, recordsOf } from '../../../../test/reading/vehicle-pages.ts';

const car = (year: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  '@type': 'Car',
  name: `${year} Honda Civic`,
  offers: { '@type': 'Offer', price: year * 5, priceCurrency: 'USD' },
  ...more,
});
const yearsAndIds = (html: string) => carsOf(html).map(({ year, externalId }) => [year, externalId]);

describe('a page with several cars', () => {
  const cars = [car(2011, { sku: 'A' }), car(2012, { sku: 'B' }), car(2013, { sku: 'C' })];
  const expected = [
    [2011, 'A'],
    [2012, 'B'],
    [2013, 'C'],
  ];
  const elements = cars.map((item, index) => ({ '@type': 'ListItem', position: index + 1, item }));
  const offers = cars.map(({ offers: offer, ...item }) => ({ ...(offer as object), itemOffered: item }));

  test.each<[string, unknown[]]>([
    ['an array', [cars]],
    ['a script each', cars],
    ['a graph', [{ '@graph': cars }]],
    ['a list', [{ '@type': 'ItemList', itemListElement: elements }]],
    ['a list without list items', [{ '@type': 'ItemList', itemListElement: cars }]],
    [
      'a search page',
      [{ '@type': 'SearchResultsPage', mainEntity: { '@type': 'ItemList', itemListElement: elements } }],
    ],
    ['a dealer’s offers', [{ '@type': 'AutoDealer', name: 'North Lot', makesOffer: offers }]],
    [
      'a catalogue of offers',
      [{ '@type': 'AutoDealer', hasOfferCatalog: { '@type': 'OfferCatalog', itemListElement: offers } }],
    ],
    ['an aggregate offer', [{ '@type': 'Organization', offers: { '@type': 'AggregateOffer', offers } }]],
    ['offers beside crumbs', [{ '@type': 'BreadcrumbList', itemListElement: elements }, ...offers]],
  ])('as %s: each is a car of its own', (_shape, scripts) => {
    expect(yearsAndIds(jsonLdPage(...scripts))).toEqual(expected);
  });

  test('in microdata', () => {
    const items = cars.map(
      ({ name, sku }) =>
        `<li itemscope itemtype="https://schema.org/Car"><b itemprop="name">${name}</b><i itemprop="sku">${sku}</i></li>`,
    );
    expect(yearsAndIds(pageWith('', `<ul>${items.join('')}</ul>`))).toEqual(expected);
  });

  test('without ids, each is identified by its own page', () => {
    const linked = [car(2011, { url: '/used/1' }), car(2012, { url: '/used/2#photos' })];
    expect(yearsAndIds(jsonLdPage(linked))).toEqual([
      [2011, 'https://dealer.example/used/1'],
      [2012, 'https://dealer.example/used/2'],
    ]);
  });

  test('without ids and pages, each is identified by its name', () => {
    expect(yearsAndIds(jsonLdPage([car(2011), car(2012)]))).toEqual([
      [2011, `${pageUrl}#2011-honda-civic`],
      [2012, `${pageUrl}#2012-honda-civic`],
    ]);
  });

  test('a page of another site is not linked', () => {
    const [facts] = carsOf(jsonLdPage(car(2011, { sku: 'A', url: 'https://evil.example/1' })));
    expect(facts?.url).toBe(pageUrl);
  });
});

test('a car that is described twice is one', () => {
  const vin = '2HGFB2F50CH500001';
  expect(
    yearsAndIds(jsonLdPage(car(2012, { vehicleIdentificationNumber: vin }), car(2012, { sku: vin, color: 'Red' }))),
  ).toEqual([[2012, vin]]);
  expect(yearsAndIds(jsonLdPage(car(2012, { sku: 'A' }), car(2012, { sku: 'A' })))).toEqual([[2012, 'A']]);
  const { name } = car(2012);
  const annotated = `<div itemscope itemtype="https://schema.org/Car"><b itemprop="name">${name}</b><i itemprop="sku">A</i></div>`;
  expect(yearsAndIds(jsonLdPage(car(2012, { sku: 'A' })).replace('</body>', `${annotated}</body>`))).toEqual([
    [2012, 'A'],
  ]);
});

test('a page’s own car is told from the similar ones', () => {
  const similar = { '@type': 'ItemList', itemListElement: [{ item: car(2011, { sku: 'A' }) }] };
  expect(yearsAndIds(jsonLdPage(car(2014, { sku: 'D', isSimilarTo: [car(2015, { sku: 'E' })] }), similar))).toEqual([
    [2014, 'D'],
  ]);
});

test('of cars that are not for us the reason is kept, and the others are read', () => {
  const bike = { '@type': 'Motorcycle', name: '2012 Honda CBR600', sku: 'M', offers: { price: 4000 } };
  const records = recordsOf(
    jsonLdPage(bike, car(2012, { sku: 'B' }), car(2012, { sku: 'S', name: '2012 Suzuki SX4' })),
  );
  expect(
    records.map((record) => ('facts' in record ? 'car' : [record.rejection.code, record.rejection.externalId])),
  ).toEqual([['NOT_A_CAR', 'M'], 'car', ['UNKNOWN_MAKE', 'S']]);
});
