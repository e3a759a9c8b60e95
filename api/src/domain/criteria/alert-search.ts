import { cosRadius, unitVector, type Vector } from '../places/distance.ts';
import { cellsWithin } from './cells.ts';
import { colorCode } from './color-code.ts';
import type { AlertCriteria } from './criteria.ts';
import { searchKey, vehicleKey } from './vehicle-key.ts';

/** Stand for "no bound"; a stated price or year never reaches them. */
export const NO_PRICE_MAX = 2_147_483_647;
export const NO_YEAR_MAX = 32_767;

/** What an alert asks, as numbers that a statement compares; 0 as a minimum or a colour asks nothing. */
export interface AlertSearch extends Vector {
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
