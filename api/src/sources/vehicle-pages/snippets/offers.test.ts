import { expect, test } from 'vitest';
import { carsOf, jsonLdPage } from '../../../../test/reading/vehicle-pages.ts';
import type { ListingFacts } from '../../../domain/facts/listing-facts.ts';

/** Offers as different hands write them in JSON-LD. Each is one car. */
const snippets: [hand: string, scripts: unknown[], facts: Partial<ListingFacts>][] = [
  [
    'an aggregate offer',
    [
      {
        '@type': 'Car',
        name: '2014 Honda CR-V EX',
        sku: '1',
        offers: {
          '@type': 'AggregateOffer',
          lowPrice: '11,900',
          highPrice: '12,900',
          offerCount: 2,
          priceCurrency: 'USD',
        },
      },
    ],
    { model: 'cr-v', price: 11_900 },
  ],
  [
    'offers in a list: a lease, a finance rate and the price',
    [
      {
        '@type': 'Car',
        name: '2022 Hyundai Tucson SEL',
        sku: '2',
        offers: [
          {
            '@type': 'Offer',
            businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut',
            price: 289,
            priceCurrency: 'USD',
          },
          {
            '@type': 'Offer',
            priceSpecification: {
              '@type': 'UnitPriceSpecification',
              price: 399,
              priceCurrency: 'USD',
              unitCode: 'MON',
            },
          },
          { '@type': 'Offer', price: 25_990, priceCurrency: 'USD', availability: 'https://schema.org/InStoreOnly' },
        ],
      },
    ],
    { model: 'tucson', price: 25_990, status: 'for_sale' as ListingFacts['status'] },
  ],
  [
    'a list of price specifications, the maker’s price among them',
    [
      {
        '@type': 'Car',
        name: '2024 Ford Escape Active',
        sku: '3',
        offers: {
          '@type': 'Offer',
          priceCurrency: 'USD',
          priceSpecification: [
            { '@type': 'PriceSpecification', priceType: 'https://schema.org/MSRP', price: '33110' },
            { '@type': 'PriceSpecification', priceType: 'https://schema.org/SalePrice', price: '29888' },
          ],
        },
      },
    ],
    { model: 'escape', price: 29_888 },
  ],
  [
    'an offer around the car, as schema.org’s own example has it',
    [
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name: 'South Lot',
        makesOffer: {
          '@type': 'Offer',
          '@id': 'https://dealer.example/offers/5',
          priceSpecification: { '@type': 'UnitPriceSpecification', priceCurrency: 'USD', price: '18000' },
          availableAtOrFrom: { '@type': 'Place', address: { addressLocality: 'Tucson', addressRegion: 'AZ' } },
          itemOffered: { '@type': 'Car', name: '2009 Volkswagen GTI', color: 'Black', numberOfForwardGears: '6' },
        },
      },
    ],
    {
      externalId: 'https://dealer.example/offers/5',
      make: 'volkswagen',
      price: 18_000,
      color: 'black',
      city: 'Tucson',
    },
  ],
  [
    'an offer in a script of its own, which refers to the car in another',
    [
      { '@id': '#v', '@type': 'Car', name: '2013 Mazda CX-5 Touring', stockNumber: 'M55' },
      {
        '@type': 'Offer',
        itemOffered: { '@id': '#v' },
        price: '9,450',
        availability: 'http://schema.org/LimitedAvailability',
      },
    ],
    { externalId: 'M55', model: 'cx-5', price: 9450 },
  ],
  [
    'a car and a product of the same name, where only the product has the price',
    [
      { '@type': 'Car', name: '2012 Jeep Wrangler Sport', vehicleIdentificationNumber: '1C4AJWAG1CL100001' },
      { '@type': 'Product', name: '2012 Jeep Wrangler Sport 4x4', offers: { '@type': 'Offer', price: 14_200 } },
    ],
    { vin: '1C4AJWAG1CL100001', model: 'wrangler', price: 14_200 },
  ],
  [
    'sold',
    [{ '@type': 'Car', name: '2010 Ford F-150', sku: '6', offers: { availability: 'https://schema.org/SoldOut' } }],
    { status: 'sold' as ListingFacts['status'], price: null },
  ],
  [
    'reserved',
    [
      {
        '@type': 'Car',
        name: '2010 Ford F-150',
        sku: '6',
        offers: { availability: 'https://schema.org/Reserved', price: 7000 },
      },
    ],
    { status: 'pending' as ListingFacts['status'] },
  ],
  [
    'one of two offers is out of stock',
    [
      {
        '@type': 'Car',
        name: '2010 Ford F-150',
        sku: '6',
        offers: [
          { availability: 'https://schema.org/OutOfStock', price: 7000 },
          { availability: 'https://schema.org/InStock', price: 7000 },
        ],
      },
    ],
    { status: 'for_sale' as ListingFacts['status'] },
  ],
  [
    'a price in words',
    [{ '@type': 'Car', name: '2019 Ram 1500', sku: '7', offers: { price: 'Call for price' } }],
    { price: null },
  ],
  [
    'no price',
    [{ '@type': 'Car', name: '2019 Ram 1500', sku: '7', offers: { price: '0', priceCurrency: 'USD' } }],
    { price: null },
  ],
  [
    'another currency',
    [{ '@type': 'Car', name: '2019 Ram 1500', sku: '7', offers: { price: '30000', priceCurrency: 'CAD' } }],
    { price: null },
  ],
  [
    'a private seller’s offer',
    [
      {
        '@type': 'Car',
        name: '2008 Honda Fit',
        sku: '8',
        offers: { price: 4000, seller: { '@type': 'Person', name: 'A person' } },
      },
    ],
    { seller: 'private' },
  ],
];

test.each(snippets)('%s', (_hand, scripts, facts) => {
  const cars = carsOf(jsonLdPage(...scripts));
  expect(cars).toHaveLength(1);
  expect(cars[0]).toMatchObject(facts);
});
