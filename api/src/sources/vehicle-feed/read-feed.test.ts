import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gazetteer, now } from '../../../test/reading/marketplace-items.ts';
import { type ListingFacts, ListingStatus, type ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { parseMarketplacePage } from '../marketplace-items/read-marketplace-items.ts';
import { readVehicleFeed } from './read-feed.ts';

const context = { gazetteer, now };

async function read(text: string, length = 1 << 16): Promise<ParsedRecord[]> {
  async function* chunks() {
    for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
  }
  const records: ParsedRecord[] = [];
  for await (const record of readVehicleFeed({ text: chunks, contentType: null, name: 'feed.csv' }, context)) {
    records.push(record);
  }
  return records;
}

const push = (rows: unknown): ParsedRecord[] => parseMarketplacePage(JSON.stringify(rows), context);
const outcome = (records: ParsedRecord[]) =>
  records.map((record) => ('facts' in record ? record.facts.externalId : `!${record.rejection.code}`));
const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/vehicle-feeds/${name}`, import.meta.url), 'utf8');

/** Meta's example row: its sale price is the price, and Watsonville wins over coordinates in Kazakhstan. */
const metaExample: ListingFacts = {
  externalId: 'i2',
  title: '2017 Ford Fusion SE',
  make: 'ford',
  model: 'fusion',
  year: 2017,
  price: 16_000,
  mileageMiles: 932,
  vin: '1FADP5AU6DL536022',
  prepayment: null,
  trim: 'SE',
  description: 'Ford Certified and 6-Speed Automatic. Turbocharged! Gasoline!',
  factsRead: [{ fact: 'trim', from: 'title', value: 'SE', words: 'se' }],
  seller: null,
  titleStatus: null,
  transmission: 'automatic',
  fuel: 'gas',
  drive: 'fwd',
  body: 'sedan',
  color: 'white',
  condition: 'Excellent',
  city: 'Watsonville',
  state: 'CA',
  lat: expect.closeTo(36.91, 1) as number,
  lng: expect.closeTo(-121.76, 1) as number,
  images: ['http://www.facebook.com/teapic.jpg'],
  url: 'http://www.example.com/test',
  listedAt: new Date('2018-02-21T00:00:00Z'),
  status: ListingStatus.forSale,
};
const hotel = 'https://images.trvl-media.com/hotels/3000000/2260000/2250400/2250336/2250336_1_y.jpg';

test.each<[string, Partial<ListingFacts>]>([
  ['meta-example.tsv', {}],
  ['meta-example.csv', {}],
  ['meta-example-image-array.csv', { images: [hotel], listedAt: new Date('2018-09-15T00:00:00Z') }],
  ['meta-example.xml', {}],
])('Meta’s example %s is one Ford Fusion', async (name, other) => {
  for (const length of [1, 1 << 16]) {
    expect(await read(fixture(name), length)).toEqual([{ facts: { ...metaExample, ...other } }]);
  }
});

test('the example gives the same facts when its row is pushed, flat or nested, bare or under listing', async () => {
  const [names = [], cells = []] = fixture('meta-example.tsv')
    .split('\n')
    .map((line) => line.split('\t'));
  const flat = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  const nested = {
    ...{
      vehicle_id: 'i2',
      description: metaExample.description,
      title: '2017 Ford Fusion SE',
      make: 'Ford',
      model: 'Fusion',
      year: 2017,
      price: '18000 USD',
    },
    ...{
      sale_price: '16000 USD',
      mileage: { value: 1500, unit: 'KM' },
      vin: '1FADP5AU6DL536022',
      condition: 'EXCELLENT',
    },
    ...{
      transmission: 'AUTOMATIC',
      fuel_type: 'GASOLINE',
      drivetrain: 'FWD',
      body_style: 'SEDAN',
      exterior_color: 'white',
      latitude: 52.35,
      longitude: 42.1,
      date_first_on_lot: '2018-02-21',
    },
    ...{ image: [{ url: 'http://www.facebook.com/teapic.jpg', tag: ['Gym'] }], url: 'http://www.example.com/test' },
    address: { addr1: '550 Auto Center Dr', city: 'Watsonville', region: 'CA', postal_code: '96075', country: 'US' },
  };
  for (const row of [flat, nested, { listing: flat }]) expect(push([row])).toEqual([{ facts: metaExample }]);
});

const header = 'vehicle_id,title,price';
const car = (id: string) => `${id},2017 Ford Fusion,18000 USD`;

test('all rows of an id that occurs twice are rejected, wherever they are', async () => {
  const rows = [
    car('a'),
    car('b'),
    ...Array.from({ length: 300 }, (_, index) => car(`c${index}`)),
    'b,parts only,1',
    ' a ,x,2',
  ];
  const records = await read([header, ...rows].join('\n'));
  const seen = outcome(records);
  expect([seen[0], seen[1], seen[2], seen.at(-2), seen.at(-1)]).toEqual([
    '!DUPLICATE_ID',
    '!DUPLICATE_ID',
    'c0',
    '!DUPLICATE_ID',
    '!DUPLICATE_ID',
  ]);
  expect(seen.filter((one) => one.startsWith('!'))).toHaveLength(4);
  const rejection = records[0] && 'rejection' in records[0] ? records[0].rejection : null;
  expect(rejection).toMatchObject({
    externalId: 'a',
    reader: 'feed',
    record: expect.stringContaining('"vehicle_id":"a"'),
  });
});

test('rows with the same id are rejected in XML and in a push as well; of marketplace items one is used', async () => {
  const row = (id: string) => ({ vehicle_id: id, title: '2017 Ford Fusion', price: '18000 USD' });
  const xml = ['a', 'b', 'a'].map(
    (id) => `<item><g:vehicle_id>${id}</g:vehicle_id><title>2017 Ford Fusion</title></item>`,
  );
  expect(outcome(await read(`<rss><channel>${xml.join('')}</channel></rss>`))).toEqual([
    '!DUPLICATE_ID',
    'b',
    '!DUPLICATE_ID',
  ]);
  expect(outcome(push([row('a'), row('b'), row('a')]))).toEqual(['!DUPLICATE_ID', 'b', '!DUPLICATE_ID']);
  const item = { id: '7', title: '2017 Ford Fusion', price: '$18,000' };
  expect(outcome(push([item, item]))).toEqual(['7', '7']);
});

test('the delimiter is detected by the content, whatever the file name', async () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const text = [header, car('a'), car('b')].join('\r\n').replaceAll(',', delimiter);
    expect(outcome(await read(text)), delimiter).toEqual(['a', 'b']);
    expect(outcome(await read(`\n\n${text}`)), delimiter).toEqual(['a', 'b']);
  }
  expect(outcome(await read('id|title|"custom, label, 0"|price\na|2017 Ford Fusion, blue||1'))).toEqual(['a']);
});

test.each([
  ['', /empty/],
  ['title,price\n2017 Ford Fusion,1\n', /no column vehicle_id/],
  [car('a'), /no column vehicle_id/],
  ['<html><body>Sign in</body></html>', /web page/],
  ['{"items": []}', /JSON/],
])('%j is no feed', async (text, reason) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'MALFORMED', message: expect.stringMatching(reason) });
});

test('a feed with a header alone is complete and has no rows', async () => {
  expect(await read(header)).toEqual([]);
  expect(await read('<listings></listings>')).toEqual([]);
});

test('all complete rows of a truncated feed are yielded before the error', async () => {
  async function* torn() {
    yield `${header}\n${car('a')}\n${car('b')}\nc,2017`;
  }
  const seen: string[] = [];
  const reading = async () => {
    for await (const record of readVehicleFeed({ text: torn, contentType: null, name: '' }, context)) {
      seen.push(...outcome([record]));
    }
  };
  await expect(reading()).rejects.toMatchObject({ code: 'MALFORMED' });
  expect(seen).toEqual(['a', 'b']);
});

/** Headers of public generators of Meta's feed, as they write them. */
const headers = {
  dealerOn:
    'vehicle_id,title,description,url,make,model,year,mileage.value,mileage.unit,image[0].url,image[1].url,price,exterior_color,state_of_vehicle,address.addr1,address.city,address.region,address.postal_code,address.country,latitude,longitude,availability,custom_label_0,body_style,vin',
  oneCell:
    'vehicle_id,title,description,url,make,model,year,mileage.value,mileage.unit,price,state_of_vehicle,availability,body_style,exterior_color,transmission,fuel_type,image,address',
  withTrim:
    'vehicle_id,title,description,url,image[0].url,image[1].url,make,model,year,trim,mileage.value,mileage.unit,price,state_of_vehicle,exterior_color,transmission,body_style,vin,condition,availability,address.addr1,address.city,address.region,address.postal_code,address.country,dealer_name',
  street:
    'vehicle_id,make,model,year,vin,mileage.value,mileage.unit,body_style,title,description,price,image[0].url,url,availability,fuel_type,transmission,exterior_color,state_of_vehicle,address.street,address.city,address.region,address.country,address.postal_code',
  underscores:
    'vehicle_id,description,vin,make,model,year,body_style,price,mileage_value,state_of_vehicle,exterior_color,url,image_url',
  paidAds:
    'id,Description,URL,link,title,body_style,mileage.unit,mileage.value,price,sale_price,address.addr1,address.addr2,address.addr3,address.city,address.city_id,address.region,address.postal_code,address.country,address.unit_number,latitude,longitude,neighborhood[0],condition,brand,model',
};

const photo = 'https://dealer.example/1.jpg';
const cells: Record<string, string> = {
  ...{
    vehicle_id: 'k1',
    id: 'k1',
    title: '2019 Honda Civic EX',
    make: 'Honda',
    brand: 'Honda',
    model: 'Civic',
    year: '2019',
  },
  ...{ description: 'Clean, one "owner"', url: 'https://dealer.example/k1', link: 'https://dealer.example/other' },
  ...{
    'mileage.value': '40000',
    mileage_value: '40000',
    'mileage.unit': 'MI',
    price: '15500.00 USD',
    sale_price: '14900 USD',
  },
  ...{
    'image[0].url': photo,
    image: photo,
    image_url: photo,
    exterior_color: 'Blue',
    transmission: 'Automatic',
    trim: 'EX',
  },
  ...{ 'address.addr1': '1 Main St', 'address.street': '1 Main St', 'address.city': 'Miami', 'address.region': 'FL' },
  ...{ 'address.postal_code': '33101', 'address.country': 'US', address: '{city: "Miami", region: "FL"}' },
  ...{ state_of_vehicle: 'Used', condition: 'GOOD', availability: 'In stock', body_style: 'SEDAN' },
};

const quoted = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

test.each(Object.entries(headers))('all that a feed with the header of %s states is read', async (_, header) => {
  const names = header.split(',');
  const row = names.map((name) => quoted(cells[name.toLowerCase()] ?? ''));
  async function* text() {
    yield `${header}\n${row.join(',')}\n`;
  }
  const records = [];
  for await (const record of readVehicleFeed({ text, contentType: 'text/csv', name: '' }, { gazetteer, now }))
    records.push(record);
  const has = (...some: string[]) => some.some((name) => names.includes(name));
  expect(records).toEqual([
    {
      facts: expect.objectContaining({
        ...{ externalId: 'k1', make: 'honda', model: 'civic', year: has('year', 'title') ? 2019 : null },
        ...{ price: has('sale_price') ? 14_900 : 15_500, mileageMiles: 40_000, url: 'https://dealer.example/k1' },
        images: has('image[0].url', 'image', 'image_url') ? [photo] : [],
        city: has('address', 'address.city') ? 'Miami' : null,
        state: has('address', 'address.city') ? 'FL' : null,
        color: has('exterior_color') ? 'blue' : null,
        transmission: has('transmission') ? 'automatic' : null,
        condition: has('condition') ? 'Good' : 'Used',
        status: 'for_sale',
      }),
    },
  ]);
});
