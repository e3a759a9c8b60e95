import { describe, expect, test } from 'vitest';
import { gazetteer, now } from '../../../test/reading/marketplace-items.ts';
import type { ListingFacts } from '../../domain/facts/listing-facts.ts';
import type { FeedRow } from './feed-row.ts';
import { parseFeedRow, parseFeedVehicle } from './parse-feed-row.ts';

const row = { vehicle_id: 'x', title: '2017 Ford Fusion SE', make: 'Ford', model: 'Fusion', year: '2017' };
const parse = (columns: FeedRow) => parseFeedRow(columns, { gazetteer, now });

function facts(columns: FeedRow): ListingFacts {
  const record = parse(columns);
  if ('rejection' in record) throw new Error(`${record.rejection.code}: ${record.rejection.reason}`);
  return record.facts;
}
function code(columns: FeedRow): string {
  const record = parse(columns);
  return 'facts' in record ? `accepted as ${record.facts.make}` : record.rejection.code;
}

describe('id', () => {
  test.each([
    [{ vehicle_id: ' v1 ' }, 'v1'],
    [{ auto_listing_id: 'a1', id: 'i1' }, 'a1'],
    [{ vehicle_id: '', ID: 'i1' }, 'i1'],
    [{ 'g:id': 77 }, '77'],
    [{ Vehicle_ID: { value: 'v2', type: 'x' } }, 'v2'],
  ])('%j is %s', (columns, id) => {
    const { vehicle_id: _, ...rest } = row;
    expect(facts({ ...rest, ...columns }).externalId).toBe(id);
  });
  test.each([{}, { vehicle_id: ' ' }, { vehicle_id: 'x'.repeat(201) }, { vin: '1FADP5AU6DL536022' }])(
    '%j is none',
    (columns) => {
      const { vehicle_id: _, ...rest } = row;
      expect(code({ ...rest, ...columns })).toBe('NO_ID');
    },
  );
});

describe('price', () => {
  test.each<[FeedRow, number | null]>([
    [{ price: '18000 USD' }, 18_000],
    [{ price: 'USD 18,000.00' }, 18_000],
    [{ price: '$18,000' }, 18_000],
    [{ price: '18000.00USD' }, 18_000],
    [{ price: '18 000 USD' }, 18_000],
    [{ price: ' 5843.00 usd ' }, 5843],
    [{ price: 18_000 }, 18_000],
    [{ 'g:price': '18000 USD' }, 18_000],
    [{ price: { currency: 'USD', value: '18000' } }, 18_000],
    [{ price: { currency: 'CAD', value: '18000' } }, null],
    [{ price: '39733.00 CAD' }, null],
    [{ price: '39733CAD' }, null],
    [{ price: '18000 krw' }, null],
    [{ price: '€18.000' }, null],
    [{ price: '18000', currency: 'EUR' }, null],
    [{ price: '0 USD' }, null],
    [{ price: 'Call for price' }, null],
    [{ price: '12345 USD' }, null],
    [{}, null],
    [{ price: '18000 USD', sale_price: '16000 USD' }, 16_000],
    [{ price: '16000 USD', sale_price: '18000 USD' }, 16_000],
    [{ price: '', sale_price: '16000 USD' }, 16_000],
    [{ price: '18000 USD', sale_price: '12000 CAD' }, 18_000],
    [{ price: '18000 USD', sale_price: '0 USD' }, 18_000],
    [{ price: '18000 USD', previous_price: '15000 USD' }, 18_000],
    [{ previous_price: '15000 USD', custom_number_0: '9' }, null],
  ])('%j is %s', (columns, price) => {
    expect(facts({ ...row, ...columns }).price).toBe(price);
  });
  test.each(['-5 USD', 'NaN USD', '50000000 USD', '1e999 USD', '-1e999 USD'])('%s is not a price of a car', (price) => {
    expect(code({ ...row, price })).toBe('BAD_PRICE');
  });
});

