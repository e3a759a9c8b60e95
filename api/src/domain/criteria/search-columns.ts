import type { ListingFacts } from '../facts/listing-facts.ts';
import { cosRadius, EARTH_RADIUS_MILES, unitVector, type Vector } from '../places/place.ts';
import { type AlertCriteria, colorCode } from './criteria.ts';

/**
 * A positive 31-bit number for a make, or a model of it; FNV-1a over the slugs, so it never changes.
 * It is stored: a new hash means a migration.
 * @param model null stands for "any model of the make"
 */
export function vehicleKey(make: string, model: string | null): number {
  const text = model === null ? make : `${make}/${model}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 1;
}

/** What `alert_cells.key` and the listings' keys hold: vehicle in the upper 32 bits, cell in the lower; an int8 as text. */
export function searchKey(vehicle: number, cell: number): string {
  return ((BigInt(vehicle) << 32n) | BigInt(cell)).toString();
}

/** Stand for "no bound"; a stated price or year never reaches them. */
export const NO_PRICE_MAX = 2_147_483_647;
export const NO_YEAR_MAX = 32_767;

/** What an alert asks, as numbers that a statement compares; 0 as a minimum or a colour asks nothing. */
interface AlertSearch extends Vector {
  priceMin: number;
  priceMax: number;
  yearMin: number;
  yearMax: number;
  color: number;
  onlyImages: boolean;
  /** See `cosRadius` of `distance.ts`. */
  cosRadius: number;
}

/** The alert's side of `alert_cells` but for the keys. */
export function alertSearch(alert: AlertCriteria): AlertSearch {
  return {
    priceMin: alert.priceMin ?? 0,
    priceMax: alert.priceMax ?? NO_PRICE_MAX,
    yearMin: alert.yearMin ?? 0,
    yearMax: alert.yearMax ?? NO_YEAR_MAX,
    color: colorCode(alert.color),
    onlyImages: alert.onlyWithImages,
    ...unitVector(alert.lat, alert.lng),
    cosRadius: cosRadius(alert.radius),
  };
}

/** One key a covered cell, int8 as text: what `alert_cells.key` holds. A listing meets at most one of them. */
export function alertKeys(alert: Pick<AlertCriteria, 'make' | 'model' | 'lat' | 'lng' | 'radius'>): string[] {
  const vehicle = vehicleKey(alert.make, alert.model ?? null);
  return cellsWithin(alert.lat, alert.lng, alert.radius).map((cell) => searchKey(vehicle, cell));
}

/** Where the alert's listings lie in `listings.make_key`, whatever model it asks. */
export function alertMakeKeys(alert: Pick<AlertCriteria, 'make' | 'lat' | 'lng' | 'radius'>): string[] {
  return alertKeys({ make: alert.make, model: null, lat: alert.lat, lng: alert.lng, radius: alert.radius });
}

/** The columns of `listings` that matching searches by; without a place a listing is never found. */
interface ListingSearchColumns {
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

/** The earth in latitude bands of 1°, each cut into cells of about 1° of arc: fewer towards the poles. */
const BANDS = 180;

/** Cells reach this much further than the radius, so that rounding never loses a point on the border. */
const MARGIN_MILES = 0.01;

const degrees = (radiansValue: number): number => (radiansValue * 180) / Math.PI;
const radians = (degreesValue: number): number => (degreesValue * Math.PI) / 180;

function bandOf(lat: number): number {
  return Math.min(BANDS - 1, Math.max(0, Math.floor(lat + 90)));
}

/** By the band's edge nearest the equator, so no cell is wider than a degree there. */
function cellsInBand(band: number): number {
  const lat = Math.min(Math.abs(band - 90), Math.abs(band - 89));
  return Math.max(1, Math.ceil(360 * Math.cos(radians(lat))));
}

function cellId(band: number, index: number): number {
  const count = cellsInBand(band);
  return band * 360 + (((index % count) + count) % count);
}

/** Position on the ring of a band, in cells; goes below 0 or above the count beyond ±180°. */
function ringIndex(lng: number, count: number): number {
  return Math.floor(((lng + 180) / 360) * count);
}

/** The cell of a place in degrees: a number from 0 to 64,799. */
export function cellOf(lat: number, lng: number): number {
  const band = bandOf(lat);
  return cellId(band, ringIndex(lng, cellsInBand(band)));
}

/** Every cell that a circle touches, each once; some that it only nearly touches are among them. */
export function cellsWithin(lat: number, lng: number, radiusMiles: number): number[] {
  const angle = (radiusMiles + MARGIN_MILES) / EARTH_RADIUS_MILES;
  const south = lat - degrees(angle);
  const north = lat + degrees(angle);
  const coversPole = north >= 90 || south <= -90;
  const halfWidth = coversPole ? 180 : degrees(Math.asin(Math.sin(angle) / Math.cos(radians(lat))));
  const cells: number[] = [];
  for (let band = bandOf(south); band <= bandOf(north); band += 1) {
    const count = cellsInBand(band);
    const first = ringIndex(lng - halfWidth, count);
    const last = Math.min(ringIndex(lng + halfWidth, count), first + count - 1);
    for (let index = first; index <= last; index += 1) cells.push(cellId(band, index));
  }
  return cells;
}
