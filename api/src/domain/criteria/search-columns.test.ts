import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { colors, makes, modelsOf } from '../catalogue.ts';
import { cosRadius, greatCircleMiles, isWithin, unitVector } from '../places/place.ts';
import { colorCode } from './criteria.ts';
import { cellOf, cellsWithin, searchKey, vehicleKey } from './search-columns.ts';

const place = fc.record({
  lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, -89.5, 0, 34, 89.9, 90)),
  lng: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, -179.99, 0, 179.99, 180)),
});

describe('cellsWithin', () => {
  it('includes the cell of every point within the radius, at the poles and at ±180° too', () => {
    fc.assert(
      fc.property(
        place,
        fc.constantFrom(5, 10, 25, 50, 100),
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (center, radius, north, east) => {
          const lat = Math.max(-90, Math.min(90, center.lat + north * 1.5));
          const width = Math.abs(center.lat) > 85 ? 180 : 1.5 / Math.cos((center.lat * Math.PI) / 180);
          const shifted = center.lng + east * width;
          const lng = shifted > 180 ? shifted - 360 : shifted < -180 ? shifted + 360 : shifted;
          if (greatCircleMiles(center.lat, center.lng, lat, lng) > radius) return;
          expect(cellsWithin(center.lat, center.lng, radius)).toContain(cellOf(lat, lng));
        },
      ),
      { numRuns: 20_000, seed: 1 },
    );
  });

  it('returns each cell once, and fewer than 40', () => {
    fc.assert(
      fc.property(place, (center) => {
        const cells = cellsWithin(center.lat, center.lng, 100);
        expect(new Set(cells).size).toBe(cells.length);
        expect(cells.length).toBeLessThan(40);
      }),
      { numRuns: 2_000, seed: 1 },
    );
    expect(cellsWithin(34.05, -118.24, 50).length).toBeLessThanOrEqual(9);
  });

  it('has the same cells at 180° and −180°', () => {
    expect(cellOf(10, 180)).toBe(cellOf(10, -180));
    expect(cellsWithin(10, 180, 5)).toContain(cellOf(10, -179.99));
    expect(cellsWithin(10, -180, 5)).toContain(cellOf(10, 179.99));
  });
});

describe('distance', () => {
  it('is right for known places', () => {
    expect(greatCircleMiles(34.0522, -118.2437, 40.7128, -74.006)).toBeCloseTo(2445.6, 0);
    expect(greatCircleMiles(0, 180, 0, -180)).toBeCloseTo(0, 9);
    expect(greatCircleMiles(90, 0, 90, 123)).toBeCloseTo(0, 9);
    expect(greatCircleMiles(90, 0, -90, 0)).toBeCloseTo(Math.PI * 3958.7613, 6);
  });

  it('includes the border, but no point a yard beyond it', () => {
    const mile = 180 / Math.PI / 3958.7613;
    for (const radius of [5, 10, 25, 50, 100]) {
      for (const lat of [-60, 0, 34.05, 71.3]) {
        const center = unitVector(lat, -118);
        expect(isWithin(center, unitVector(lat + radius * mile, -118), cosRadius(radius))).toBe(true);
        expect(isWithin(center, unitVector(lat + (radius + 0.0005) * mile, -118), cosRadius(radius))).toBe(false);
      }
    }
  });
});

it('makes a different key for every make and model of the catalogue', () => {
  const keys = makes.flatMap(({ value: make }) => [
    vehicleKey(make, null),
    ...modelsOf(make).map(({ value: model }) => vehicleKey(make, model)),
  ]);
  expect(keys.length).toBeGreaterThan(800);
  expect(new Set(keys).size).toBe(keys.length);
  expect(Math.min(...keys)).toBeGreaterThan(0);
  expect(Math.max(...keys)).toBeLessThan(2 ** 31);
});

it('makes the same keys as those that are stored', () => {
  expect(vehicleKey('toyota', null)).toBe(986478015);
  expect(vehicleKey('toyota', 'camry')).toBe(336028637);
  expect(searchKey(1, 2)).toBe('4294967298');
  expect(BigInt(searchKey(2 ** 31 - 1, 64_799))).toBeLessThan(2n ** 63n);
});

it('has a different code for every color of the catalogue, and 0 for any and not stated', () => {
  const codes = colors.map(({ value }) => colorCode(value));
  expect(new Set(codes).size).toBe(colors.length);
  expect(codes[0]).toBe(0);
  expect(colorCode(null)).toBe(0);
  expect(colorCode('teal')).toBe(colorCode('other'));
});
