import { expect, it } from 'vitest';
import { overlap } from './chart.ts';
import { scaleBarMiles } from './scale-bar.ts';
import { placeLabels } from './town-labels.ts';

const town = (name: string, x: number, y: number, population: number, state = '32') => ({
  name,
  at: [x, y] as const,
  population,
  state,
});
const same = (at: readonly [number, number]) => at;
const screen = { width: 300, height: 300 };
const states = new Map([
  ['32', 'Nevada'],
  ['06', 'California'],
]);
const center = town('Reno', 150, 150, Number.POSITIVE_INFINITY);

it('names the largest towns in view, and none that would cover another or a mark', () => {
  const towns = [
    town('Outside', 900, 150, 200_000),
    town('Sparks', 152, 152, 110_000),
    town('Under a mark', 60, 60, 5_000),
    town('Verdi', 250, 250, 1_000),
  ];
  const mark = [0, 0, 160, 110] as const;
  const labels = placeLabels({ center, towns, states }, same, screen, [mark]);
  expect(labels.map(({ name, kind }) => [name, kind])).toEqual([
    ['Reno', 'large'],
    ['Sparks', 'large'],
    ['Verdi', 'town'],
  ]);
  const [reno, sparks] = labels.map(({ text: [x, y] }) => [x - 20, y - 10, x + 20, y + 2] as const);
  expect(reno && sparks && overlap(reno, sparks)).toBe(false);
});

it('names states only where towns of several are in view, near one of their towns', () => {
  const nevada = [town('Sparks', 160, 100, 110_000), town('Verdi', 250, 250, 1_000)];
  const truckee = town('Truckee', 70, 200, 16_000, '06');
  const statesOf = (towns: ReturnType<typeof town>[]) =>
    placeLabels({ center, towns, states }, same, screen, []).filter(({ kind }) => kind === 'state');
  expect(statesOf(nevada)).toEqual([]);
  expect(statesOf([...nevada, town('Outside', 900, 9, 10, '06')])).toEqual([]);
  expect(statesOf([...nevada, truckee]).map(({ name }) => name)).toEqual(['Nevada', 'California']);
  expect(statesOf([...nevada, truckee])[1]?.text).toEqual([70, 188]);
});

it('names no more towns than there is room for', () => {
  const towns = Array.from({ length: 900 }, (_, n) => town('Ada', (n % 30) * 10, Math.floor(n / 30) * 10, 1000 - n));
  expect(placeLabels({ center, towns, states }, same, screen, []).length).toBeLessThanOrEqual(7);
});

it.each([
  [2.9, 90, 20],
  [30, 90, 2],
  [0.1, 90, 500],
  [900, 90, 0.25],
])('at %s pixels a mile, %s pixels have room for %s miles', (pixels, room, miles) => {
  expect(scaleBarMiles(pixels, room)).toBe(miles);
});
