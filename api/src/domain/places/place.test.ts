import { expect, it } from 'vitest';
import { milesBetween, shownMiles } from './place.ts';

const losAngeles = { lat: 34.052_23, lng: -118.243_68 };

it.each([
  ['one corner of a square of the grid', 50, { lat: 34.142_7, lng: -118.147_5 }, 8.3],
  ['the other corner, which is 8.25 miles away', 50, { lat: 34.141_7, lng: -118.148_3 }, 8.3],
  ['a listing beyond the radius whose rounded point is not', 5, { lat: 34.125, lng: -118.243_68 }, 5.1],
])('shows the distance of %s', (_name, radius, point, miles) => {
  expect(shownMiles({ ...losAngeles, radius }, point)).toBe(miles);
});

/** Points along a meridian, from a thousandth of a degree before the border of the radius to one behind it. */
it.each([5, 10, 25, 50, 100])('stays on the side of a radius of %d miles on which the listing is', (radius) => {
  const border = losAngeles.lat + radius / 69.093_2;
  const shown = Array.from({ length: 41 }, (_, at) => border + (at - 20) / 20_000).map((lat) =>
    shownMiles({ ...losAngeles, radius }, { lat, lng: losAngeles.lng }),
  );
  expect(Math.max(...shown.slice(0, 20))).toBeLessThanOrEqual(radius);
  expect(Math.min(...shown.slice(21))).toBeGreaterThanOrEqual(radius + 0.1);
});

it('shows no distance that is wrong by more than a tenth of a mile', () => {
  const cars = Array.from({ length: 1_000 }, (_, at) => ({ lat: 33.9 + at / 3_000, lng: -118.4 + (at % 37) / 100 }));
  const errors = cars.map((car) => {
    const exact = Math.round(milesBetween(losAngeles, car) * 10) / 10;
    return Math.abs(shownMiles({ ...losAngeles, radius: 100 }, car) - exact);
  });
  expect(Math.max(...errors)).toBeLessThan(0.11);
});
