import { oracleFiltersFit } from '../../test/matching/filter-world.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';

export interface Oracle {
  /** Positions of the alerts that the listing fits, ascending. */
  fittingAlerts(listing: TestListing): number[];
}

const RADIUS_MILES = 3958.7613;
const RAD = Math.PI / 180;
/** Distances that differ by less than this count as being on the border. */
const BORDER_MILES = 1e-6;

/**
 * Brute force over every alert, in flat arrays so that a million take milliseconds. It uses no cells, keys and SQL, but
 * implements the rules independently.
 */
export function makeOracle(alerts: readonly TestAlert[]): Oracle {
  const numbers = new Map<string, number>();
  const numberOf = (text: string) => {
    const known = numbers.get(text) ?? numbers.size + 1;
    numbers.set(text, known);
    return known;
  };
  const make = Int32Array.from(alerts, (alert) => numberOf(alert.make));
  const model = Int32Array.from(alerts, (alert) =>
    alert.model === null ? 0 : numberOf(`${alert.make} ${alert.model}`),
  );
  /** Alerts with further models are found by a list of names, others by the numbers. */
  const names = alerts.map(({ make: own, model: first, models }) =>
    models ? [first, ...models].flatMap((name) => name?.replace('/', ' ').replace(/^(?!.* )/, `${own} `) ?? []) : null,
  );
  const lat = Float64Array.from(alerts, (alert) => alert.lat * RAD);
  const cosLat = Float64Array.from(alerts, (alert) => Math.cos(alert.lat * RAD));
  const lng = Float64Array.from(alerts, (alert) => alert.lng * RAD);

  function factsFit(alert: TestAlert, listing: TestListing): boolean {
    if (alert.yearMin !== null && (listing.year === null || listing.year < alert.yearMin)) return false;
    if (alert.yearMax !== null && (listing.year === null || listing.year > alert.yearMax)) return false;
    if (!priceFits(alert, listing.price)) return false;
    if (alert.color !== null && listing.color !== null && alert.color !== listing.color) return false;
    return (!alert.onlyWithImages || listing.imageUrl !== null) && oracleFiltersFit(alert, listing);
  }

  function priceFits({ priceMin, priceMax, priceStated }: TestAlert, price: number | null): boolean {
    if (price !== null) return price >= (priceMin ?? 0) && (priceMax === null || price <= priceMax);
    return priceStated === false || (!priceStated && !priceMin && priceMax === null);
  }

  return {
    fittingAlerts(listing) {
      if (listing.lat === null || listing.lng === null) return [];
      const wantedMake = numbers.get(listing.make) ?? -1;
      const wantedModel = listing.model === null ? -1 : (numbers.get(`${listing.make} ${listing.model}`) ?? -1);
      const listingLat = listing.lat * RAD;
      const listingLng = listing.lng * RAD;
      const listingCos = Math.cos(listingLat);
      const fitting: number[] = [];
      for (let at = 0; at < make.length; at += 1) {
        const several = names[at];
        if (several) {
          if (!several.includes(`${listing.make} ${listing.model}`)) continue;
        } else if (make[at] !== wantedMake || (model[at] !== 0 && model[at] !== wantedModel)) continue;
        const alert = alerts[at];
        if (!alert || !factsFit(alert, listing)) continue;
        const halfLat = Math.sin((listingLat - (lat[at] ?? 0)) / 2);
        const halfLng = Math.sin((listingLng - (lng[at] ?? 0)) / 2);
        const square = halfLat * halfLat + (cosLat[at] ?? 0) * listingCos * halfLng * halfLng;
        const miles = 2 * RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(square)));
        if (miles <= alert.radius + BORDER_MILES) fitting.push(at);
      }
      return fitting;
    },
  };
}
