import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { makes, modelsOf } from '../catalogue.ts';
import { parseTitle } from '../titles/vehicle-title.ts';
import { findTrim, readTrim } from './find-trim.ts';

const inTitle = (title: string) => {
  const { make, model } = parseTitle(title);
  return findTrim({ title, description: null, make, model })?.value ?? null;
};

describe('in titles', () => {
  test.each([
    ['2018 honda accord ex-l sedan 4d', 'EX-L'],
    ['2018 Honda Accord · EX Sedan 4D', 'EX'],
    ['2015 honda accord exl v6 navi', 'EX-L'],
    ['2014 Honda Civic EX L', 'EX-L'],
    ['2019 Honda Accord Sport Touring', 'Sport Touring'],
    ['2017 Honda CR-V Touring AWD', 'Touring'],
    ['2013 Honda Odyssey Touring Elite', 'Touring Elite'],
    ['2020 Honda Pilot Sport Utility 4D', null],
    ['2015 Ford F-150 SuperCrew King Ranch 4x4', 'King Ranch'],
    ['2012 ford f150 fx4 crew cab', 'FX4'],
    ['2016 Ford Escape Titanium, $184 month', 'Titanium'],
    ['2017 Ford Edge Titanium', 'Titanium'],
    ['2016 chevy silverado 1500 high country', 'High Country'],
    ['2015 chevrolet silverado 1500', null],
    ['2006 chevrolet tahoe z71', 'Z71'],
    ['2019 chevrolet camaro 2ss 1le', '2SS 1LE'],
    ['2014 Toyota 4Runner SR5 4x4', 'SR5'],
    ['2018 toyota tacoma trd offroad', 'TRD Off-Road'],
    ['2010 TOYOTA CAMRY HYBRID XLE CLEAN TITLE', 'XLE'],
    ['2012 bmw 328 xdrive', '328 xDrive'],
    ['2004 BMW 330ci 6MT', '330Ci'],
    ['2014 bmw x5 xdrive35i luxury', 'xDrive35i'],
    ['2013 mercedes-benz c-class c 300', 'C 300'],
    ['2014 Mercedes Benz GLK350 4Matic', 'GLK 350 4MATIC'],
    ['1986 Mercedes-Benz 560SL', '560SL'],
    ['2008 lexus rx 350 awd', 'RX 350'],
    ['2016 Lexus IS 200t F Sport', 'IS 200t F Sport'],
    ['2011 infiniti g37x sedan', 'G37x'],
    ['2016 subaru outback 2.5i limited', '2.5i Limited'],
    ['2015 audi q5 2.0t premium plus quattro', '2.0T Premium Plus'],
    ['2014 nissan altima 2.5 s sedan 4d', '2.5 S'],
    ['2008 jeep wrangler unlimited sahara', 'Unlimited Sahara'],
    ['2014 mini countryman cooper s all4', 'Cooper S ALL4'],
    ['2015 Dodge Charger rt', 'R/T'],
    ['2014 RAM 1500 Bighorn crew cab', 'Big Horn'],
    ['2019 Tesla Model 3 Standard Range Plus', 'Standard Range Plus'],
    ['2021 Volvo XC90 T6 Momentum', 'T6 Momentum'],
    ['2024 Mazda CX-5 AWD 2.5 S w/ Premium Plus Pkg', '2.5 S Premium Plus'],
    ['2012 lariet f150', 'Lariat'],
    ['2018 Range Rover Sport HSE', 'HSE'],
    ['2007 hyundai sonata ltd', 'Limited'],
    ['2014 *Subaru Impreza* 2.0i Sport Premium', '2.0i Sport Premium'],
    ['2003 Toyota Highlander AWD Limited ***Leather***', 'Limited'],
    ['2005 Mercedes-Benz ML350 Sport Utility 4D', 'ML 350'],
    ['2023 Jeep Wrangler 4xe Rubicon', 'Rubicon'],
    ['2013 Lexus GX 460 Sport Utility 4D', 'GX 460'],
  ])('%s', (title, trim) => expect(inTitle(title)).toBe(trim));

  test.each([
    '2018 Honda Accord LX or EX, your choice',
    '2018 Honda Accord LX/EX',
    '2018 Honda Accord, limited time offer',
    '2018 Honda Accord sport mode, sport seats',
    '2016 Hyundai Santa Fe Sport',
    '2010 Honda Accord 2.4 L engine',
    '2005 Toyota Tacoma 4x4 Crew Cab',
    '2000 Jaguar S-Type 4.0',
    '2016 Jeep Renegade 4 x 4',
    '2012 Nissan Rogue Sport',
    '2009 Toyota Camry',
  ])('%s states no trim', (title) => expect(inTitle(title)).toBeNull());

  it('keeps the words as they stand there', () => {
    const title = '2015 Honda Accord EX-L V6';
    expect(findTrim({ title, description: null, make: 'honda', model: 'accord' })).toEqual({
      value: 'EX-L',
      words: 'ex-l',
      from: 'title',
    });
  });

  it('knows what is a trim of one model and not of another', () => {
    expect(inTitle('2016 Ford Focus RS')).toBe('RS');
    expect(inTitle('2016 Ford Fusion RS')).toBeNull();
    expect(inTitle('2015 Jeep Wrangler Renegade')).toBe('Renegade');
    expect(inTitle('2015 Jeep Renegade')).toBeNull();
  });
});

