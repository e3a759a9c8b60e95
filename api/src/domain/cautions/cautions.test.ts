import { expect, it } from 'vitest';
import { type CautionFacts, cautionsOf } from './cautions.ts';

const now = new Date('2026-07-01T00:00:00Z');
const ordinary: CautionFacts = {
  price: 15_000,
  bandLow: 14_000,
  year: 2003,
  vin: '1HGCM82633A004352',
  prepayment: null,
  photoPlace: null,
};

it.each<[string, Partial<CautionFacts>, [string, string][]]>([
  ['an ordinary car', {}, []],
  ['a good price', { price: 9_900 }, []],
  [
    'a price far below its band',
    { price: 9_700 },
    [['low_price', 'The price is far below similar cars. Ask why before you pay anything.']],
  ],
  ['no stated price', { price: null }, []],
  ['no band', { price: 100, bandLow: null }, []],
  ['a VIN of its own make and model', { make: 'honda', model: 'accord' }, []],
  ['a VIN of a make without a stated model', { make: 'honda', model: null }, []],
  [
    'a VIN of another model',
    { make: 'honda', model: 'odyssey' },
    [
      [
        'vin_car',
        "The VIN is that of a 2003 Honda Accord, the advert says 2003 Honda Odyssey. Compare it with the car's title.",
      ],
    ],
  ],
  [
    'a VIN of another make and year',
    { make: 'toyota', model: 'camry', year: 2016, vin: '1FTFW1CT5DFC10312' },
    [['vin_car', "The VIN is that of a 2013 Ford, the advert says 2016 Toyota. Compare it with the car's title."]],
  ],
  [
    'a VIN of another make without a stated year',
    { make: 'toyota', model: 'camry', year: null, vin: '1J4FA49S64P704987' },
    [['vin_car', "The VIN is that of a 2004 Jeep, the advert says Toyota. Compare it with the car's title."]],
  ],
  ['a VIN with a slip of the pen', { make: 'toyota', year: 2012, vin: '1HGCM82633A004353' }, []],
  ['a VIN of a maker that is not known', { make: 'toyota', model: 'camry', year: 2019, vin: '1M8GDM9AXKP042788' }, []],
  ['no VIN', { vin: null, year: 2012 }, []],
  ['no year', { year: null }, []],
  [
    'a VIN of another year',
    { year: 2012 },
    [['vin_year', "The VIN stands for the model year 2003, the advert says 2012. Compare it with the car's title."]],
  ],
  [
    'a VIN of two years',
    { vin: '1M8GDM9AXKP042788', year: 2018 },
    [['vin_year', "The VIN stands for the model year 2019, the advert says 2018. Compare it with the car's title."]],
  ],
  [
    'a photo that is shown elsewhere',
    { photoPlace: 'Tampa, FL' },
    [['photo_elsewhere', 'A listing in Tampa, FL has the same photo. See the car before you pay anything.']],
  ],
  [
    'words that ask for money, and a low price',
    { prepayment: 'deposit first', price: 1_000 },
    [
      ['low_price', 'The price is far below similar cars. Ask why before you pay anything.'],
      ['prepayment', 'The advert says “deposit first”. See the car before you pay anything.'],
    ],
  ],
])('says of %s', (_what, facts, expected) => {
  expect(cautionsOf({ ...ordinary, ...facts }, now).map(({ kind, reason }) => [kind, reason])).toEqual(expected);
});
