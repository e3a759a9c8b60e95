import type { TestAlert, TestListing } from './match-rows.ts';

/*
 * What matches, written a second time and from the words of the rules alone: no cell, no key, no vector, nothing of
 * `domain`. It judges every pair, one after another.
 */

const RADIUS = 3958.7613;
const BORDER = 1e-6;

export function haversineMiles(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const rad = Math.PI / 180;
  const a =
    Math.sin(((lat2 - lat1) * rad) / 2) ** 2 +
    Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lng2 - lng1) * rad) / 2) ** 2;
  return 2 * RADIUS * Math.atan2(Math.sqrt(a), Math.sqrt(Math.max(0, 1 - a)));
}

export function oracleFits(alert: TestAlert, listing: TestListing): boolean {
  if (alert.make !== listing.make) return false;
  if (alert.model !== null && alert.model !== listing.model) return false;
  if (alert.yearMin !== null && (listing.year === null || listing.year < alert.yearMin)) return false;
  if (alert.yearMax !== null && (listing.year === null || listing.year > alert.yearMax)) return false;
  if (alert.priceMin !== null && alert.priceMin !== 0) {
    if (listing.price === null || listing.price < alert.priceMin) return false;
  }
  if (alert.priceMax !== null && (listing.price === null || listing.price > alert.priceMax)) return false;
  if (alert.color !== null && listing.color !== null && alert.color !== listing.color) return false;
  if (alert.onlyWithImages && listing.imageUrl === null) return false;
  if (listing.lat === null || listing.lng === null) return false;
  return haversineMiles(alert.lat, alert.lng, listing.lat, listing.lng) <= alert.radius + BORDER;
}

/** All pairs that match, as `listing:alert` of the positions in both lists. */
export function oraclePairs(alerts: readonly TestAlert[], listings: readonly TestListing[]): Set<string> {
  const pairs = new Set<string>();
  listings.forEach((listing, l) => {
    alerts.forEach((alert, a) => {
      if (oracleFits(alert, listing)) pairs.add(`${l}:${a}`);
    });
  });
  return pairs;
}