test.each<[FeedRow, number | null]>([
  [{ 'mileage.value': '1500', 'mileage.unit': 'KM' }, 932],
  [{ 'Mileage.Value': ' 1,500 ', 'mileage.unit': 'mi' }, 1500],
  [{ mileage_value: '1500', mileage_unit: 'km' }, 932],
  [{ mileage_value: 1500 }, 1500],
  [{ mileage: "{value: '1500', unit: 'KM'}" }, 932],
  [{ mileage: '{"value": 1500, "unit": "MI"}' }, 1500],
  [{ mileage: { value: '1500', unit: 'KM' } }, 932],
  [{ mileage: '45.5k miles' }, 45_500],
  [{ mileage: '1500' }, 1500],
  [{ mileage: '1500', 'mileage.unit': 'KM' }, 932],
  [{ 'mileage.value': '-3' }, null],
  [{ 'mileage.value': 'unknown' }, null],
  [{ 'mileage.value': '9999999' }, null],
])('mileage %j is %s', (columns, miles) => {
  expect(facts({ ...row, ...columns }).mileageMiles).toBe(miles);
});

const [one, two, three] = ['https://x.example/1.jpg', 'https://x.example/2.jpg?a=1,2', 'https://x.example/3.jpg'];
test.each<[FeedRow, string[]]>([
  [{ 'image[1].url': two, 'image[0].url': one, 'image[0].tag[0]': 'Gym', 'image[10].url': three }, [one, two, three]],
  [{ image: `[{"url": "${one}"}, {"url": "${two}", "tag": ["x"]}]` }, [one, two]],
  [{ image: `[{url: '${one}', tag: 'x'}, {url: '${three}'}]` }, [one, three]],
  [{ image: `["${one}", "${two}"]` }, [one, two]],
  [{ image: ` ${two} ` }, [two]],
  [{ image: `${one},${two}, ${three}` }, [one, two, three]],
  [{ image: `${one}|${two}` }, [one, two]],
  [{ image_url: one, image: three }, [one, three]],
  [{ image_link: one, additional_image_link: `${two},${three}` }, [one, two, three]],
  [{ image: [{ url: one }, { url: two }] }, [one, two]],
  [{ image: { url: one } }, [one]],
  [{ image: 'none' }, []],
  [{ image: 'javascript:alert(1)' }, []],
])('photos %j are %j', (columns, images) => {
  expect(facts({ ...row, ...columns }).images).toEqual(images);
});

describe('place', () => {
  const at = (columns: FeedRow) => {
    const { city, state, lat } = facts({ ...row, ...columns });
    return [city, state, lat === null ? null : Math.round(lat)];
  };
  const austin = ['Austin', 'TX', 30];
  const addr = { city: 'Austin', region: 'TX', postal_code: '78701', country: 'US' };
  test.each<[FeedRow, unknown[]]>([
    [{ address: "{addr1: '1 Main St', city: 'Austin', region: 'TX', postal_code: '78701', country: 'US'}" }, austin],
    [{ address: JSON.stringify(addr) }, austin],
    [{ address: addr }, austin],
    [
      {
        address: {
          component: [
            { name: 'city', value: 'Austin' },
            { name: 'region', value: 'TX' },
          ],
        },
      },
      austin,
    ],
    [{ 'address.city': 'Austin', 'address.region': 'Texas', 'address.street': '1 Main St' }, austin],
    [{ 'Address.City': ' AUSTIN ', 'address.region': 'tx' }, austin],
    [{ address_city: 'Austin', address_region: 'TX' }, austin],
    [{ 'address.postal_code': '78701' }, austin],
    [{ address: '12345 Main St, Austin, TX 78701, US' }, austin],
    [{ address: '1 Main St, Austin, Texas' }, austin],
    [{ address: '550 Auto Center Dr Austin TX 78701 US' }, austin],
    [{ address: 'Austin, TX' }, austin],
    [{ 'neighborhood[0]': 'Austin, TX' }, austin],
    [{ address: "{city: 'Coeur d'Alene', region: 'ID'}" }, ["Coeur d'Alene", 'ID', 48]],
    [{ 'address.city': 'Boston', 'address.region': 'MA', 'address.postal_code': '2108' }, ['Boston', 'MA', 42]],
    [{ 'address.postal_code': '2108' }, ['Boston', 'MA', 42]],
    [{ address: addr, latitude: '52.35', longitude: '42.10' }, austin],
    [{ address: addr, latitude: '30.5', longitude: '-97.7' }, ['Austin', 'TX', 31]],
    [{ latitude: '30.27', longitude: '-97.74' }, [null, null, 30]],
    [{ 'address.city': 'London', 'address.region': 'ON', 'address.country': 'CA' }, ['London', null, null]],
    [{ 'address.city': 'London', 'address.region': 'ON' }, ['London', null, null]],
    [{}, [null, null, null]],
  ])('%j', (columns, place) => {
    expect(at(columns)).toEqual(place);
  });
  test('invalid coordinates are a fault when no place is named', () => {
    expect(code({ ...row, latitude: '912', longitude: '42' })).toBe('BAD_PLACE');
  });
});

