import { expect, test } from 'vitest';
import { kindsInTitle, readBody, readDrive, readFuel, readSeller, readTitleStatus } from './kinds-from-text.ts';

test.each([
  [readFuel, 'GASOLINE', 'gas'],
  [readFuel, 'Flex Fuel', 'gas'],
  [readFuel, 'PLUG_IN_HYBRID', 'plug_in_hybrid'],
  [readFuel, 'Gas/Electric Hybrid', 'hybrid'],
  [readFuel, 'ELECTRIC', 'electric'],
  [readFuel, 'Compressed natural gas', 'gas'],
  [readFuel, 'Hydrogen', 'other'],
  [readFuel, 'OTHER', null],
  [readFuel, '', null],
  [readDrive, '4X4', '4wd'],
  [readDrive, '4X2', '2wd'],
  [readDrive, 'Four Wheel Drive', '4wd'],
  [readDrive, 'All-Wheel Drive', 'awd'],
  [readDrive, 'AWD', 'awd'],
  [readDrive, 'FWD', 'fwd'],
  [readDrive, 'NONE', null],
  [readBody, 'MINIVAN', 'van'],
  [readBody, 'CROSSOVER', 'suv'],
  [readBody, 'Crew Cab Pickup', 'truck'],
  [readBody, 'SALOON', 'sedan'],
  [readBody, 'LIMOUSINE', 'other'],
  [readTitleStatus, 'CLEAN', 'clean'],
  [readTitleStatus, 'Salvage', 'salvage'],
  [readTitleStatus, 'REBUILT', 'rebuilt'],
  [readTitleStatus, 'LIEN', 'lien'],
  [readTitleStatus, 'PARTS_ONLY', 'parts_only'],
  [readTitleStatus, 'MISSING', 'other'],
  [readSeller, 'PRIVATE_SELLER', 'private'],
  [readSeller, 'DEALER', 'dealer'],
  [readSeller, 'UNKNOWN', null],
])('%o reads %j as %j', (read, text, value) => {
  expect(read(text)).toBe(value);
});

const nothing = { fuel: null, drive: null, body: null, titleStatus: null };

test.each([
  ['chevy silverado 1500 4x4 08', { drive: '4wd' }],
  ['2018 Honda Accord · EX Sedan 4D', { body: 'sedan' }],
  ['2006 ram 2500 diesel crew cab', { fuel: 'diesel', body: 'truck' }],
  ['2015 F-150 2WD SuperCrew, clean title', { drive: '2wd', titleStatus: 'clean' }],
  ['2012 Camry Hybrid XLE', { fuel: 'hybrid' }],
  ['2014 Fusion plug-in hybrid', { fuel: 'plug_in_hybrid' }],
  ['2011 Civic, salvage title', { titleStatus: 'salvage' }],
  ['2011 Civic no salvage', {}],
  ['2011 Civic, not a salvage, clean Texas title', { titleStatus: 'clean' }],
  ['2011 Civic without a salvage title, non-branded title', {}],
  ['2009 Altima no clean title', {}],
  ['2009 Altima rebuilt title', { titleStatus: 'rebuilt' }],
  ['2009 Altima rebuilt engine', {}],
  ['2016 Outback wagon AWD', { body: 'wagon', drive: 'awd' }],
  ['2016 Escape AWD or 4x4?', {}],
  ['2010 Corolla electric windows, good on gas', {}],
  ['2013 Beetle coupe or convertible', {}],
])('the title %j states %o', (title, stated) => {
  expect(kindsInTitle(title)).toEqual({ ...nothing, ...stated });
});
