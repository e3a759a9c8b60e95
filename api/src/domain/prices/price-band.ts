import {
  type CarFacts,
  comparableCars,
  expectedLogPrice,
  MIN_COMPARABLE,
  type PriceModel,
  spreadClasses,
} from './price-model.ts';

export const priceRatings = ['great', 'good', 'fair', 'high', 'overpriced'] as const;
export type PriceRating = (typeof priceRatings)[number];

/** Why there is no band: too few comparable cars, or their prices differ too much. */
export const bandRefusals = ['few_cars', 'wide_spread', 'no_model', 'no_year'] as const;
export type BandRefusal = (typeof bandRefusals)[number];

/** Between `low` and `high`, in whole US dollars, 80 of 100 comparable cars are offered. */
export interface PriceBand {
  low: number;
  middle: number;
  high: number;
  /** How many comparable cars it rests on. */
  n: number;
}

export type BandAnswer = { band: PriceBand } | { refusal: BandRefusal; n: number };

/** A band whose end is more than so many times its beginning helps nobody. */
const MAX_RATIO = 4;
/** Prices are rounded to two figures and a half: 12,340 becomes 12,350. */
const STEPS = 200;

function rounded(price: number): number {
  const step = Math.max(10, 10 ** Math.ceil(Math.log10(price / STEPS)) / 2);
  return Math.round(price / step) * step;
}

/** The band of prices in which a car like this one is offered, or why there is none. */
export function priceBand(model: PriceModel, car: CarFacts): BandAnswer {
  const n = comparableCars(model.counts, car);
  if (car.model === null) return { refusal: 'no_model', n };
  if (car.year === null) return { refusal: 'no_year', n };
  if (n < MIN_COMPARABLE) return { refusal: 'few_cars', n };
  const known = { ...car, year: car.year };
  const spread = spreadClasses(known, model.now, n)
    .map((name) => model.spreads[name])
    .find((found) => found);
  if (!spread || Math.exp(spread.high - spread.low) > MAX_RATIO) return { refusal: 'wide_spread', n };
  const middle = expectedLogPrice(model, known);
  return {
    band: {
      low: rounded(Math.exp(middle + spread.low)),
      middle: rounded(Math.exp(middle)),
      high: rounded(Math.exp(middle + spread.high)),
      n,
    },
  };
}

/** How a price compares with its band. @param price whole US dollars */
export function ratePrice({ low, middle, high }: PriceBand, price: number): PriceRating {
  if (price < low) return 'great';
  if (price > high) return 'overpriced';
  if (price < Math.sqrt(low * middle)) return 'good';
  return price > Math.sqrt(middle * high) ? 'high' : 'fair';
}

/** A listing's band as it is stored: all null where no model was there, `band_refusal` alone where there is no band. */
export interface BandColumns {
  band_low: number | null;
  band_middle: number | null;
  band_high: number | null;
  band_cars: number | null;
  band_refusal: BandRefusal | null;
}

/** @param model null before the first was fitted */
export function bandColumns(model: PriceModel | null, car: CarFacts): BandColumns {
  const none = { band_low: null, band_middle: null, band_high: null, band_cars: null, band_refusal: null };
  if (!model) return none;
  const answer = priceBand(model, car);
  if ('refusal' in answer) return { ...none, band_cars: answer.n, band_refusal: answer.refusal };
  const { low, middle, high, n } = answer.band;
  return { ...none, band_low: low, band_middle: middle, band_high: high, band_cars: n };
}
