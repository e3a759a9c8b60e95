import type { ListingCard_ListingFragment, PriceRating } from '../../gql/graphql.ts';
import { dollars } from '../../lib/text/amounts.ts';

/** How each rating is called. */
export const ratingTexts: Readonly<Record<PriceRating, string>> = {
  great: 'Great price',
  good: 'Good price',
  fair: 'Fair price',
  high: 'High price',
  overpriced: 'Above usual prices',
};

/** Refusals that a buyer can make something of. That a fact is not stated is said elsewhere on the card. */
const refusals: Readonly<Record<string, string>> = {
  few_cars: 'Not enough similar cars to rate the price.',
  wide_spread: 'Prices of similar cars differ too much to rate this one.',
};

/** 'Most of 212 similar cars: $14,200 to $19,800.', or why it can't be said; null where there is nothing to say. */
export function bandText(band: ListingCard_ListingFragment['priceBand']): string | null {
  if (!band) return null;
  if (band.low == null || band.high == null) return refusals[band.reason ?? ''] ?? null;
  return `Most of ${band.n.toLocaleString('en-US')} similar cars: ${dollars(band.low)} to ${dollars(band.high)}`;
}
