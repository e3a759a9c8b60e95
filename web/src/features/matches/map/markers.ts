import type { Miles } from './chart.ts';
import type { MapPoint } from './map-documents.ts';

/** Points at the same coordinates, such as the center of a town. */
export interface Spot {
  key: string;
  at: Miles;
  points: MapPoint[];
}

/** Groups points that lie on one another. */
export function groupPoints(points: readonly MapPoint[], at: (latitude: number, longitude: number) => Miles): Spot[] {
  const spots = Map.groupBy(points, ({ latitude, longitude }) => `${latitude},${longitude}`);
  return [...spots].flatMap(([key, group]) => {
    const [first] = group;
    return first ? [{ key, at: at(first.latitude, first.longitude), points: group }] : [];
  });
}

/** One mark on the screen: a spot, or several that would cover one another. */
export interface Marker {
  key: string;
  /** Pixels. */
  x: number;
  y: number;
  points: MapPoint[];
  /** How many different cars they are. */
  cars: number;
  /** How many spots it stands for. */
  spots: number;
}

/** Above every price. */
const MAX_PRICE = 1e12;

export const carsOf = (points: readonly MapPoint[]): string[] => [...new Set(points.map(({ carId }) => carId))];

/** Each car once, by its cheapest offer that is for sale, else any. */
export function bestOffers(points: readonly MapPoint[]): MapPoint[] {
  const rank = ({ status, price }: MapPoint) =>
    status === 'for_sale' ? (price ?? MAX_PRICE) : Number.POSITIVE_INFINITY;
  return [...Map.groupBy(points, ({ carId }) => carId).values()].map((offers) =>
    offers.reduce((best, offer) => (rank(offer) < rank(best) ? offer : best)),
  );
}

/** The space that a mark takes, in pixels. */
const MARK = { width: 62, height: 30 };

/**
 * Joins spots whose marks would cover one another. A marker stands at its largest spot, so that it stays where it is
 * while the map is moved.
 * @param toScreen pixels of a place in miles
 */
export function joinSpots(spots: readonly Spot[], toScreen: (at: Miles) => Miles): Marker[] {
  const markers: Marker[] = [];
  const bySize = [...spots].sort((a, b) => b.points.length - a.points.length || (a.key < b.key ? -1 : 1));
  for (const { key, at, points } of bySize) {
    const [x, y] = toScreen(at);
    const near = markers.find((marker) => Math.abs(marker.x - x) < MARK.width && Math.abs(marker.y - y) < MARK.height);
    if (near) {
      near.points = [...near.points, ...points];
      near.spots += 1;
    } else markers.push({ key, x, y, points, cars: 0, spots: 1 });
  }
  return markers.map((marker) => ({ ...marker, cars: carsOf(marker.points).length }));
}
