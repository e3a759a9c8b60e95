import type { AlertCriteria, ListingCriteria } from '../domain/criteria/criteria.ts';
import { columnOf } from './column-of.ts';

const criteria: Readonly<Record<keyof AlertCriteria, true>> = {
  make: true,
  model: true,
  models: true,
  yearMin: true,
  yearMax: true,
  priceMin: true,
  priceMax: true,
  color: true,
  onlyWithImages: true,
  lat: true,
  lng: true,
  radius: true,
  mileageMax: true,
  transmission: true,
  fuel: true,
  drive: true,
  body: true,
  titleStatus: true,
  seller: true,
  excludeWords: true,
  requireWords: true,
  priceStated: true,
  belowFairPrice: true,
};

const facts: Readonly<Record<keyof ListingCriteria, true>> = {
  title: true,
  trim: true,
  make: true,
  model: true,
  year: true,
  price: true,
  mileage: true,
  color: true,
  imageUrl: true,
  lat: true,
  lng: true,
  transmission: true,
  fuel: true,
  drive: true,
  body: true,
  titleStatus: true,
  seller: true,
  bandLow: true,
  bandMiddle: true,
  bandHigh: true,
};

const columnsOf = (names: object, alias: string): string =>
  Object.keys(names)
    .map((name) => `${alias}.${columnOf(name)} as "${name}"`)
    .join(', ');

/** SQL: the columns of an alert's `AlertCriteria`. @param a an alias of `alerts` */
export const criteriaColumns = (a: string): string => columnsOf(criteria, a);

/** SQL: the columns of a listing's `ListingCriteria`. @param l an alias of `listings` */
export const factColumns = (l: string): string => columnsOf(facts, l);

/**
 * SQL: whether a price is below the fair one, as it is rated good or great; false without a price or a band.
 * @param band an alias of what has the columns of a band
 */
export const isBelowFair = (price: string, band: string): string =>
  `coalesce(${price}::int8 * ${price} < ${band}.band_low::int8 * ${band}.band_middle, false)`;
