import { ratingTexts, refusalWords, usualPrices } from '../domain/prices/price-words.ts';
import { type PriceBand, ratePrice } from '../domain/prices/rate-price.ts';

interface BandFacts {
  band: PriceBand | null;
  /** Why there is no band, as it is stored. */
  bandRefusal: string | null;
  price: number | null;
}

/**
 * 'Good price · 8 of 10 cars like this one: $14,200 to $19,800 (middle $16,900), judged from 212 of its model', or why that
 * can't be told; null where there is nothing to say.
 * @param isAmongFew otherwise a mail would say of many cars that nobody can tell
 */
export function bandWords({ band, bandRefusal, price }: BandFacts, isAmongFew: boolean): string | null {
  if (band === null) return isAmongFew ? (refusalWords[bandRefusal ?? ''] ?? null) : null;
  return price === null ? usualPrices(band) : `${ratingTexts[ratePrice(band, price)]} · ${usualPrices(band)}`;
}
