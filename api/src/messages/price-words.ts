import { ratingTexts, usualPrices } from '../domain/prices/price-words.ts';
import { type PriceBand, ratePrice } from '../domain/prices/rate-price.ts';

/** 'Good price · Most of 212 similar cars: $14,200 to $19,800' */
export function bandWords({ band, price }: { band: PriceBand | null; price: number | null }): string | null {
  if (band === null) return null;
  return price === null ? usualPrices(band) : `${ratingTexts[ratePrice(band, price)]} · ${usualPrices(band)}`;
}
