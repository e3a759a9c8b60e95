import { createHash } from 'node:crypto';
import { alertKeys } from '../criteria/search-columns.ts';
import type { ListingFacts } from '../facts/listing-facts.ts';
import { GROWN_A_LITTLE_MILES, REACH_MILES } from './compare-cars.ts';

const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;

/** A vehicle identification number as stored, null for anything else. Source: ISO 3779: 17 signs without I, O and Q. */
export function readVin(text: string | null | undefined): string | null {
  const vin = text?.trim().toUpperCase() ?? '';
  // Seventeen equal signs fill a field that must not be empty.
  return VIN.test(vin) && new Set(vin).size > 3 ? vin : null;
}

/** Where listings lie that may be the same car: the look-up by index before any comparing. */
interface CarProbe {
  /** Values of `listings.model_key`: the model in every cell within reach, int8 as text. */
  keys: string[];
  year: number;
  mileageMin: number;
  mileageMax: number;
}

type Probed = Pick<ListingFacts, 'make' | 'model' | 'year' | 'mileageMiles' | 'lat' | 'lng'> & { vin?: string | null };

/** Longest time between two listings of one car, and what is driven in it. */
export const RELIST_DAYS = 90;
const MAX_MILES_DRIVEN = 3_900;
/** An older one was rounded up. */
const ROUNDED_MILES = 500;
const INT4_MAX = 2_147_483_647;

/** null where too little is stated to tell two cars apart. */
export function carProbe({ make, model, year, mileageMiles, lat, lng }: Probed): CarProbe | null {
  if (model === null || year === null || lat === null || lng === null) return null;
  return {
    keys: alertKeys({ make, model, lat, lng, radius: REACH_MILES }),
    year,
    mileageMin: mileageMiles === null ? 0 : mileageMiles - MAX_MILES_DRIVEN,
    mileageMax: mileageMiles === null ? INT4_MAX : mileageMiles + ROUNDED_MILES,
  };
}

const BUCKETS = 256;
const bucketOf = (text: string): number => createHash('sha1').update(text).digest().readUInt8(0) % BUCKETS;

/**
 * Numbers, two of which are equal for any two listings that facts alone could link: whoever stores one holds their
 * locks, so that of two sources with one car the second sees the first. Two grids of which one holds any near pair.
 */
export function carLocks({ make, model, year, mileageMiles, vin }: Probed): number[] {
  const locks = vin ? [bucketOf(vin)] : [];
  if (model === null || year === null || mileageMiles === null) return locks;
  const width = GROWN_A_LITTLE_MILES * 4;
  const grids = [mileageMiles / width, (mileageMiles + width / 2) / width].map(Math.floor);
  return [...locks, ...grids.map((cell, index) => bucketOf(`${index}/${make}/${model}/${year}/${cell}`))];
}
