import { expect, it } from 'vitest';
import { priceBefore } from './price-before.ts';

const points = (...prices: (number | null)[]) => prices.map((price, day) => ({ price, seenAt: `2026-11-0${day + 1}` }));

it.each([
  ['nothing changed', points(9000), 9000, null],
  ['it fell', points(9000, 8000), 8000, { price: 9000, seenAt: '2026-11-01', isLower: true }],
  ['it rose', points(8000, 9000), 9000, { price: 8000, seenAt: '2026-11-01', isLower: false }],
  ['it fell twice', points(9000, 8500, 8000), 8000, { price: 8500, seenAt: '2026-11-02', isLower: true }],
  ['none was stated in between', points(9000, null, 8000), 8000, { price: 9000, seenAt: '2026-11-01', isLower: true }],
  ['none is stated now', points(9000, null), null, null],
])('when %s', (_name, history, price, before) => {
  expect(priceBefore(history, price)).toEqual(before);
});