const camry = { title: '2015 Toyota Camry', make: 'toyota', model: 'camry' };

test.each([
  ['Selling my 2015 Toyota Camry XSE, one owner', 'XSE'],
  ['Year: 2015\nMake: Toyota\nModel: Camry\nTrim: SE Sport\nMiles: 80,000', 'SE Sport'],
  ['TRIM LEVEL - LE', null],
  ['Interior Trim: SE', null],
  ['Great car. The Camry LE comes with a backup camera', 'LE'],
  ['2015 Toyota Camry SE/XSE', null],
  ['We also have an Avalon Limited', null],
  ['Camry with leather, sport seats and a V6', null],
  ['Runs great', null],
  ['', null],
])('in the description %j', (description, trim) => {
  expect(findTrim({ ...camry, description })?.value ?? null).toBe(trim);
});

it('finds whole names of the model in a description, and numbers behind them', () => {
  const advert = { title: '2018 Mercedes-Benz GLC', make: 'mercedes-benz', model: 'glc' };
  const glass = 'Panorama glass roof. '.repeat(20);
  for (const description of [`${glass}A GLC 300 4MATIC® with 20,000 miles`, `${glass}GLC300 4matic`]) {
    expect(findTrim({ ...advert, description })).toMatchObject({ value: 'GLC 300 4MATIC', from: 'description' });
  }
});

it('trusts the title before the description', () => {
  const advert = { ...camry, title: '2015 Toyota Camry SE', description: 'Toyota Camry LE' };
  expect(findTrim(advert)).toMatchObject({ value: 'SE', from: 'title' });
});

test.each([
  ['honda', 'accord', 'EX Sedan 4D', 'EX'],
  ['honda', 'accord', 'ex-l fwd', 'EX-L'],
  ['toyota', 'camry', 'Sedan 4D', null],
  ['toyota', 'camry', 'N/A', null],
  ['toyota', 'camry', 'Kenny Special', 'Kenny Special'],
  ['ford', 'f-150', 'Lariat SuperCrew 4WD', 'Lariat'],
  ['audi', 'a4', '2.0T quattro Premium', '2.0T quattro Premium'],
])('reads the field of a %s %s: %s', (make, model, field, trim) => expect(readTrim(field, make, model)).toBe(trim));

test('a trim is found in any text without an error, and in linear time', () => {
  const words = ['LX', 'EX-L', 'sport', 'trim:', 'w/', '2.5', 'l', 'C', '300', 'or', '/', '·', ',', '4 x 4', 'limited'];
  const cars = makes.flatMap(({ value, label }) => modelsOf(value).map((model) => ({ make: value, model, label })));
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })), { maxLength: 60 });
  fc.assert(
    fc.property(fc.constantFrom(...cars), text, ({ make, model, label }, parts) => {
      const title = `${label} ${model.label} ${parts.join(' ')}`;
      const found = findTrim({ title, description: title.repeat(20), make, model: model.value });
      expect(found === null || found.value.length > 0).toBe(true);
    }),
    { numRuns: 300 },
  );
  for (const part of ['trim: ', 'camry ', 'camry xle or ', 'l ', '2.5 ', 'trim']) {
    const started = process.cpuUsage();
    findTrim({ ...camry, description: part.repeat(10_000 / part.length) });
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  }
});
