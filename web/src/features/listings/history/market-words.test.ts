import { expect, it } from 'vitest';
import { marketText } from './market-words.ts';

it.each([
  [3, 0, 'for_sale', null],
  [13, 0, 'for_sale', null],
  [14, 0, 'for_sale', 'On the market 14 days'],
  [60, 2, 'for_sale', 'On the market 60 days · listed 3 times'],
  [1, 1, 'pending', 'On the market 1 day · listed 2 times'],
  [0, 1, 'for_sale', 'On the market since today · listed 2 times'],
  [30, 0, 'sold', 'Was on the market 30 days'],
  [0, 1, 'gone', 'Was on the market 0 days · listed 2 times'],
] as const)('says of %i days and %i relists of a car that is %s: %s', (daysOnMarket, relists, status, text) => {
  expect(marketText({ daysOnMarket, relists, status })).toBe(text);
});
