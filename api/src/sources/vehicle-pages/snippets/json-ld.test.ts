import { describe, expect, test } from 'vitest';
import { carsOf, jsonLdPage, pageUrl } from '../../../../test/reading/vehicle-pages.ts';
import type { ListingFacts } from '../../../domain/facts/listing-facts.ts';

/**
 * Snippets of JSON-LD as different hands write them, after schema.org, Google's documentation of vehicle listings, and the
 * habits of dealers' platforms. Each is one car; the facts are all that it states.
 */
const snippets: [hand: string, scripts: unknown[], facts: Partial<ListingFacts>][] = [
  [
    'Google’s vehicle listing: Car with every recommended property',
    [
      {
        '@context': 'https://schema.org',
        '@type': 'Car',
        name: '2018 Volkswagen Golf SE',
        vehicleIdentificationNumber: '3VWG17AU1JM500001',
        image: ['https://dealer.example/p/1x1/photo.jpg', 'https://dealer.example/p/4x3/photo.jpg'],
        url: 'https://dealer.example/used/7',
        offers: {
          '@type': 'Offer',
          availability: 'https://schema.org/InStock',
          price: 13500,
          priceCurrency: 'USD',
        },
        itemCondition: 'https://schema.org/UsedCondition',
        brand: { '@type': 'Brand', name: 'Volkswagen' },
        model: 'Golf',
        vehicleConfiguration: 'SE',
        vehicleModelDate: '2018',
        mileageFromOdometer: { '@type': 'QuantitativeValue', value: '55000', unitCode: 'SMI' },
        color: 'Pearl White',
        vehicleInteriorColor: 'Black',
        vehicleInteriorType: 'Leather',
        bodyType: 'Hatchback',
        driveWheelConfiguration: 'https://schema.org/FrontWheelDriveConfiguration',
        vehicleEngine: { '@type': 'EngineSpecification', fuelType: 'Gasoline' },
        vehicleTransmission: '6-speed automatic',
        numberOfDoors: 4,
        vehicleSeatingCapacity: 5,
      },
    ],
    {
      externalId: '3VWG17AU1JM500001',
      vin: '3VWG17AU1JM500001',
      make: 'volkswagen',
      model: 'golf',
      year: 2018,
      price: 13500,
      mileageMiles: 55_000,
      color: 'white',
      body: 'hatchback',
      drive: 'fwd',
      fuel: 'gas',
      transmission: 'automatic',
      condition: 'Used',
      images: ['https://dealer.example/p/1x1/photo.jpg', 'https://dealer.example/p/4x3/photo.jpg'],
      url: 'https://dealer.example/used/7',
      status: 'for_sale' as ListingFacts['status'],
    },
  ],
  [
    'a graph of a plugin for search engines: the car refers to its offer, the offer to the dealer',
    [
      {
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'WebSite',
            '@id': 'https://dealer.example/#website',
            url: 'https://dealer.example/',
            name: 'North Lot',
          },
          {
            '@type': 'WebPage',
            '@id': pageUrl,
            name: '2016 Toyota Tacoma',
            breadcrumb: { '@id': '#crumbs' },
            mainEntity: { '@id': '#car' },
          },
          {
            '@type': 'BreadcrumbList',
            '@id': '#crumbs',
            itemListElement: [{ '@type': 'ListItem', position: 1, item: { '@id': '/used', name: 'Used trucks' } }],
          },
          {
            '@type': ['AutoDealer', 'Organization'],
            '@id': '#dealer',
            name: 'North Lot',
            address: { '@type': 'PostalAddress', addressLocality: 'Boise', addressRegion: 'ID', postalCode: '83702' },
          },
          {
            '@type': 'Vehicle',
            '@id': '#car',
            name: '2016 Toyota Tacoma TRD Off Road',
            offers: { '@id': '#offer' },
            mileageFromOdometer: '88,120 miles',
          },
          { '@type': 'Offer', '@id': '#offer', price: '24,995', priceCurrency: 'USD', seller: { '@id': '#dealer' } },
        ],
      },
    ],
    {
      externalId: `${pageUrl}#car`,
      make: 'toyota',
      model: 'tacoma',
      year: 2016,
      price: 24_995,
      mileageMiles: 88_120,
      seller: 'dealer',
      city: 'Boise',
      state: 'ID',
      url: pageUrl,
    },
  ],
  [
    'types in a list, and a stock number as the id',
    [
      {
        '@context': 'http://schema.org/',
        '@type': ['Product', 'Car'],
        name: '2020 Kia Soul LX',
        sku: 'K1234',
        mpn: 'K1234',
        brand: 'Kia',
        offers: {
          '@type': 'Offer',
          price: '15488.00',
          priceCurrency: 'USD',
          itemCondition: 'http://schema.org/UsedCondition',
        },
      },
    ],
    { externalId: 'K1234', make: 'kia', model: 'soul', year: 2020, price: 15_488, condition: 'Used' },
  ],
  [
    'a product with pairs of details',
    [
      {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: '2015 Subaru Outback 2.5i Premium',
        productID: 'P-778',
        additionalProperty: [
          { '@type': 'PropertyValue', name: 'Mileage', value: '101,233' },
          { '@type': 'PropertyValue', name: 'Exterior Color', value: 'Maroon' },
          { '@type': 'PropertyValue', name: 'Transmission', value: 'CVT' },
          { '@type': 'PropertyValue', name: 'Drivetrain', value: 'AWD' },
          { '@type': 'PropertyValue', name: 'VIN', value: '4S4BSACC5F3200001' },
        ],
        offers: { '@type': 'Offer', price: '$12,495', availability: 'InStock' },
      },
    ],
    {
      externalId: '4S4BSACC5F3200001',
      make: 'subaru',
      model: 'outback',
      price: 12_495,
      mileageMiles: 101_233,
      color: 'red',
      transmission: 'automatic',
      drive: 'awd',
    },
  ],
  [
    'kilometres, a date as the model year, and a make as the manufacturer',
    [
      {
        '@type': 'schema:Vehicle',
        'schema:name': 'Impreza 2.0i',
        manufacturer: { '@type': 'Organization', name: 'Subaru' },
        model: { '@type': 'ProductModel', name: 'Impreza' },
        vehicleModelDate: '2017-01-01',
        mileageFromOdometer: { '@type': 'QuantitativeValue', value: 100_000, unitCode: 'KMT' },
        productID: '4',
        offers: { '@type': 'Offer', price: 9800, priceCurrency: 'USD' },
      },
    ],
    { title: 'Impreza 2.0i', make: 'subaru', model: 'impreza', year: 2017, mileageMiles: 62_137 },
  ],
  [
    'relative addresses and images as objects',
    [
      {
        '@type': 'Car',
        name: '2011 Lexus RX 350',
        sku: 'L9',
        url: '/used/7?utm=x#top',
        image: [
          { '@type': 'ImageObject', url: '/photos/a.jpg' },
          { contentUrl: '../photos/b.jpg' },
          '//cdn.example/c.jpg',
        ],
        offers: { price: 8500 },
      },
    ],
    {
      url: 'https://dealer.example/used/7?utm=x#top',
      images: [
        'https://dealer.example/photos/a.jpg',
        'https://dealer.example/photos/b.jpg',
        'https://cdn.example/c.jpg',
      ],
    },
  ],
  [
    'values in lists and objects where texts are expected',
    [
      {
        '@type': ['https://schema.org/Car'],
        name: ['2017 Chevrolet Malibu LT'],
        sku: ['9'],
        color: { '@type': 'Text', name: 'Silver' },
        vehicleTransmission: ['Automatic'],
        mileageFromOdometer: [{ value: '61,002 mi' }],
        offers: [{ price: ['13,750'] }],
      },
    ],
    {
      externalId: '9',
      model: 'malibu',
      color: 'silver',
      transmission: 'automatic',
      mileageMiles: 61_002,
      price: 13_750,
    },
  ],
  [
    'an id that belongs to the site is none; the page is the id',
    [{ '@type': 'Car', '@id': 'https://dealer.example/#product', name: '2006 BMW 325i', offers: { price: 5200 } }],
    { externalId: pageUrl, model: '3-series' },
  ],
];

