import { expect, it } from 'vitest';
import { makes, modelsOf } from '../catalogue.ts';
import { searchKey, vehicleKey } from './search-columns.ts';

it('gives every make and model of the catalogue a key of its own', () => {
  const keys = makes.flatMap(({ value: make }) => [
    vehicleKey(make, null),
    ...modelsOf(make).map(({ value: model }) => vehicleKey(make, model)),
  ]);
  expect(keys.length).toBeGreaterThan(800);
  expect(new Set(keys).size).toBe(keys.length);
  expect(Math.min(...keys)).toBeGreaterThan(0);
  expect(Math.max(...keys)).toBeLessThan(2 ** 31);
});

it('keeps the keys that are stored', () => {
  expect(vehicleKey('toyota', null)).toBe(986478015);
  expect(vehicleKey('toyota', 'camry')).toBe(336028637);
  expect(searchKey(1, 2)).toBe('4294967298');
  expect(BigInt(searchKey(2 ** 31 - 1, 64_799))).toBeLessThan(2n ** 63n);
});
