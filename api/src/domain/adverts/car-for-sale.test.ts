import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Advert, classifyAdvert, kindOf } from './car-for-sale.ts';

const now = new Date('2026-06-01T00:00:00Z');
const bare: Advert = {
  title: '',
  make: null,
  makeIsVehicles: false,
  model: null,
  year: null,
  categories: [],
  price: null,
  mileageMiles: null,
};
const classify = (advert: Partial<Advert>) => classifyAdvert({ ...bare, ...advert }, now);
const VEHICLES = '807311116002614';
const ELECTRONICS = '1792291877663080';

describe('an advert offers a car', () => {
  test.each<[string, Partial<Advert>, string, string | null, number | null]>([
    ['by its title', { title: '2015 Toyota Camry', price: 9000 }, 'toyota', 'camry', 2015],
    [
      'in an unrelated category',
      { title: '2015 Toyota Camry', categories: ['Miscellaneous'] },
      'toyota',
      'camry',
      2015,
    ],
    ['among boats', { title: '2015 Toyota Camry', categories: ['Boats'] }, 'toyota', 'camry', 2015],
    ['among motorcycles', { title: '2014 Honda Civic', categories: ['Motorcycle'] }, 'honda', 'civic', 2014],
    ['among campers', { title: '2014 Ford F-250', categories: ['RVs'] }, 'ford', 'f-250', 2014],
    ['at the price of a down payment', { title: '2012 Cooper', price: 270 }, 'mini', 'cooper', 2012],
    ['among vehicles, cheap', { title: 'Honda Civic', price: 200, categories: [VEHICLES] }, 'honda', 'civic', null],
    [
      'among cars, by an ordinary word',
      { title: "72' drop top impala", price: 11_800, categories: [VEHICLES] },
      'chevrolet',
      'impala',
      1972,
    ],
    ['by its price', { title: 'Honda Civic', price: 2500 }, 'honda', 'civic', null],
    [
      'with mileage, without a year',
      { title: 'Honda Civic', price: 200, mileageMiles: 180_000 },
      'honda',
      'civic',
      null,
    ],
    [
      'expensive, with mileage, among parts',
      { title: '2015 Toyota Camry', price: 8900, mileageMiles: 120_000, categories: ['Auto Parts'] },
      'toyota',
      'camry',
      2015,
    ],
    [
      'expensive, among collectibles',
      { title: '1967 Chevrolet Camaro', price: 38_000, categories: ['Collectibles'] },
      'chevrolet',
      'camaro',
      1967,
    ],
    [
      'by its attributes',
      { title: 'Family car, runs great', make: 'Kia', makeIsVehicles: true, model: 'Sedona', year: 2011 },
      'kia',
      'sedona',
      2011,
    ],
    ['without a title', { make: 'Kia', makeIsVehicles: true, model: 'Sedona', year: 2011 }, 'kia', 'sedona', 2011],
    [
      'whose attributes complete the title',
      { title: 'Kia for sale', make: 'KIA', makeIsVehicles: true, model: 'Sedona', year: 2011 },
      'kia',
      'sedona',
      2011,
    ],
    [
      'by its brand, where that is a make',
      { title: 'Family car', make: 'Honda', model: 'Civic', year: 2018, categories: ['Car'] },
      'honda',
      'civic',
      2018,
    ],
    [
      'by its title, not by its attributes',
      { title: '2012 Kia Soul', make: 'Ford', model: 'F-150' },
      'kia',
      'soul',
      2012,
    ],
    ['priced like a year', { title: '9999 Toyota Camry', price: 9999 }, 'toyota', 'camry', null],
    [
      'whose number is a weight class',
      { title: '2500 Chevy Silverado', price: 9000 },
      'chevrolet',
      'silverado-2500',
      null,
    ],
  ])('%s', (_, advert, make, model, year) => {
    expect(classify(advert)).toMatchObject({ make, model, year });
  });
});

