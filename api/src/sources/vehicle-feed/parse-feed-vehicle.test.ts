import { expect, test } from 'vitest';
import { now } from '../../../test/reading/marketplace-items.ts';
import type { FeedRow } from './feed-row.ts';
import { parseFeedVehicle } from './parse-feed-vehicle.ts';

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
test.each(kinds.split(' '))('a vehicle_type %s is no car', (vehicle_type) => {
  expect(read({ make: 'Ford', model: 'Fusion', year: '2017', vehicle_type })).toBe('NOT_A_CAR');
});

test.each([
  { vehicle_type: 'RV_CAMPER', body_style: 'VAN' },
  { vehicle_type: 'MOTORCYCLE', body_style: 'OTHER' },
  { vehicle_type: 'trailer', body_style: 'TRUCK' },
  { body_style: 'Motorhome' },
])('%j is no car, whatever else is said', (kind) => {
  expect(read({ make: 'Ford', model: 'Transit', year: '2017', ...kind })).toBe('NOT_A_CAR');
});

test.each(['CAR_TRUCK', 'Heavy duty truck', 'car', 'Cars & Trucks', 'commercial', 'other', 'SUV', ''])(
  'a vehicle_type %j may be one',
  (vehicle_type) => {
    expect(read({ make: 'Ford', model: 'Fusion', year: '2017', vehicle_type, body_style: 'TRUCK' })).toEqual(fusion);
  },
);

test('a title that sells a part is believed, but not against a VIN', () => {
  const row = { make: 'Honda', model: 'Civic', year: '2018', title: 'Set of 4 wheels off 2018 Honda Civic' };
  expect(read(row)).toBe('NOT_A_CAR');
  expect(read({ ...row, vin: '1' })).toEqual(['honda', 'civic', 2018]);
});

test('a motorcycle of a car maker is no car, VIN or not', () => {
  expect(read({ make: 'Honda', model: 'CBR600RR', year: '2018', title: '2018 Honda CBR600RR', vin: '1' })).toBe(
    'NOT_A_CAR',
  );
});
