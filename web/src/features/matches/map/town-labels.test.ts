import { expect, it } from 'vitest';
import { overlap } from './chart.ts';
import { scaleBarMiles } from './scale-bar.ts';
import { placeLabels } from './town-labels.ts';

const town = (name: string, x: number, y: number, population: number) => ({ name, at: [x, y] as const, population });
const same = (at: readonly [number, number]) => at;
const screen = { width: 300, height: 300 };

it('names the largest towns in view, and none that would cover another or a mark', () => {
  const towns = [
    town('Reno', 150, 150, 260_000),
    town('Outside', 900, 150, 200_000),
    town('Sparks', 152, 152, 110_000),
    town('Under a mark', 60, 60, 5_000),
  ];
  const mark = [0, 0, 160, 110] as const;
  const labels = placeLabels(towns, same, screen, [mark]);
  expect(labels.map(({ name, isLarge }) => [name, isLarge])).toEqual([
    ['Reno', true],
    ['Sparks', true],
  ]);
  const [reno, sparks] = labels.map(({ text: [x, y] }) => [x - 20, y - 10, x + 20, y + 2] as const);
  expect(reno && sparks && overlap(reno, sparks)).toBe(false);
});

it('names no more towns than there is room for', () => {
  const towns = Array.from({ length: 900 }, (_, n) => town('Ada', (n % 30) * 10, Math.floor(n / 30) * 10, 1000 - n));
  expect(placeLabels(towns, same, screen, []).length).toBeLessThanOrEqual(6);
});

it.each([
  [2.9, 90, 20],
  [30, 90, 2],
  [0.1, 90, 500],
  [900, 90, 0.25],
])('at %s pixels a mile, %s pixels have room for %s miles', (pixels, room, miles) => {
  expect(scaleBarMiles(pixels, room)).toBe(miles);
});
