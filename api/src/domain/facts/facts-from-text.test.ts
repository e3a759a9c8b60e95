import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { colors } from '../catalogue.ts';
import {
  milesOf,
  readColor,
  readCondition,
  readMileage,
  readOdometer,
  readTransmission,
  readVin,
} from './facts-from-text.ts';

describe('mileage', () => {
  test.each([
    ['215K miles', 215000],
    ['58k mi', 58000],
    ['45.5K miles', 45500],
    ['Driven 105,000 miles', 105000],
    ['100,000 km', 62137],
    ['100K km', 62137],
    ['77.000 miles', 77000],
    ['Houston, TX', null],
    ['5 minutes away', null],
  ])('%j is %s', (text, miles) => {
    expect(readMileage(text)).toBe(miles);
  });

  test.each([
    ['98,000', 98000],
    ['98.000', 98000],
    ['98 000', 98000],
    ['120k', 120000],
    ['12 000 km', 7456],
    ['42461', 42461],
    ['42461.7', 42462],
    ['100000 KMT', 62137],
    ['Driven 105,000 miles', 105000],
    ['low', null],
    ['3000001', null],
    ['', null],
  ])('an odometer of %j shows %s', (text, miles) => {
    expect(readOdometer(text)).toBe(miles);
  });

  test('a value has a unit and bounds', () => {
    expect([milesOf(1000, 'KILOMETERS'), milesOf(1000, 'MILES'), milesOf(1000, null)]).toEqual([621, 1000, 1000]);
    expect([milesOf(-1, null), milesOf(3e6, null), milesOf(Number.NaN, null)]).toEqual([null, null, null]);
  });
});

test.each([
  ['maroon', 'red'],
  ['Champagne', 'beige'],
  ['BLACK', 'black'],
  ['Midnight Blue', 'blue'],
  ['Pearl White', 'white'],
  ['Silver Ice Metallic', 'silver'],
  ['grey', 'gray'],
  ['white/black', 'white'],
  ['charcoal', 'gray'],
  ['chameleon', 'other'],
  ['other', 'other'],
  ['unknown', null],
  ['', null],
  ['constructor', 'other'],
])('colour %j is %s', (text, color) => {
  expect(readColor(text)).toBe(color);
});

test.each([
  ['AUTOMATIC', 'automatic'],
  ['6-Speed Manual', 'manual'],
  ['CVT', 'automatic'],
  ['Automatic with manual mode', 'automatic'],
  ['stick shift', 'manual'],
  ['6MT', 'manual'],
  ['5 speed M/T', 'manual'],
  ['8AT', 'automatic'],
  ['A/T', 'automatic'],
  ['6 speed', null],
  ['UNKNOWN', null],
])('transmission %j is %s', (text, transmission) => {
  expect(readTransmission(text)).toBe(transmission);
});

test.each([
  ['USED', 'Used'],
  ['PC_USED_GOOD', 'Used - Good'],
  ['used_like_new', 'Used - Like New'],
  ['https://schema.org/UsedCondition', 'Used'],
  ['EXCELLENT', 'Excellent'],
  ['CPO', 'Certified pre-owned'],
  ['Certified Pre-Owned', 'Certified pre-owned'],
  ['Like new', 'Used - Like New'],
  ['NewCondition', 'New'],
  ['whatever', null],
])('condition %j is %s', (text, condition) => {
  expect(readCondition(text)).toBe(condition);
});

test.each([
  ['1hgcm82633a004352 ', '1HGCM82633A004352'],
  ['1HGCM82633A00435', null],
  ['1HGCM82633A00435O', null],
  ['00000000000000000', null],
  ['N/A', null],
  [null, null],
])('reads the VIN %j as %j', (text, vin) => expect(readVin(text)).toBe(vin));

test('a text of any kind gets an answer within its bounds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const miles = readMileage(text);
      expect(miles === null || Number.isInteger(miles)).toBe(true);
      const color = readColor(text);
      expect(color === null || colors.some(({ value }) => value === color && color !== 'any')).toBe(true);
      readTransmission(text);
      readCondition(text);
    }),
    { numRuns: 300 },
  );
});
