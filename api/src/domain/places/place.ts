export interface Point {
  lat: number;
  lng: number;
}

export interface Place extends Point {
  name: string;
  /** Two letters. */
  state: string;
  zip: string | null;
  population: number;
  /** Like 'Austin, TX'. */
  label: string;
  /** Set where the words that were looked up name more than the place: a region or a county. */
  isRegion?: true;
}

/** The mean radius of the WGS 84 ellipsoid, used for all distances. */
export const EARTH_RADIUS_MILES = 3958.7613;

/** 1.6 mm, added so that rounding never excludes a point on the border of a radius. */
const BORDER_MILES = 1e-6;

export interface Vector {
  x: number;
  y: number;
  z: number;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The vector of a point on the unit sphere. @param lat degrees north @param lng degrees east */
export function unitVector(lat: number, lng: number): Vector {
  const cosLat = Math.cos(radians(lat));
  return { x: cosLat * Math.cos(radians(lng)), y: cosLat * Math.sin(radians(lng)), z: Math.sin(radians(lat)) };
}

/**
 * Great-circle distance of two unit vectors in miles. It is derived from the chord, which is exact for near points too.
 */
export function vectorMiles(a: Vector, b: Vector): number {
  const chord = Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2);
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, chord / 2));
}

/** Great-circle distance in miles between two places in degrees. */
export function greatCircleMiles(lat1: number, lng1: number, lat2: number, lng2: number): number {
  return vectorMiles(unitVector(lat1, lng1), unitVector(lat2, lng2));
}

/** The minimum dot product of two unit vectors that are within the radius, including its border. */
export function cosRadius(radiusMiles: number): number {
  return Math.cos((radiusMiles + BORDER_MILES) / EARTH_RADIUS_MILES);
}

/** Whether a point is within a radius. The float operations are in the same order as in the SQL of matching. */
export function isWithin(center: Vector, point: Vector, cosOfRadius: number): boolean {
  return center.x * point.x + center.y * point.y + center.z * point.z >= cosOfRadius;
}

/** Rounds degrees to hundredths, less than a mile: what others may see of where somebody's car is. */
export const toHundredths = (degrees: number): number => Math.round(degrees * 100) / 100;

/** Great-circle distance in miles between two points. */
export const milesBetween = (a: Point, b: Point): number => greatCircleMiles(a.lat, a.lng, b.lat, b.lng);

/** How many steps of the grid, on which shown distances end, make a radius of the earth: a step is 100 meters. */
export const POINT_GRID = 65_536;

/**
 * Miles, with one decimal, from an alert's place to a listing, as they are shown: to the nearest point of a grid, since exact
 * ones from many places would tell the listing's exact point. They are on that side of the radius on which the listing is.
 * The SQL of matching has the same rule.
 */
export function shownMiles(from: Point & { radius: number }, { lat, lng }: Point): number {
  const [start, end] = [unitVector(from.lat, from.lng), unitVector(lat, lng)];
  const onGrid = (part: number) => Math.round(part * POINT_GRID) / POINT_GRID;
  const shown = { x: onGrid(end.x), y: onGrid(end.y), z: onGrid(end.z) };
  const miles = Math.round(vectorMiles(start, shown) * 10) / 10;
  return isWithin(start, end, cosRadius(from.radius))
    ? Math.min(miles, from.radius)
    : Math.max(miles, from.radius + 0.1);
}

const NEAR_MILES = 100;

/** Whether a listing's point is near enough to confirm its place. */
export const isNear = (place: Point, point: Point): boolean => milesBetween(place, point) <= NEAR_MILES;