describe('an advert offers no car', () => {
  test.each<[string, string, Partial<Advert>]>([
    ['NOT_A_CAR', 'without title and make', {}],
    ['NOT_A_CAR', 'a part by title', { title: 'Set of rims off a Camry', categories: [VEHICLES] }],
    ['NOT_A_CAR', 'a part by category', { title: '2015 Toyota Camry', price: 60, categories: ['Auto Parts'] }],
    ['NOT_A_CAR', 'an expensive part', { title: '2015 Toyota Camry', price: 1900, categories: ['Auto Parts'] }],
    ['NOT_A_CAR', 'a part by price', { title: 'Honda Civic', price: 40 }],
    ['NOT_A_CAR', 'a wish', { title: '2015 Toyota Camry', price: 9000, categories: ['Wanted'] }],
    ['NOT_A_CAR', 'a motorcycle', { title: '2009 Honda', price: 2300, categories: ['Motorcycles'] }],
    [
      'NOT_A_CAR',
      'a motorcycle by type',
      { title: '2015 BMW', price: 9000, categories: ['https://schema.org/Motorcycle'] },
    ],
    ['NOT_A_CAR', 'a camper', { title: '2015 Mercedes Sprinter', price: 60_000, categories: ['RVs & Campers'] }],
    ['NOT_A_CAR', 'an outboard motor', { title: '2005 Mercury 150', price: 4000, categories: ['Boats'] }],
    ['NOT_A_CAR', 'a toy', { title: '1967 Chevrolet Camaro', price: 25, categories: ['Toys & Hobbies'] }],
    ['NOT_A_CAR', 'a tractor', { title: 'Ford 1952', price: 3000, categories: ['Tractors'] }],
    ['NOT_A_CAR', 'a service', { title: 'Toyota Camry 2015', price: 90, categories: ['Services'] }],
    ['NOT_A_CAR', 'for rent', { title: '2019 Toyota Prius', price: 400, mileageMiles: 9000, categories: ['rental'] }],
    ['NOT_A_CAR', 'a home', { title: '3 Beds 2 Baths', price: 250_000, categories: ['821056594720130'] }],
    ['NOT_A_CAR', 'goods named like a make', { title: 'Mini', price: 200, categories: [ELECTRONICS] }],
    ['NOT_A_CAR', 'an ordinary word outside the cars', { title: "72' drop top impala", price: 11_800 }],
    ['NOT_A_CAR', 'an ordinary word, cheap', { title: 'Escape room', price: 20, categories: [VEHICLES] }],
    ['NOT_A_CAR', 'goods by brand', { title: 'Nice blender', make: 'Sony', price: 40 }],
    ['NOT_A_CAR', 'goods for a model', { title: 'Roof box', make: 'Thule', model: 'Civic', year: 2018, price: 5000 }],
    [
      'UNKNOWN_MAKE',
      'goods for a model, as a car',
      { title: 'Roof box', make: 'Thule', model: 'Civic', year: 2018, categories: ['Car'] },
    ],
    ['NOT_A_CAR', 'a title that names no vehicle', { title: 'Walk in freezer', price: 3500 }],
    ['UNKNOWN_MAKE', 'another make', { title: '2010 Suzuki SX4', price: 3500 }],
    ['UNKNOWN_MAKE', 'another make by attribute', { title: 'Custom', make: 'Transcraft', makeIsVehicles: true }],
    ['UNKNOWN_MAKE', 'a vehicle that names none', { title: 'Runs and drives', categories: [VEHICLES] }],
    ['BAD_YEAR', 'of the year 9999', { title: 'Toyota Camry', year: 9999 }],
    ['BAD_YEAR', 'of the year 12', { title: 'Toyota Camry', year: 12 }],
    ['BAD_YEAR', 'of the year 20018', { title: 'Toyota Camry', year: 20_018 }],
    ['BAD_YEAR', 'of a year before cars', { title: 'Toyota Camry', year: 1776 }],
    ['BAD_YEAR', 'of the future', { title: 'Toyota Camry', year: 2028 }],
    ['BAD_YEAR', 'of the year 9999 by title', { title: '9999 Toyota Camry', price: 5000 }],
    ['BAD_YEAR', 'of the future by title', { title: '2090 Honda Civic', price: 5000 }],
  ])('%s: %s', (code, _, advert) => {
    const verdict = classify(advert);
    expect(verdict).toMatchObject({ code });
    expect('reason' in verdict && verdict.reason).toMatch(/^[A-Z0-9].*\.$/);
  });
});

