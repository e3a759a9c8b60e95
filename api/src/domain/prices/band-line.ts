import { priceBand } from './price-band.ts';
import type { CarFacts, PriceModel } from './price-model.ts';

/** The band of prices of a car if it had been driven so far. */
export interface BandPoint {
  /** Miles. */
  mileage: number;
  /** Whole US dollars, as in `PriceBand`. */
  low: number;
  middle: number;
  high: number;
}

const STEPS = 12;
/** Cars that were driven less are priced as new ones, and farther than this no more is known. */
const LEAST = 1_000;
const MOST = 300_000;

/**
 * How the band of a car runs over the mileage, all else being equal. Empty where the model gives no band.
 * @param upTo miles
 */
export function bandLine(model: PriceModel, car: CarFacts, upTo: number): BandPoint[] {
  const last = Math.min(Math.max(upTo, LEAST), MOST);
  const miles = Array.from({ length: STEPS + 1 }, (_, step) => Math.max(LEAST, Math.round((last * step) / STEPS)));
  return [...new Set(miles)].flatMap((mileage) => {
    const answer = priceBand(model, { ...car, mileage });
    return 'band' in answer
      ? { mileage, low: answer.band.low, middle: answer.band.middle, high: answer.band.high }
      : [];
  });
}
