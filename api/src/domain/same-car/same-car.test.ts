import { expect, it } from 'vitest';
import { cellOf } from '../criteria/cells.ts';
import { searchKey, vehicleKey } from '../criteria/search-columns.ts';
import { photoAddress } from '../photo-paths.ts';
import { carLocks, carProbe, readVin } from './car-probe.ts';
import { GROWN_A_LITTLE_MILES, likenessOf, tellingWords } from './compare-cars.ts';

const car = { make: 'toyota', model: 'camry', year: 2018, mileageMiles: 60_000, lat: 34.01, lng: -118.99 };

it('looks for a car also across the border of its cell', () => {
  const key = (lat: number, lng: number) => searchKey(vehicleKey('toyota', 'camry'), cellOf(lat, lng));
  expect(carProbe(car)?.keys).toEqual(expect.arrayContaining([key(34.01, -118.99), key(33.9, -118.99)]));
  expect(carProbe({ ...car, mileageMiles: null })).toMatchObject({ mileageMin: 0, year: 2018 });
  expect([carProbe({ ...car, model: null }), carProbe({ ...car, lat: null })]).toEqual([null, null]);
});

it('holds one lock in common for any two that facts could link', () => {
  for (let miles = 40_000; miles < 60_000; miles += 37) {
    const near = { ...car, mileageMiles: miles + GROWN_A_LITTLE_MILES };
    const common = carLocks({ ...car, mileageMiles: miles }).filter((lock) => carLocks(near).includes(lock));
    expect(common.length).toBeGreaterThan(0);
  }
  const vin = '1HGCM82633A004352';
  const bare = { ...car, model: null, mileageMiles: null };
  expect(carLocks({ ...bare, vin })).toEqual(carLocks({ ...bare, lat: null, vin }));
  expect(carLocks(bare)).toEqual([]);
});

it.each([
  ['1hgcm82633a004352 ', '1HGCM82633A004352'],
  ['1HGCM82633A00435', null],
  ['1HGCM82633A00435O', null],
  ['00000000000000000', null],
  ['N/A', null],
  [null, null],
])('reads the VIN %j as %j', (text, vin) => expect(readVin(text)).toBe(vin));

it.each([
  ['2018 Toyota Camry SE', 'CAMRY se TOYOTA, 2018!! low miles', 'equal'],
  ['2018 Toyota Camry', '2018 Toyota Camry XLE leather', 'within'],
  ['2018 Toyota Camry SE', '2018 Toyota Camry XLE', 'apart'],
])('%s and %s are %s', (a, b, likeness) => {
  const words = (title: string) => tellingWords(title, [2018, 'toyota', 'camry', null]);
  expect(likenessOf(words(a), words(b))).toBe(likeness);
});

const inside = { url: 'http://10.0.0.5:81/items', allowPrivateNetwork: true };
it.each([
  ['https://photos.example/1.jpg', null, { url: 'https://photos.example/1.jpg', allowPrivateNetwork: false }],
  ['/p/1.jpg', inside, { url: 'http://10.0.0.5:81/p/1.jpg', allowPrivateNetwork: true }],
  ['http://10.0.0.5:82/1.jpg', inside, { url: 'http://10.0.0.5:82/1.jpg', allowPrivateNetwork: true }],
  ['http://10.0.0.6/1.jpg', inside, { url: 'http://10.0.0.6/1.jpg', allowPrivateNetwork: false }],
  ['/p/1.jpg', null, null],
  ['data:image/png;base64,AA', inside, null],
  ['file:///etc/passwd', inside, null],
])('reads the photo %s of %j at %j', (image, source, address) => {
  expect(photoAddress(image, source)).toEqual(address);
});