test.each([
  ['AVAILABLE', 'for_sale'],
  ['In stock', 'for_sale'],
  ['', 'for_sale'],
  ['not_available', 'gone'],
  ['NOT AVAILABLE', 'gone'],
  ['out of stock', 'gone'],
  ['Sold', 'sold'],
  ['PENDING', 'pending'],
])('availability %j is %s', (availability, status) => {
  expect(facts({ ...row, availability }).status).toBe(status);
});

test.each<[FeedRow, string | null]>([
  [{ date_first_on_lot: '2018-02-21' }, '2018-02-21T00:00:00.000Z'],
  [{ date_first_on_lot: '2/21/2018' }, '2018-02-21T00:00:00.000Z'],
  [{ date_first_on_lot: '2018-02-21T10:00:00-05:00' }, '2018-02-21T15:00:00.000Z'],
  [{ date_first_on_lot: '2999-01-01' }, now.toISOString()],
  [{ days_on_lot: '2' }, new Date(now.getTime() - 2 * 86_400_000).toISOString()],
  [{ date_first_on_lot: 'soon' }, null],
])('%j was listed %s', (columns, listedAt) => {
  expect(facts({ ...row, ...columns }).listedAt?.toISOString() ?? null).toBe(listedAt);
});

test.each<[FeedRow, string | null]>([
  [{ condition: 'EXCELLENT', state_of_vehicle: 'NEW' }, 'Excellent'],
  [{ state_of_vehicle: 'Used' }, 'Used'],
  [{ condition: 'OTHER', state_of_vehicle: 'new' }, 'New'],
  [{}, null],
])('condition %j is %s', (columns, condition) => {
  expect(facts({ ...row, ...columns }).condition).toBe(condition);
});

test('color, transmission, page and names are read in the spellings that sellers use', () => {
  const read = facts({
    ...{
      ID: 'k',
      Description: 'x',
      URL: 'https://x.example/k',
      link: 'https://x.example/l',
      brand: 'FORD',
      MODEL: ' fusion ',
    },
    ...{
      Exterior_Color: 'Champagne',
      interior_color: 'black',
      TRANSMISSION: '6-Speed Manual',
      custom_label_0: 'hot',
      year: '2017.0',
    },
  });
  expect(read).toMatchObject({
    ...{ externalId: 'k', make: 'ford', model: 'fusion', year: 2017, title: '2017.0 FORD fusion' },
    ...{ color: 'beige', transmission: 'manual', url: 'https://x.example/k' },
  });
});

test('titles are stored without markup, NULs and control characters', () => {
  expect(facts({ ...row, title: '<b>2017</b>\u0000 Ford\u0007 Fusion' }).title).toBe('2017 Ford Fusion');
});

const read = ({ title = '', vin, ...row }: FeedRow) => {
  const found = parseFeedVehicle(row, String(title), vin !== undefined, now);
  return 'code' in found ? found.code : [found.make, found.model, found.year];
};
const fusion = ['ford', 'fusion', 2017];