test('a refusal says that a make is unknown only where one is named', () => {
  const reasonOf = (title: string) => classify({ title, categories: ['Cars & trucks'] });
  expect(reasonOf('Runs and drives')).toMatchObject({ reason: 'It names no make that is in the catalogue.' });
  expect(reasonOf('2010 Suzuki SX4')).toMatchObject({ reason: 'The make is not in the catalogue.' });
});

test('any advert is classified', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('2014 Honda Civic', 'wheels', 'RVs', 'toString', '9999 Ford', VEHICLES),
  );
  const adverts = fc.record({
    title: text,
    make: fc.option(text),
    makeIsVehicles: fc.boolean(),
    model: fc.option(text),
    year: fc.option(fc.integer()),
    categories: fc.array(text, { maxLength: 4 }),
    price: fc.option(fc.nat()),
    mileageMiles: fc.option(fc.nat()),
  });
  fc.assert(
    fc.property(adverts, (advert) => {
      const verdict = classifyAdvert(advert, now);
      expect('code' in verdict ? verdict.reason : verdict.make).not.toBe('');
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['807311116002614', 'car'],
  ['757715671026531', 'part'],
  ['821056594720130', 'home'],
  ['1468271819871448', 'home'],
  ['1792291877663080', 'goods'],
  ['7', null],
  ['', null],
  ['Vehicles', 'car'],
  ['Cars & Trucks', 'car'],
  ['cars+trucks - by owner', 'car'],
  ['Motors > Cars & Trucks > Toyota', 'car'],
  ['Vehicles & Parts > Vehicles > Motor Vehicles > Cars, Trucks & Vans', 'car'],
  ['CAR_TRUCK', 'car'],
  ['car_truck', 'car'],
  ['https://schema.org/Car', 'car'],
  ['Vehicle', 'car'],
  ['Sedan', 'car'],
  ['Minivans', 'car'],
  ['Crew Cab Pickup', 'car'],
  ['Auto Parts', 'part'],
  ['auto parts - by dealer', 'part'],
  ['Parts & Accessories', 'part'],
  ['Vehicle Parts & Accessories', 'part'],
  ['Motors > Wheels & Tires', 'part'],
  ['Baby > Car Seats', 'part'],
  ['Motorcycles', 'motorcycle'],
  ['motorcycles/scooters', 'motorcycle'],
  ['Powersports', 'motorcycle'],
  ['POWERSPORT', 'motorcycle'],
  ['https://schema.org/Motorcycle', 'motorcycle'],
  ['MotorizedBicycle', 'motorcycle'],
  ['ATVs, UTVs & Snowmobiles', 'motorcycle'],
  ['RVs', 'camper'],
  ['RV_CAMPER', 'camper'],
  ['RVs & Campers', 'camper'],
  ['Recreational Vehicles', 'camper'],
  ['Motorhomes', 'camper'],
  ['Mobile homes', 'camper'],
  ['TRAILER', 'camper'],
  ['Boats', 'boat'],
  ['Boats & Marine', 'boat'],
  ['BusOrCoach', 'machine'],
  ['Tractors', 'machine'],
  ['Toys & Games', 'toy'],
  ['Toy cars', 'toy'],
  ['Diecast Vehicles', 'toy'],
  ['Property Rentals', 'rental'],
  ['Homes for Sale', 'home'],
  ['Home & Garden', 'home'],
  ['Car rental', 'rental'],
  ['Auto services', 'service'],
  ['Wanted', 'wanted'],
  ['Cars wanted', 'wanted'],
  ['Electronics', 'goods'],
  ['Bicycles', 'goods'],
  ['Sports > Bikes & Cycling', 'goods'],
  ['Motorized Bicycle', 'motorcycle'],
  ['Miscellaneous', 'goods'],
  ['Cars & Motorcycles', null],
  ['Trucks and Trailers', null],
  ['Product', null],
  ['GroupCommerceProductItem', null],
  ['constructor', null],
  ['__proto__', null],
])('%j is %s', (category, kind) => {
  expect(kindOf(category)).toBe(kind);
});
