import { type GeoPermissibleObjects, geoAzimuthalEquidistant, geoPath } from 'd3-geo';
import { EARTH_RADIUS_MILES } from '../../../../../api/src/domain/places/place.ts';

/** Miles east and south of the chart's center. */
export type Miles = readonly [x: number, y: number];
/** Left, top, right, bottom in miles. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** A flat map around a place, in miles. */
export interface Chart {
  /** How far it reaches from its center. */
  reach: number;
  at(latitude: number, longitude: number): Miles;
  /** The path of an outline, for the `d` of an SVG path. */
  outline(geometry: GeoPermissibleObjects): string;
  /** The box around a geometry, as far as the chart reaches; null if it lies outside. */
  box(geometry: GeoPermissibleObjects): Box | null;
}

const degrees = (miles: number): number => (miles / EARTH_RADIUS_MILES) * (180 / Math.PI);

/**
 * Makes a chart whose distances from the center are those on the sphere, so that a great circle's radius around it is
 * the same circle on the chart, also in Alaska and across the date line.
 * @param reach in miles; what lies farther is cut off
 */
export function makeChart(center: { latitude: number; longitude: number }, reach: number): Chart {
  const projection = geoAzimuthalEquidistant()
    .rotate([-center.longitude, -center.latitude])
    .translate([0, 0])
    .scale(EARTH_RADIUS_MILES)
    .clipAngle(degrees(reach))
    .precision(0.1);
  // Points are not cut off: projecting them does not depend on the clip angle.
  const path = geoPath(projection).digits(2);
  return {
    reach,
    at: (latitude, longitude) => projection([longitude, latitude]) ?? [Number.NaN, Number.NaN],
    outline: (geometry) => path(geometry) ?? '',
    box(geometry) {
      const [[left, top], [right, bottom]] = path.bounds(geometry);
      return left <= right && top <= bottom ? [left, top, right, bottom] : null;
    },
  };
}

export const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