test.each<[FeedRow, unknown]>([
  [{ make: 'Ford', model: 'Fusion', year: '2017' }, fusion],
  [{ make: 'FORD', model: 'fusion hybrid', year: 2017 }, fusion],
  [{ make: 'Chevy', model: 'Silverado 1500', year: '2018' }, ['chevrolet', 'silverado-1500', 2018]],
  [{ make: 'Chevrolet', model: 'Silverado', trim: '2500HD LT', year: '2018' }, ['chevrolet', 'silverado-2500', 2018]],
  [{ make: 'Nissan', model: 'Rogue', trim: 'Sport', year: '2018' }, ['nissan', 'rogue', 2018]],
  [{ make: 'Dodge', model: 'Ram 1500', trim: 'Sport', year: '2018' }, ['ram', '1500', 2018]],
  [{ make: 'Mercedes', model: 'C 300', year: '2018' }, ['mercedes-benz', 'c-class', 2018]],
  [{ make: 'Ford', model: 'Fusion', year: '2017', title: 'Better than a Toyota Camry' }, fusion],
  [{ make: 'Ford', model: 'Fusion', year: '2017', title: '2016 Ford Fusion' }, fusion],
  [{ make: 'Ford', title: '2017 Ford Fusion SE' }, fusion],
  [{ make: 'N/A', model: '', year: '', title: '2017 Ford Fusion SE' }, fusion],
  [{ title: '2017 Ford Fusion SE' }, fusion],
  [{ model: 'Camry', year: '2015' }, ['toyota', 'camry', 2015]],
  [{ make: 'Ford', model: 'Spaceship', year: '2017' }, ['ford', null, 2017]],
  [{ make: 'Freightliner', model: 'M2', year: '2017', title: '2017 Freightliner M2' }, 'UNKNOWN_MAKE'],
  [{ make: 'Polaris', model: 'Ranger', year: '2017', title: '2017 Polaris Ranger' }, 'NOT_A_CAR'],
  [{ title: 'Great deal!' }, 'NOT_A_CAR'],
  [{}, 'NOT_A_CAR'],
])('%j is %j', (row, car) => {
  expect(read(row)).toEqual(car);
});

test.each(['9999', '0', '1800', 'abc', "'17", '17', '2017/2018', '-2017', '20177'])(
  'the year %s is a fault',
  (year) => {
    expect(read({ make: 'Ford', model: 'Fusion', year })).toBe('BAD_YEAR');
  },
);

const kinds =
  'boat BOAT motorcycle Motorcycles rv RV_CAMPER trailer powersport POWERSPORTS ATV camper motorhome heavy_equipment';
test.each(kinds.split(' '))('a vehicle_type %s is not a car', (vehicle_type) => {
  expect(read({ make: 'Ford', model: 'Fusion', year: '2017', vehicle_type })).toBe('NOT_A_CAR');
});

test.each([
  { vehicle_type: 'RV_CAMPER', body_style: 'VAN' },
  { vehicle_type: 'MOTORCYCLE', body_style: 'OTHER' },
  { vehicle_type: 'trailer', body_style: 'TRUCK' },
  { body_style: 'Motorhome' },
])('%j is not a car, whatever the other columns state', (kind) => {
  expect(read({ make: 'Ford', model: 'Transit', year: '2017', ...kind })).toBe('NOT_A_CAR');
});

test.each(['CAR_TRUCK', 'Heavy duty truck', 'car', 'Cars & Trucks', 'commercial', 'other', 'SUV', ''])(
  'a vehicle_type %j may be a car',
  (vehicle_type) => {
    expect(read({ make: 'Ford', model: 'Fusion', year: '2017', vehicle_type, body_style: 'TRUCK' })).toEqual(fusion);
  },
);

test('a title that offers a part is rejected, unless a VIN shows a whole car', () => {
  const row = { make: 'Honda', model: 'Civic', year: '2018', title: 'Set of 4 wheels off 2018 Honda Civic' };
  expect(read(row)).toBe('NOT_A_CAR');
  expect(read({ ...row, vin: '1' })).toEqual(['honda', 'civic', 2018]);
});

test('a motorcycle of a car maker is not a car, with or without a VIN', () => {
  expect(read({ make: 'Honda', model: 'CBR600RR', year: '2018', title: '2018 Honda CBR600RR', vin: '1' })).toBe(
    'NOT_A_CAR',
  );
});
