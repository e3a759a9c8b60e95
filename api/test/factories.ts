import { type ListingFacts, ListingStatus } from '../src/domain/facts/listing-facts.ts';

let counter = 0;

/** Facts of an ordinary car in Los Angeles; every call makes another car with an id of its own. */
export function buildFacts(overrides: Partial<ListingFacts> = {}): ListingFacts {
  counter += 1;
  return {
    externalId: `car-${counter}`,
    title: '2018 Toyota Camry SE',
    make: 'toyota',
    model: 'camry',
    year: 2018,
    price: 15_400,
    mileageMiles: 20_011 + counter * 1_013,
    transmission: 'automatic',
    color: 'silver',
    condition: 'used',
    city: 'Pasadena',
    state: 'CA',
    lat: 34.1478,
    lng: -118.1445,
    images: ['https://photos.example/1.jpg'],
    url: 'https://marketplace.example/1',
    listedAt: new Date('2026-01-01T12:00:00Z'),
    status: ListingStatus.forSale,
    ...overrides,
  };
}
