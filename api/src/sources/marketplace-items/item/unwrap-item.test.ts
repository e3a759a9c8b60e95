import { describe, expect, test } from 'vitest';
import { factsOf, node, rejectionOf } from '../../../../test/reading/marketplace-items.ts';
import { unwrapItem } from './unwrap-item.ts';

const car = { '@type': 'Car', name: '2014 Subaru Outback', sku: 'A1' };
const offer = { '@type': 'Offer', price: 8900, priceCurrency: 'USD' };

const crumbs = { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', item: { name: 'Used' } }] };

describe('a record in a wrapper is that record', () => {
  test.each<[unknown]>([
    [node],
    [{ listing: node }],
    [{ node: { listing: node } }],
    [{ id: 'edge', listing: node }],
    [{ listing: { listing: node } }],
    [{ cursor: 'x', node }],
  ])('case %#', (raw) => {
    expect(factsOf(raw)).toEqual(factsOf(node));
  });

  test.each<[unknown]>([
    [{ ...car, offers: offer }],
    [{ '@type': 'Person', name: 'A seller', makesOffer: { ...offer, itemOffered: car } }],
    [{ '@type': 'Person', name: 'A seller', makesOffer: [{ ...offer, itemOffered: [car] }] }],
    [{ ...offer, itemOffered: car }],
    [{ '@type': 'ListItem', position: 1, item: { ...car, offers: offer } }],
    [{ '@type': 'WebPage', name: 'A page', mainEntity: { ...car, offers: offer } }],
    [
      {
        '@graph': [
          { '@type': 'Organization', name: 'A dealer' },
          { ...car, offers: offer },
        ],
      },
    ],
    [{ '@graph': [crumbs, { ...car, '@type': 'Product', offers: offer }] }],
    [{ '@graph': [crumbs, { '@type': 'WebPage', mainEntity: { ...car, offers: offer } }] }],
    [{ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: { ...car, offers: offer } }] }],
    [{ '@graph': [{ '@type': 'Person', makesOffer: { ...offer, itemOffered: car } }] }],
  ])('linked data %#', (raw) => {
    expect(factsOf(raw)).toMatchObject({ externalId: 'A1', make: 'subaru', model: 'outback', price: 8900 });
  });

  test('details are read from objects and from lists of pairs', () => {
    const { price: _, ...bare } = { id: 7, title: '2014 Subaru Outback', price: 1 };
    const facts = factsOf({
      ...bare,
      vehicle: { exteriorColor: 'maroon', odometer: '98,000' },
      attributes: [{ name: 'Transmission', value: 'Manual' }, { name: 'Price', value: '$8,900' }, null, 5],
    });
    expect(facts).toMatchObject({ color: 'red', mileageMiles: 98_000, transmission: 'manual', price: 8900 });
  });

  test('a place in the details adds its coordinates to the place of the item', () => {
    const facts = factsOf({ ...node, listing_details: { location: { latitude: 40, longitude: -105.2 } } });
    expect(facts).toMatchObject({ city: 'Boulder', lat: 40, lng: -105.2 });
  });

  test('an item with several cars is rejected and not dropped', () => {
    const cars = [car, { ...car, sku: 'A2' }];
    for (const several of [{ '@graph': cars }, { '@type': 'ItemList', itemListElement: cars }]) {
      expect(rejectionOf(several)).toMatchObject({ code: 'MALFORMED', externalId: null });
    }
  });
});

describe('the id', () => {
  const { sku: _, ...unnamed } = car;
  test.each<[Record<string, unknown>, string]>([
    [{ identifier: 'S-1' }, 'S-1'],
    [{ identifier: { '@type': 'PropertyValue', propertyID: 'stock', value: 'S-1' } }, 'S-1'],
    [{ identifier: [{ value: 'S-1' }] }, 'S-1'],
    [{ sku: 17 }, '17'],
    [{ vehicleIdentificationNumber: '4S4BRBCC1E3200001' }, '4S4BRBCC1E3200001'],
    [{ '@id': 'https://dealer.example/7#car' }, 'https://dealer.example/7#car'],
    [{ url: 'https://dealer.example/used/7?x=1#photos' }, 'https://dealer.example/used/7?x=1'],
    [{ offers: { ...offer, url: 'https://dealer.example/used/7' } }, 'https://dealer.example/used/7'],
  ])('%j', (fields, externalId) => {
    expect(factsOf({ ...unnamed, ...fields })).toMatchObject({ externalId });
  });

  test('the wrapper’s id is used where the item has none', () => {
    const { id: __, ...idless } = node;
    expect(factsOf({ id: 'outer', listing: idless }).externalId).toBe('outer');
  });

  test.each<[Record<string, unknown>]>([
    [{}],
    [{ url: 'https://dealer.example/' }],
    [{ url: 'used/7' }],
    [{ sku: null, identifier: {}, '@id': '' }],
    [{ sku: ' ' }],
    [{ '@type': undefined, url: 'https://dealer.example/used/7' }],
  ])('NO_ID: %j', (fields) => {
    expect(rejectionOf({ ...unnamed, ...fields })).toMatchObject({ code: 'NO_ID' });
  });
});

test('an offer within an offer is found once, however deep', () => {
  const deep = Array.from({ length: 6 }).reduce<object>((inner) => ({ itemOffered: inner }), { name: 'a thing' });
  expect(unwrapItem({ makesOffer: [deep, deep] })).toHaveLength(2);
});
