import type { BandRefusal, PriceBand, PriceRating } from './rate-price.ts';

/** How each rating is called. */
export const ratingTexts: Readonly<Record<PriceRating, string>> = {
  great: 'Great price',
  good: 'Good price',
  fair: 'Fair price',
  high: 'High price',
  overpriced: 'Above usual prices',
};

/** Refusals that a buyer can make something of. That a fact is not stated is said elsewhere. */
export const refusalWords: Readonly<Record<string, string>> = {
  few_cars: 'Not enough cars to tell a fair price.',
  wide_spread: 'Prices of cars like this one differ too much to tell a fair price.',
} satisfies Partial<Record<BandRefusal, string>>;

export const dollars = (price: number): string => `$${price.toLocaleString('en-US')}`;

/**
 * '8 of 10 cars like this one: $14,200 to $19,800 (middle $16,900), judged from 1,212 of its model'. The band is for this
 * car's age, mileage, trim and state; the cars that are counted are of its model, and may differ in all of these.
 */
export const usualPrices = ({ low, middle, high, n }: PriceBand): string =>
  `8 of 10 cars like this one: ${dollars(low)} to ${dollars(high)} (middle ${dollars(middle)}), judged from ${n.toLocaleString('en-US')} of its model`;
