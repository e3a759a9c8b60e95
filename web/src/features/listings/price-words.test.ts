import { expect, it } from 'vitest';
import { bandText } from './price-words.ts';

const refused = (reason: string) => ({ low: null, middle: null, high: null, n: 2, rating: null, reason });

it.each([
  [
    { low: 14_200, middle: 16_900, high: 19_800, n: 1_212, rating: null, reason: null },
    '8 of 10 cars like this one: $14,200 to $19,800 (middle $16,900), judged from 1,212 of its model',
  ],
  [refused('few_cars'), 'Not enough cars to tell a fair price.'],
  [refused('wide_spread'), 'Prices of cars like this one differ too much to tell a fair price.'],
  [refused('no_model'), null],
  [null, null],
])('the band %j reads %s', (band, text) => {
  expect(bandText(band)).toBe(text);
});
