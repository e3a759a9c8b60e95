export const priceRatings = ['great', 'good', 'fair', 'high', 'overpriced'] as const;
export type PriceRating = (typeof priceRatings)[number];

/** Between `low` and `high`, in whole US dollars, 80 of 100 comparable cars are offered. */
export interface PriceBand {
  low: number;
  middle: number;
  high: number;
  /** How many comparable cars it rests on. */
  n: number;
}

/** How a price compares with its band. @param price whole US dollars */
export function ratePrice({ low, middle, high }: PriceBand, price: number): PriceRating {
  if (price < low) return 'great';
  if (price > high) return 'overpriced';
  if (price < Math.sqrt(low * middle)) return 'good';
  return price > Math.sqrt(middle * high) ? 'high' : 'fair';
}
