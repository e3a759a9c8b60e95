import { readFileSync } from 'node:fs';
import type { ListingFacts, ListingStatus, RejectCode } from '../../src/domain/facts/listing-facts.ts';

/** The expected result of an item: a rejection code or facts. Tests with a fixed clock check `listedAt`. */
export type Expected =
  | RejectCode
  | (Partial<Omit<ListingFacts, 'listedAt' | 'status'>> & {
      externalId: string;
      make: string;
      status?: `${ListingStatus}`;
    });

const salem = { city: 'Salem', state: 'OR' };
const boise = { city: 'Boise', state: 'ID' };
const nowhere = { city: null, state: null, lat: null, lng: null };
const tyler = { city: 'Tyler', state: 'TX', lat: 32.35, lng: -95.3 };
const duluth = { city: 'Duluth', state: 'MN' };
const id = (family: number, row: number) => String(family * 10 ** 14 + row);

const leSabre = {
  make: 'buick',
  model: 'lesabre',
  year: 2004,
  price: 2400,
  mileageMiles: 187_000,
  condition: 'Used',
  city: 'Rocky Mount',
  state: 'NC',
  lat: 35.95,
  lng: -77.8,
  images: ['https://photos.example/c.jpg'],
  status: 'for_sale' as const,
};
const gti = { make: 'volkswagen', year: 2009, color: 'black', images: [], ...nowhere };
const silverado = {
  make: 'chevrolet',
  model: 'silverado-2500',
  year: 2021,
  price: 42_988,
  mileageMiles: 42_461,
  transmission: 'automatic' as const,
  color: 'black',
  condition: 'Used',
  images: ['https://photos.example/s.jpg'],
};

/** Invented items in every shape that marketplaces and exports use, with the expected result of each row. */
export const marketplaceExamples: readonly { file: string; rows: readonly Expected[] }[] = [
  {
    file: 'search-pages.json',
    rows: [
      {
        externalId: id(61, 1),
        make: 'hyundai',
        model: 'tucson',
        year: 2016,
        price: 9400,
        mileageMiles: 88_000,
        ...salem,
      },
      { externalId: id(61, 2), make: 'chevrolet', model: 'silverado-1500', year: 2008, price: 6200, ...boise },
      {
        externalId: id(61, 3),
        make: 'chevrolet',
        model: 'silverado-1500',
        year: 2008,
        mileageMiles: 161_000,
        ...boise,
      },
      { externalId: id(61, 4), make: 'tesla', model: 'model-3', year: 2022, price: 2500 },
      { externalId: id(61, 5), make: 'chevrolet', year: 1981, price: 4800 },
      { externalId: id(61, 6), make: 'mini', model: 'cooper', year: 2011, price: 290 },
      { externalId: id(61, 7), make: 'subaru', model: 'impreza', year: 2013, price: null },
      { externalId: id(61, 8), make: 'mazda', model: 'cx-9', year: 2012, price: null, mileageMiles: 97_000 },
      { externalId: id(61, 9), make: 'ford', model: 'fusion', year: 2010, price: 4300, status: 'sold' },
      { externalId: id(61, 10), make: 'ford', model: 'fusion', year: 2010, price: 4400, status: 'pending' },
      { externalId: id(61, 11), make: 'dodge', model: 'grand-caravan', year: null, price: 3100, ...nowhere },
      ...Array.from({ length: 13 }, () => 'NOT_A_CAR' as const),
      { externalId: id(61, 25), make: 'lexus', model: 'rx', year: 2006, price: 5900, mileageMiles: 150_000 },
      'NOT_A_CAR',
      'UNKNOWN_MAKE',
      'NOT_A_CAR',
    ],
  },
  {
    file: 'listing-pages.json',
    rows: [
      {
        externalId: id(62, 1),
        make: 'honda',
        model: 'cr-v',
        year: 2015,
        price: 8450,
        mileageMiles: 104_000,
        transmission: 'automatic',
        color: 'black',
        condition: 'Used',
        url: `https://www.facebook.com/marketplace/item/${id(62, 1)}/`,
        status: 'sold',
        ...tyler,
      },
      'UNKNOWN_MAKE',
      {
        externalId: id(62, 3),
        title: 'Volkswagen Polo 1.2 TSI Life&Style',
        make: 'volkswagen',
        year: null,
        price: null,
        condition: 'Used - Good',
        city: 'Gouda',
        state: null,
        lat: 52.01,
        lng: 4.7,
      },
      {
        externalId: id(62, 4),
        make: 'volkswagen',
        year: 2018,
        price: 8450,
        mileageMiles: 62_137,
        transmission: 'manual',
        color: 'red',
        city: 'Tyler',
        state: 'TX',
      },
      { externalId: id(62, 5), make: 'nissan', model: 'versa', year: 2020, price: null, ...tyler },
      'NOT_A_CAR',
      { externalId: id(62, 7), make: 'toyota', model: 'prius', year: 2012, ...tyler },
    ],
  },
  {
    file: 'camel-case-export.json',
    rows: [{ ...leSabre, externalId: '1900000000000001', url: 'https://market.example/item/1900000000000001/' }],
  },
  { file: 'snake-case-export.json', rows: [{ ...leSabre, externalId: '839000000000001' }] },
  {
    file: 'detailed-export.json',
    rows: [
      'UNKNOWN_MAKE',
      {
        externalId: '000000000000002',
        make: 'ford',
        model: 'transit-connect',
        year: 2021,
        price: 41_000,
        mileageMiles: 33_000,
        color: 'silver',
        city: 'Oakland',
        state: 'CA',
        lat: 37.8,
        lng: -122.25,
        images: ['https://photos.example/d.jpg'],
      },
    ],
  },
  {
    file: 'flat-export.json',
    rows: [
      { externalId: '77', make: 'bmw', model: '3-series', year: null, price: 2300, ...nowhere, city: 'Namur' },
      { externalId: '78', make: 'bmw', model: '3-series', year: 2007, price: 5250, city: 'Austin', state: 'TX' },
      { externalId: '79', make: 'bmw', model: '3-series', year: 2007, price: null, city: 'Austin', state: 'TX' },
    ],
  },
  {
    file: 'linked-data.json',
    rows: [
      'NO_ID',
      { ...gti, externalId: 'GTI-9', price: 18_000 },
      'NO_ID',
      { ...silverado, ...duluth, externalId: 'S-2500' },
      { ...silverado, externalId: '1GC4YREY1MF100001', price: 41_900, mileageMiles: 62_137, status: 'sold' },
      { ...silverado, externalId: 'https://dealer.example/used/7#car', url: 'https://dealer.example/used/7' },
      'NOT_A_CAR',
      { ...silverado, externalId: 'https://dealer.example/used/8' },
      { ...gti, ...duluth, externalId: 'O-1', price: 9100, lat: 46.78, lng: -92.1 },
    ],
  },
];

/** Reads one file of examples. */
export const exampleText = (file: string): string =>
  readFileSync(new URL(`../fixtures/marketplace-examples/${file}`, import.meta.url), 'utf8');
