export const priceRatings = ['great', 'good', 'fair', 'high', 'overpriced'] as const;
export type PriceRating = (typeof priceRatings)[number];

/** What a car of this age, mileage, trim and state is offered for: 80 of 100 between `low` and `high`, in whole US dollars. */
export interface PriceBand {
  low: number;
  middle: number;
  high: number;
  /** How many cars of the model, of any mileage, trim and state, it was judged from. */
  n: number;
}

/** Why there is no band: too few comparable cars, or their prices differ too much. */
export const bandRefusals = ['few_cars', 'wide_spread', 'no_model', 'no_year'] as const;
export type BandRefusal = (typeof bandRefusals)[number];

/** How a price compares with its band. @param price whole US dollars */
export function ratePrice({ low, middle, high }: PriceBand, price: number): PriceRating {
  if (price < low) return 'great';
  if (price > high) return 'overpriced';
  if (price < Math.sqrt(low * middle)) return 'good';
  return price > Math.sqrt(middle * high) ? 'high' : 'fair';
}
