import { makeDraws, makeRandom } from '../../lab/random.ts';
import { makeFilters, oracleFiltersFit } from './filter-world.ts';
import type { TestAlert, TestListing } from './match-rows.ts';

interface World {
  alert(): TestAlert;
  /** A listing close to one of the alerts, often exactly on one of its limits. */
  listing(alerts: readonly TestAlert[]): TestListing;
  pick<T>(list: readonly T[]): T;
}

const MILES_PER_DEGREE = (Math.PI / 180) * 3958.7613;
const RADII = [5, 10, 25, 50, 100] as const;
const vehicles = {
  toyota: ['camry', 'corolla'],
  honda: ['civic', 'accord'],
  ford: ['f-150', 'escape'],
} as const;
const makes = Object.keys(vehicles) as (keyof typeof vehicles)[];
const colors = ['black', 'red', 'other'];
/** Cities, both sides of ±180°, next to and on the poles, on band and cell borders, and on the equator. */
const centers = [
  [34.05, -118.24],
  [40.71, -74.0],
  [30, -97],
  [51.9, 179.6],
  [51.9, -179.7],
  [0, 180],
  [-0.3, -180],
  [89.7, 10],
  [90, 0],
  [-89.2, -100],
  [-90, 50],
  [0, 0],
  [71.3, -156.8],
] as const;

/** Makes random alerts and listings that often match and often lie exactly on a limit. */
export function makeWorld(seed: number): World {
  const { random, pick, maybe, whole } = makeDraws(makeRandom(seed));
  const filters = makeFilters(makeRandom(seed + 1));
  const wrap = (lng: number) => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);
  const clamp = (lat: number) => Math.max(-90, Math.min(90, lat));
  const near = () => {
    const [lat, lng] = pick(centers);
    if (random() < 0.15) return { lat, lng };
    const spread = 2 / Math.max(0.02, Math.cos((lat * Math.PI) / 180));
    return { lat: clamp(lat + (random() - 0.5) * 3), lng: wrap(lng + (random() - 0.5) * spread) };
  };

  function alert(): TestAlert {
    const make = pick(makes);
    const yearMin = maybe(0.4, () => whole(2008, 2016));
    const priceMin = maybe(0.4, () => pick([0, whole(1, 20) * 500]));
    return {
      make,
      model: maybe(0.6, () => pick(vehicles[make])),
      yearMin,
      yearMax: maybe(0.4, () => whole(yearMin ?? 2008, 2020)),
      priceMin,
      priceMax: maybe(0.6, () => (priceMin ?? 0) + whole(0, 40) * 500),
      color: maybe(0.3, () => pick(colors)),
      onlyWithImages: random() < 0.5,
      ...near(),
      radius: pick(RADII),
      ...filters.asked(make, vehicles),
    };
  }

  function place(target: TestAlert): { lat: number; lng: number } {
    const kind = random();
    if (kind < 0.3) return near();
    if (kind < 0.4) return { lat: target.lat, lng: target.lng };
    const around = target.radius * (kind < 0.7 ? random() * 1.1 : 1);
    const nudge = kind < 0.7 ? 0 : pick([0, 1e-5, -1e-5, 1e-3, -1e-3]);
    const degrees = ((around + nudge) / MILES_PER_DEGREE) * pick([1, -1]);
    if (random() < 0.5 && Math.abs(target.lat + degrees) <= 90) return { lat: target.lat + degrees, lng: target.lng };
    const cosLat = Math.cos((target.lat * Math.PI) / 180);
    if (cosLat < 0.05) return { lat: target.lat, lng: wrap(target.lng + (random() - 0.5) * 360) };
    // On the same parallel, the haversine formula solved for the longitude gives the point on the border.
    const sine = Math.min(1, Math.sin(((degrees / 2) * Math.PI) / 180) / cosLat);
    return { lat: target.lat, lng: wrap(target.lng + (2 * Math.asin(Math.max(-1, sine)) * 180) / Math.PI) };
  }

  function listing(alerts: readonly TestAlert[]): TestListing {
    const target = pick(alerts);
    const make = random() < 0.9 ? (target.make as (typeof makes)[number]) : pick(makes);
    const hasPlace = random() < 0.97;
    const at = place(target);
    return {
      make,
      model: maybe(0.85, () => (target.model !== null && random() < 0.7 ? target.model : pick(vehicles[make]))),
      year: maybe(0.9, () => pick([target.yearMin, target.yearMax, whole(2006, 2022)]) ?? whole(2006, 2022)),
      price: maybe(0.9, () => pick([target.priceMin, target.priceMax, whole(1, 60) * 500]) || whole(1, 60) * 500),
      color: maybe(0.7, () => pick(colors)),
      imageUrl: maybe(0.7, () => 'https://example.test/photo.jpg'),
      lat: hasPlace ? at.lat : null,
      lng: hasPlace ? at.lng : null,
      ...filters.stated(target),
    };
  }

  return { alert, listing, pick };
}

/*
 * The test oracle: a second implementation of the matching rules, written from the specification alone. It uses no cells,
 * keys or vectors and nothing of `domain`, and compares every pair.
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
  const cars = [...(alert.model === null ? [] : [alert.model]), ...(alert.models ?? [])].map((name) =>
    name.includes('/') ? name : `${alert.make}/${name}`,
  );
  if (cars.length === 0 ? alert.make !== listing.make : !cars.includes(`${listing.make}/${listing.model}`))
    return false;
  if (alert.yearMin !== null && (listing.year === null || listing.year < alert.yearMin)) return false;
  if (alert.yearMax !== null && (listing.year === null || listing.year > alert.yearMax)) return false;
  if (listing.price === null) {
    const isBounded = (alert.priceMin ?? 0) > 0 || alert.priceMax !== null;
    if (alert.priceStated === true || (isBounded && alert.priceStated !== false)) return false;
  } else if (listing.price < (alert.priceMin ?? 0) || listing.price > (alert.priceMax ?? Infinity)) return false;
  if (alert.color !== null && listing.color !== null && alert.color !== listing.color) return false;
  if (alert.onlyWithImages && listing.imageUrl === null) return false;
  if (!oracleFiltersFit(alert, listing)) return false;
  if (listing.lat === null || listing.lng === null) return false;
  return haversineMiles(alert.lat, alert.lng, listing.lat, listing.lng) <= alert.radius + BORDER;
}

/** All matching pairs, as `listing:alert` with the positions in both lists. */
export function oraclePairs(alerts: readonly TestAlert[], listings: readonly TestListing[]): Set<string> {
  const pairs = new Set<string>();
  listings.forEach((listing, l) => {
    alerts.forEach((alert, a) => {
      if (oracleFits(alert, listing)) pairs.add(`${l}:${a}`);
    });
  });
  return pairs;
}
