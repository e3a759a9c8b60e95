import { type PriceBand, type PriceRating, ratePrice } from '../domain/prices/price-band.ts';

export const dollars = (price: number) => `$${price.toLocaleString('en-US')}`;

/** How each rating is called. */
const ratings: Readonly<Record<PriceRating, string>> = {
  great: 'Great price',
  good: 'Good price',
  fair: 'Fair price',
  high: 'High price',
  overpriced: 'Above usual prices',
};

/** 'Good price: most similar cars are listed at $14,200 to $19,800.' */
export function bandWords({ band, price }: { band: PriceBand | null; price: number | null }): string | null {
  if (band === null) return null;
  const usual = `ost similar cars are listed at ${dollars(band.low)} to ${dollars(band.high)}.`;
  return price === null ? `M${usual}` : `${ratings[ratePrice(band, price)]}: m${usual}`;
}
