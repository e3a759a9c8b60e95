import { NO_PRICE_MAX, NO_YEAR_MAX } from '../../domain/criteria/alert-search.ts';
import { notStatedBits } from '../../domain/criteria/criteria.ts';
import { EARTH_RADIUS_MILES } from '../../domain/places/distance.ts';

/*
 * The rules of `domain/criteria/criteria.ts` as SQL, on `c` (what an alert asks, columns of `alert_cells`) and `l` (listings).
 * Both searches use them, and a test holds them against the domain's.
 */

export const pricesFit = `c.price_max >= coalesce(l.price, ${NO_PRICE_MAX}) and c.price_min <= coalesce(l.price, 0)`;

export const otherFactsFit = `
  c.year_min <= coalesce(l.year, 0) and c.year_max >= coalesce(l.year, ${NO_YEAR_MAX})
  and (c.color = 0 or l.color_code = 0 or c.color = l.color_code)
  and (not c.only_images or l.has_image)
  and c.x * l.x + c.y * l.y + c.z * l.z >= c.cos_radius`;

/** A product costs a tenth of "^ 2". */
const square = (difference: string): string => `(${difference}) * (${difference})`;

export const distanceMiles = `
  (2 * ${EARTH_RADIUS_MILES} * asin(least(1, sqrt(
    ${square('c.x - l.x')} + ${square('c.y - l.y')} + ${square('c.z - l.z')}) / 2)))::float4`;

/** Of a listing with a place: without one it has no `model_key`, and matches nothing. */
export const notStated = `
  ((l.color_code = 0)::int * ${notStatedBits.color} + (l.model_key is null)::int * ${notStatedBits.model}
  + (l.year is null)::int * ${notStatedBits.year} + (l.price is null)::int * ${notStatedBits.price}
  + (not l.has_image)::int * ${notStatedBits.image})::int2`;

/** Whether the first price is at least 5 % below the second; unknown prices are no drop. */
export const isDrop = (price: string, from: string): string =>
  `coalesce(${price}::int8 * 100 <= ${from}::int8 * 95, false)`;
