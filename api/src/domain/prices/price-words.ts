import type { PriceBand, PriceRating } from './rate-price.ts';

/** How each rating is called. */
export const ratingTexts: Readonly<Record<PriceRating, string>> = {
  great: 'Great price',
  good: 'Good price',
  fair: 'Fair price',
  high: 'High price',
  overpriced: 'Above usual prices',
};

export const dollars = (price: number): string => `$${price.toLocaleString('en-US')}`;

/** 'Most of 1,212 similar cars: $14,200 to $19,800' */
export const usualPrices = ({ low, high, n }: Pick<PriceBand, 'low' | 'high' | 'n'>): string =>
  `Most of ${n.toLocaleString('en-US')} similar cars: ${dollars(low)} to ${dollars(high)}`;
