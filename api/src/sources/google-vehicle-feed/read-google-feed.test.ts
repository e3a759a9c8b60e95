import { readFileSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { gazetteer, now } from '../../../test/reading/marketplace-items.ts';
import { ListingStatus, type ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { readAgain } from '../read-again.ts';
import type { Stores } from './google-row.ts';
import { readGoogleFeed } from './read-google-feed.ts';

const context = { gazetteer, now };
const stores: Stores = { 'Austin-01': 'Austin, TX', 'Dallas 7': '75201' };

async function read(text: string, places = stores): Promise<ParsedRecord[]> {
  async function* chunks() {
    yield text;
  }
  const records: ParsedRecord[] = [];
  for await (const one of readGoogleFeed({ text: chunks, contentType: null, name: 'feed' }, context, places)) {
    records.push(one);
  }
  return records;
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/google-feeds/${name}`, import.meta.url), 'utf8');
const outcome = (record: ParsedRecord | undefined) =>
  record && ('facts' in record ? record.facts : `${record.rejection.code} ${record.rejection.externalId}`);
const reason = (record: ParsedRecord | undefined) => record && 'rejection' in record && record.rejection.reason;

const camry = {
  externalId: 'A-1001',
  title: '2019 Toyota Camry SE',
  make: 'toyota',
  model: 'camry',
  year: 2019,
  price: 18_995,
  mileageMiles: 41_200,
  vin: '1FADP5AU6DL536022',
  condition: 'Certified pre-owned',
  color: 'silver',
  body: 'sedan',
  fuel: 'gas',
  seller: 'dealer',
  city: 'Austin',
  state: 'TX',
  images: [1, 2, 3].map((photo) => `https://img.example.com/A-1001-${photo}.jpg`),
  status: ListingStatus.forSale,
};
const maverick = {
  externalId: 'A-1002',
  title: '2025 Ford Maverick',
  make: 'ford',
  model: 'maverick',
  price: 31_500,
  mileageMiles: 7,
  vin: null,
  condition: 'New',
  body: 'truck',
  fuel: 'hybrid',
  city: 'Dallas',
  state: 'TX',
  url: 'https://www.example.com/vehicles/A-1002/store/Dallas%207',
};

test('vehicle ads in XML: each car stands at its store, and what is no car or has no known store is rejected', async () => {
  const records = await read(fixture('vehicle-ads.xml'));
  expect(records.map(outcome)).toMatchObject([
    { ...camry, url: 'https://www.example.com/vehicles/A-1001', listedAt: new Date('2026-05-20T00:00:00Z') },
    maverick,
    'BAD_PLACE A-1003',
    'NOT_A_CAR A-1004',
  ]);
  expect(reason(records[2])).toMatch(/Nowhere-9 is not among the source’s stores/);
});

test('vehicle ads as text separated by tabs are the same cars', async () => {
  const [first, second, ...others] = (await read(fixture('vehicle-ads.tsv'))).map(outcome);
  expect(first).toMatchObject({ ...camry, url: 'https://www.example.com/vehicles/A-1001?store=Austin-01' });
  expect(second).toMatchObject(maverick);
  expect(others).toEqual([]);
});

test('vehicle listings, which have an address and may have no id', async () => {
  expect((await read(fixture('vehicle-listings.csv'), {})).map(outcome)).toMatchObject([
    {
      externalId: '1FADP5AU6DL536022',
      title: '2013 Ford Fusion SE',
      price: 10_499,
      mileageMiles: 52_777,
      color: 'white',
      condition: 'Used',
      transmission: 'automatic',
      drive: 'fwd',
      city: 'Mountain View',
      state: 'CA',
      url: 'https://www.example.com/v/1',
      listedAt: new Date('2026-05-20T00:00:00Z'),
    },
  ]);
});

const header = 'id,brand,model,year,price';
it.each<[string, string, string, Stores, unknown]>([
  ['the place of all other stores', ',store_code', ',x', { '*': 'Austin, TX' }, { city: 'Austin', state: 'TX' }],
  ['no store, where one place is that of all', '', '', { '*': '78701' }, { city: 'Austin', state: 'TX' }],
  ['no store and no place', '', '', stores, 'BAD_PLACE 1'],
  ['a store code in other letters', ',store_code', ',AUSTIN-01', stores, 'BAD_PLACE 1'],
  ['a store called like a method', ',store_code', ',constructor', stores, 'BAD_PLACE 1'],
  ['several stores in a cell', ',store_code', ',"x,Austin-01"', stores, { city: 'Austin' }],
  ['the price in Canada', ',vehicle_all_in_price', ',8000 CAD', { '*': 'Austin, TX' }, { price: 9000 }],
  [
    'a displacement in place of a fuel',
    ',engine',
    ',3.5L V6',
    { '*': 'Austin, TX' },
    expect.not.objectContaining({ fuel: expect.anything() }),
  ],
  ['a plug-in hybrid', ',engine', ',plug-in hybrid', { '*': 'Austin, TX' }, { fuel: 'plug_in_hybrid' }],
])('%s', async (_, columns, cells, places, expected) => {
  const [record] = await read(`${header}${columns}\n1,Honda,Civic,2014,9000 USD${cells}\n`, places);
  if (typeof expected === 'string') expect(outcome(record)).toBe(expected);
  else expect(outcome(record)).toMatchObject(expected as object);
});

it('rejects all rows of a car that is listed twice', async () => {
  const rows = ['1,Honda,Civic,2014,9000 USD', '2,Honda,Fit,2014,9000 USD', '1,Honda,Civic,2014,8000 USD'];
  const records = await read([header, ...rows, ''].join('\n'), { '*': 'Austin, TX' });
  expect(records.map(outcome)).toMatchObject(['DUPLICATE_ID 1', { externalId: '2' }, 'DUPLICATE_ID 1']);
});

it('says which columns it looks for, and that a feed is cut off', async () => {
  await expect(read('name,price\nx,1\n')).rejects.toThrow('The first line names no column id, but name, price.');
  await expect(read(fixture('vehicle-ads.xml').slice(0, 2500))).rejects.toThrow(/not well-formed/);
});

it('rejects a row of an unknown store again when it is tried again', async () => {
  const rejectedRow = (await read(fixture('vehicle-ads.xml')))[2];
  if (!rejectedRow || !('rejection' in rejectedRow)) throw new Error('not rejected');
  const { reader, record } = rejectedRow.rejection;
  expect(outcome(readAgain(reader ?? 'items', record, context) ?? undefined)).toBe('BAD_PLACE A-1003');
});

const three = (column: string, code: string, template: string) =>
  [1, 2, 3]
    .map((id) => `${id},Honda,Civic,2014,9000 USD,${id === 2 ? `${code},${template}` : 'Austin-01,'}`)
    .reduce((text, row) => `${text}${row}\n`, `${header},store_code,${column}\n`);

it.each([
  ['a template of nothing but codes', 'x'.repeat(100_000), `https://a.example/${'{store_code}'.repeat(10_000)}`],
  ['a store code as long as a row', '\u{1F697}'.repeat(60_000), 'https://a.example/{store_code}'],
])('reads the rows around one with %s', async (_, code, template) => {
  const records = await read(three('link_template', code, template), { '*': 'Austin, TX' });
  expect(records.map(outcome)).toMatchObject([
    { externalId: '1' },
    { externalId: '2', url: null },
    { externalId: '3' },
  ]);
});

it('rejects a row alone that the reader fails at, under its id', async () => {
  const failing = new Proxy(stores, {
    getOwnPropertyDescriptor(places, code) {
      if (code === 'x') throw new RangeError('Invalid string length');
      return Reflect.getOwnPropertyDescriptor(places, code);
    },
  });
  const records = await read(three('note', 'x', ''), failing);
  expect(records.map(outcome)).toMatchObject([{ externalId: '1' }, 'MALFORMED 2', { externalId: '3' }]);
  expect(reason(records[1])).toBe('LotWatch could not read it: Invalid string length');
});
