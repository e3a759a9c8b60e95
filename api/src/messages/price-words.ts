import { ratingTexts, usualPrices } from '../domain/prices/price-words.ts';
import { type PriceBand, ratePrice } from '../domain/prices/rate-price.ts';

/** 'Good price · 8 of 10 cars like this one: $14,200 to $19,800 (middle $16,900), judged from 212 of its model' */
export function bandWords({ band, price }: { band: PriceBand | null; price: number | null }): string | null {
  if (band === null) return null;
  return price === null ? usualPrices(band) : `${ratingTexts[ratePrice(band, price)]} · ${usualPrices(band)}`;
}
