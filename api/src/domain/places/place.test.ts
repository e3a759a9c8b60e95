import { expect, it } from 'vitest';
import { shownMiles } from './place.ts';

const losAngeles = { lat: 34.052_23, lng: -118.243_68 };

it.each([
  ['one corner of a hundredth of a degree', 50, { lat: 34.145_1, lng: -118.135_1 }, 9],
  ['the other corner', 50, { lat: 34.154_9, lng: -118.144_9 }, 9],
  ['the middle of the hundredth, and not of the listing', 50, { lat: 34.196_5, lng: -118.243_68 }, 10.2],
  ['a listing within the radius whose rounded point is not', 10, { lat: 34.196_5, lng: -118.243_68 }, 10],
  ['a listing beyond the radius whose rounded point is not', 5, { lat: 34.124_9, lng: -118.243_68 }, 5.1],
])('shows the distance of %s', (_name, radius, point, miles) => {
  expect(shownMiles({ ...losAngeles, radius }, point)).toBe(miles);
});

/** Points along a meridian, from a hundredth of a degree before the border of the radius to one behind it. */
it.each([5, 10, 25, 50, 100])('stays on the side of a radius of %d miles on which the listing is', (radius) => {
  const border = losAngeles.lat + radius / 69.093_2;
  const shown = Array.from({ length: 41 }, (_, at) => border + (at - 20) / 2_000).map((lat) =>
    shownMiles({ ...losAngeles, radius }, { lat, lng: losAngeles.lng }),
  );
  expect(Math.max(...shown.slice(0, 20))).toBeLessThanOrEqual(radius);
  expect(Math.min(...shown.slice(21))).toBeGreaterThanOrEqual(radius + 0.1);
});
