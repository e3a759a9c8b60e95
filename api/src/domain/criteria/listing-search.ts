import type { ListingFacts } from '../facts/listing-facts.ts';
import { unitVector } from '../places/distance.ts';
import { cellOf } from './cells.ts';
import { colorCode } from './color-code.ts';
import { searchKey, vehicleKey } from './vehicle-key.ts';

/** The columns of `listings` that matching searches by; without a place a listing is never found. */
export interface ListingSearchColumns {
  /** An int8 as text: any model of the make, in the listing's cell. */
  makeKey: string | null;
  modelKey: string | null;
  colorCode: number;
  x: number | null;
  y: number | null;
  z: number | null;
}

/** What intake stores beside the facts, so that matching finds the listing. */
export function listingSearchColumns(
  facts: Pick<ListingFacts, 'make' | 'model' | 'color' | 'lat' | 'lng'>,
): ListingSearchColumns {
  const { make, model, color, lat, lng } = facts;
  if (lat === null || lng === null) {
    return { makeKey: null, modelKey: null, colorCode: colorCode(color), x: null, y: null, z: null };
  }
  const cell = cellOf(lat, lng);
  return {
    makeKey: searchKey(vehicleKey(make, null), cell),
    modelKey: model === null ? null : searchKey(vehicleKey(make, model), cell),
    colorCode: colorCode(color),
    ...unitVector(lat, lng),
  };
}
