import {
  type CarFacts,
  comparableCars,
  expectedLogPrice,
  MIN_COMPARABLE,
  type PriceModel,
  spreadClasses,
} from './price-model.ts';
import type { BandRefusal, PriceBand } from './rate-price.ts';

export type BandAnswer = { band: PriceBand } | { refusal: BandRefusal; n: number };

/** A band whose end is more than so many times its beginning helps nobody. */
const MAX_RATIO = 4;
/** Dearer cars are in no market that the model knows. */
const MAX_PRICE = 5_000_000;
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
  if (!(Math.exp(middle + spread.high) <= MAX_PRICE)) return { refusal: 'wide_spread', n };
  return {
    band: {
      low: rounded(Math.exp(middle + spread.low)),
      middle: rounded(Math.exp(middle)),
      high: rounded(Math.exp(middle + spread.high)),
      n,
    },
  };
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
