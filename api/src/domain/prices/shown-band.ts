import { type PriceRating, ratePrice } from './rate-price.ts';

/** A listing's band as it is stored, and its price. */
export interface StoredBand {
  price?: number | null | undefined;
  bandLow?: number | null | undefined;
  bandMiddle?: number | null | undefined;
  bandHigh?: number | null | undefined;
  bandCars?: number | null | undefined;
  /** One of `bandRefusals`. */
  bandRefusal?: string | null | undefined;
}

/** A band as it is shown: its prices, or the reason why there are none. */
export interface ShownBand {
  low: number | null;
  middle: number | null;
  high: number | null;
  n: number;
  /** Null without a price or a band. */
  rating: PriceRating | null;
  /** One of `bandRefusals`. */
  reason: string | null;
}

/** The band of a listing as it is shown; null where there was no model when it was stored. */
export function shownBand({
  price,
  bandLow,
  bandMiddle,
  bandHigh,
  bandCars,
  bandRefusal,
}: StoredBand): ShownBand | null {
  const n = bandCars ?? 0;
  if (bandLow == null || bandMiddle == null || bandHigh == null) {
    return bandRefusal ? { low: null, middle: null, high: null, n, rating: null, reason: bandRefusal } : null;
  }
  const band = { low: bandLow, middle: bandMiddle, high: bandHigh, n };
  return { ...band, rating: price == null ? null : ratePrice(band, price), reason: null };
}
