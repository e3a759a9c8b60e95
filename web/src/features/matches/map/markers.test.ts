import { expect, it } from 'vitest';
import type { Miles } from './chart.ts';
import type { MapPoint } from './map-documents.ts';
import { bestOffers, groupPoints, joinSpots } from './markers.ts';

let count = 0;
const point = (latitude: number, longitude: number, more: Partial<MapPoint> = {}): MapPoint => {
  count += 1;
  const id = String(count);
  const rest = {
    title: 'Car',
    price: 9000,
    status: 'for_sale',
    marketplaceUrl: 'https://lot.example/',
    place: 'Reno, NV',
    distance: 1,
  } as const;
  return { listingId: id, carId: id, ...rest, latitude, longitude, ...more };
};
const at = (latitude: number, longitude: number): Miles => [longitude, -latitude];
const scaled =
  (pixels: number) =>
  ([x, y]: Miles): Miles => [x * pixels, y * pixels];

it('points at the same coordinates are one spot', () => {
  const spots = groupPoints([point(1, 1), point(1, 1), point(1, 1.01)], at);
  expect(spots.map(({ points }) => points.length)).toEqual([2, 1]);
});

it('spots whose marks would cover one another are one marker, at the larger spot, and are apart when zoomed in', () => {
  const spots = groupPoints([point(0, 0), point(0, 1), point(0, 1), point(0, 9)], at);
  const near = joinSpots(spots, scaled(10));
  expect(near.map(({ x, cars, spots: joined }) => ({ x, cars, joined }))).toEqual([
    { x: 10, cars: 3, joined: 2 },
    { x: 90, cars: 1, joined: 1 },
  ]);
  expect(joinSpots(spots, scaled(100))).toHaveLength(3);
});

it('two listings of a car at one spot count as one car', () => {
  const [marker] = joinSpots(groupPoints([point(0, 0, { carId: 'a' }), point(0, 0, { carId: 'a' })], at), scaled(10));
  expect([marker?.cars, marker?.points.length]).toEqual([1, 2]);
});

it('a car is shown by its cheapest offer that is for sale', () => {
  const offers = [
    point(0, 0, { carId: 'a', price: null }),
    point(0, 0, { carId: 'a', price: 8000 }),
    point(0, 0, { carId: 'a', price: 7000, status: 'sold' }),
    point(0, 0, { carId: 'b', price: null }),
    point(0, 0, { carId: 'b', price: 5000, status: 'gone' }),
  ];
  expect(bestOffers(offers).map(({ price }) => price)).toEqual([8000, null]);
});