test.each(snippets)('%s', (_hand, scripts, facts) => {
  const cars = carsOf(jsonLdPage(...scripts));
  expect(cars).toHaveLength(1);
  expect(cars[0]).toMatchObject(facts);
});

describe('the place', () => {
  const car = { '@type': 'Car', name: '2010 Ford F-150', sku: '6', offers: { price: 7000 } };
  const dealer = (city: string) => ({
    '@type': 'AutoDealer',
    address: { '@type': 'PostalAddress', streetAddress: '1 Main St', addressLocality: city, addressRegion: 'MT' },
  });

  test('is the dealer’s, where the page names one dealer', () => {
    expect(carsOf(jsonLdPage(car, dealer('Billings')))[0]).toMatchObject({
      city: 'Billings',
      state: 'MT',
      seller: 'dealer',
    });
  });

  test('is not guessed where the page names two dealers', () => {
    expect(carsOf(jsonLdPage(car, dealer('Billings'), dealer('Missoula')))[0]).toMatchObject({ city: null, lat: null });
  });

  test('is that of the settings where the page names none', () => {
    expect(carsOf(jsonLdPage(car), 'Billings, MT')[0]).toMatchObject({ city: 'Billings', state: 'MT' });
    expect(carsOf(jsonLdPage(car, dealer('Missoula')), 'Billings, MT')[0]).toMatchObject({ city: 'Missoula' });
  });
});
