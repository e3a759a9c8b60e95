import { geoCircle } from 'd3-geo';
import { expect, it } from 'vitest';
import { EARTH_RADIUS_MILES, greatCircleMiles } from '../../../../../api/src/domain/places/place.ts';
import { makeChart } from './chart.ts';

it.each([
  ['Reno', 39.53, -119.81],
  ['Utqiagvik in the far north', 71.29, -156.79],
  ['Hilo', 19.7, -155.09],
  ['Attu, beside the date line', 52.9, 172.9],
])('around %s, distances from the center are those on the sphere in all directions', (_name, latitude, longitude) => {
  const chart = makeChart({ latitude, longitude }, 900);
  const degrees = (100 / EARTH_RADIUS_MILES) * (180 / Math.PI);
  const circle = geoCircle().center([longitude, latitude]).radius(degrees)().coordinates[0] ?? [];
  expect(circle.length).toBeGreaterThan(50);
  for (const [lng = 0, lat = 0] of circle) {
    const [x, y] = chart.at(lat, lng);
    expect(Math.hypot(x, y)).toBeCloseTo(greatCircleMiles(latitude, longitude, lat, lng), 3);
    expect(Math.hypot(x, y)).toBeCloseTo(100, 3);
  }
});

it('north is up and east is right', () => {
  const chart = makeChart({ latitude: 40, longitude: -100 }, 900);
  const [, north] = chart.at(41, -100);
  const [east] = chart.at(40, -99);
  expect(north).toBeCloseTo(-69.09, 1);
  expect(east).toBeCloseTo(52.9, 1);
});

it('an outline beyond its reach is left out', () => {
  const chart = makeChart({ latitude: 40, longitude: -100 }, 300);
  const line = (lng: number) => ({
    type: 'LineString' as const,
    coordinates: [
      [lng, 40],
      [lng + 1, 40],
    ],
  });
  expect(chart.outline(line(-101))).toMatch(/^M/);
  expect(chart.box(line(-101))).not.toBeNull();
  expect(chart.outline(line(-80))).toBe('');
  expect(chart.box(line(-80))).toBeNull();
});
