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
import { isForeignAmount, readAmount, statedPrice, statesNoPrice } from './price.ts';

describe('price', () => {
  test.each([
    ['$12,600', 12600],
    ['12600.00', 12600],
    ['US$ 12,600.50', 12600.5],
    ['18000 USD', 18000],
    ['$12.6k', 12600],
    ['$12.600', 12600],
    ['1,234,567', 1234567],
    ['-5', -5],
    ['$-5', -5],
    ['- $5,000', 5000],
    ['12.600,50', 12600.5],
    ['12 600', 12600],
    ["12'600.00", 12600],
    ['12\u00a0600 $', 12600],
    ['$4500-$5000', 4500],
    ['4500–5000', 4500],
    ['1.2e4', 12000],
    ['1.2M', 1_200_000],
    ['1e9999', null],
    ['NaN', null],
    ['Free', null],
    ['call', null],
    ['', null],
  ])('%j is %s', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  test.each([0, 0.4, 1, 11, 123, 1234, 12345, 123456, 111111, 1111111, 999999])('%d is not stated', (amount) => {
    expect(statedPrice(amount)).toEqual({ price: null });
  });

  test.each([
    [12600, 12600],
    [12600.5, 12601],
    [2222, 2222],
    [12, 12],
    [9999, 9999],
    [10_000_000, 10_000_000],
  ])('%d is $%d', (amount, price) => {
    expect(statedPrice(amount)).toEqual({ price });
  });

  test.each([-1, 10_000_001, Number.NaN, Number.POSITIVE_INFINITY])('%d is a fault', (amount) => {
    expect(statedPrice(amount)).toHaveProperty('fault');
  });

  test.each([
    ['€6,695', true],
    ['£500', true],
    ['C$5,000', true],
    ['5000 CAD', true],
    ['5000 eur', true],
    ['5.000 euros', true],
    ['MX$50,000', true],
    ['R$ 20.000', true],
    ['₹500,000', true],
    ['usd 5000', false],
    ['5000 cash', false],
    ['＄5000', false],
    ['$5,000', false],
    ['US$5,000', false],
    ['5,000 USD', false],
    ['5000 OBO', false],
    ['39733CAD', true],
    ['180000 SGD', true],
    ['18000USD', false],
    ['ALL for $5000', false],
  ])('%j foreign: %s', (text, foreign) => {
    expect(isForeignAmount(text)).toBe(foreign);
  });
});

test.each([
  ['Free', true],
  ['Call for price', true],
  ['N/A', true],
  ['obo', true],
  ['', true],
  ['$', true],
  ['abc', false],
  ['NaN', false],
  ['freezer', false],
  ['5000', false],
])('%j states no price: %s', (text, none) => {
  expect(statesNoPrice(text)).toBe(none);
});

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

test('any text is answered within its bounds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const amount = readAmount(text);
      expect(amount === null || Number.isFinite(amount)).toBe(true);
      isForeignAmount(text);
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
