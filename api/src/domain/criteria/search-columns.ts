import type { ListingFacts } from '../facts/listing-facts.ts';
import { cosRadius, EARTH_RADIUS_MILES, unitVector, type Vector } from '../places/place.ts';
import { type AskedCars, askedCars } from './asked-cars.ts';
import { type AlertCriteria, colorCode } from './criteria.ts';
import { askedFilters, conditionsOf } from './filters.ts';

/**
 * A positive 31-bit hash (FNV-1a) of the slugs of a make and a model. It is stored, so another hash needs a migration.
 * @param model null for any model of the make
 */
export function vehicleKey(make: string, model: string | null): number {
  const text = model === null ? make : `${make}/${model}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 1;
}

/**
 * The key in `alert_cells.key` and of listings, an int8 as text: the vehicle in the upper 32 bits, the cell in the lower.
 */
export function searchKey(vehicle: number, cell: number): string {
  return ((BigInt(vehicle) << 32n) | BigInt(cell)).toString();
}

/** Values that mean no upper bound, above every price, year and mileage. */
export const NO_PRICE_MAX = 2_147_483_647;
export const NO_YEAR_MAX = 32_767;
export const NO_MILEAGE_MAX = 2_147_483_647;

/** The criteria of an alert as numbers for SQL. A minimum or a color of 0 means any. */
interface AlertSearch extends Vector {
  priceMin: number;
  priceMax: number;
  yearMin: number;
  yearMax: number;
  color: number;
  onlyImages: boolean;
  /** Bits of `filters.ts`. */
  asked: number;
  /** What has no bit; empty where it stands in the alert's row alone. */
  conditions: string;
  /** Miles. */
  mileageMax: number;
  /** See `cosRadius` in `places/place.ts`. */
  cosRadius: number;
}

/** An entry of an index takes 2,700 bytes, and a character up to three of them. Longer conditions are rare. */
const MAX_CONDITIONS = 500;

/** An alert's columns of `alert_cells`, except the keys. */
export function alertSearch(alert: AlertCriteria): AlertSearch {
  const { asked, isPriceOpen } = askedFilters(alert);
  const conditions = conditionsOf(alert);
  return {
    priceMin: isPriceOpen ? 0 : (alert.priceMin ?? 0),
    priceMax: isPriceOpen ? NO_PRICE_MAX : (alert.priceMax ?? NO_PRICE_MAX),
    yearMin: alert.yearMin ?? 0,
    yearMax: alert.yearMax ?? NO_YEAR_MAX,
    color: colorCode(alert.color),
    onlyImages: alert.onlyWithImages,
    asked,
    conditions: conditions.length > MAX_CONDITIONS ? '' : conditions,
    mileageMax: alert.mileageMax ?? NO_MILEAGE_MAX,
    ...unitVector(alert.lat, alert.lng),
    cosRadius: cosRadius(alert.radius),
  };
}

/** The vehicles that an alert asks for: a listing is at most one of them. */
function askedVehicles(alert: AskedCars): number[] {
  return [...askedCars(alert)].flatMap(([make, models]) =>
    models === null ? vehicleKey(make, null) : models.map((model) => vehicleKey(make, model)),
  );
}

type AlertArea = AskedCars & Pick<AlertCriteria, 'lat' | 'lng' | 'radius'>;

/** The alert's values of `alert_cells.key`, one for each cell and vehicle. A listing has at most one of them. */
export function alertKeys(alert: AlertArea): string[] {
  const vehicles = askedVehicles(alert);
  return cellsWithin(alert.lat, alert.lng, alert.radius).flatMap((cell) =>
    vehicles.map((vehicle) => searchKey(vehicle, cell)),
  );
}

/** Where an alert's listings are: the key of a make in a cell, and those of its models there; null: any model. */
interface AlertCell {
  makeKey: string;
  modelKeys: string[] | null;
}

/** The cells to search for listings of an alert, each make alone. */
export function alertCells(alert: AlertArea): AlertCell[] {
  const cells = cellsWithin(alert.lat, alert.lng, alert.radius);
  return [...askedCars(alert)].flatMap(([make, models]) =>
    cells.map((cell) => ({
      makeKey: searchKey(vehicleKey(make, null), cell),
      modelKeys: models?.map((model) => searchKey(vehicleKey(make, model), cell)) ?? null,
    })),
  );
}

/** Columns of `listings` by which matching searches. A listing without a place is never found. */
interface ListingSearchColumns {
  /** An int8 as text: any model of the make, in the listing's cell. */
  makeKey: string | null;
  modelKey: string | null;
  colorCode: number;
  x: number | null;
  y: number | null;
  z: number | null;
}

/** The columns by which matching finds a listing. */
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

/** The earth is divided into latitude bands of 1°, each of which is divided into cells of about 1° of arc. */
const BANDS = 180;

/** Added to the radius, so that rounding never loses a point on its border. */
const MARGIN_MILES = 0.01;

const degrees = (radiansValue: number): number => (radiansValue * 180) / Math.PI;
const radians = (degreesValue: number): number => (degreesValue * Math.PI) / 180;

function bandOf(lat: number): number {
  return Math.min(BANDS - 1, Math.max(0, Math.floor(lat + 90)));
}

/** Computed at the band's edge nearest to the equator, so that no cell is wider than one degree. */
function cellsInBand(band: number): number {
  const lat = Math.min(Math.abs(band - 90), Math.abs(band - 89));
  return Math.max(1, Math.ceil(360 * Math.cos(radians(lat))));
}

function cellId(band: number, index: number): number {
  const count = cellsInBand(band);
  return band * 360 + (((index % count) + count) % count);
}

/** The index of a cell in its band, which beyond ±180° is below 0 or above the count. */
function ringIndex(lng: number, count: number): number {
  return Math.floor(((lng + 180) / 360) * count);
}

/** The id of the cell at a point in degrees, from 0 to 64,799. */
export function cellOf(lat: number, lng: number): number {
  const band = bandOf(lat);
  return cellId(band, ringIndex(lng, cellsInBand(band)));
}

/** The ids of all cells that a circle touches, and of a few near it. @param lat degrees @param lng degrees */
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
