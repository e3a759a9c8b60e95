import { type Fields, innerOf, numberOf, textOf } from './record-fields.ts';

export interface Point {
  lat: number;
  lng: number;
}

/** A point, one that lies nowhere on earth, or none. */
type PointReading = Point | 'impossible' | null;

function pointAt(lat: number | null, lng: number | null): PointReading {
  if (lat === null || lng === null) return null;
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return 'impossible';
  // The point off Africa is where broken records lie.
  return lat === 0 && lng === 0 ? null : { lat, lng };
}

/** GeoJSON writes longitude first; a first number that can only be a latitude beside one that can't be says otherwise. */
function pointOfPair(value: unknown): PointReading {
  if (!Array.isArray(value) || value.length < 2) return null;
  const [lng, lat] = value.slice(0, 2).map((part) => numberOf(new Map([['n', part]]), 'n'));
  if (lng == null || lat == null) return null;
  return Math.abs(lat) > 90 && Math.abs(lng) <= 90 ? pointAt(lng, lat) : pointAt(lat, lng);
}

function pointOfText(text: string | null): PointReading {
  const [, lat, lng] = /^\(?\s*(-?\d{1,3}\.\d+)(?:\s*[,;]\s*|\s+)(-?\d{1,3}\.\d+)\s*\)?$/.exec(text ?? '') ?? [];
  return lat === undefined ? null : pointAt(Number(lat), Number(lng));
}

const latNames = ['latitude', 'lat'];
const lngNames = ['longitude', 'lng', 'lon', 'long'];

/** `NaN` and `abc` are stated and no number; what isn't stated, or is an object, says nothing. */
function isBroken(fields: Fields, names: string[]): boolean {
  return names.some((name) => {
    const value = fields.get(name);
    return (
      typeof value === 'string' &&
      numberOf(fields, name) === null &&
      !/^(null|none|undefined|n\/a|-)?$/i.test(value.trim())
    );
  });
}

/** The coordinates in one object, by any of the names and orders in use. */
export function recordPoint(fields: Fields): PointReading {
  let impossible = false;
  const inner = innerOf(fields, 'coordinates', 'geo', 'position', 'point', 'geometry', 'latlng');
  for (const source of [fields, inner]) {
    for (const point of [
      pointAt(numberOf(source, ...latNames), numberOf(source, ...lngNames)),
      pointOfPair(source.get('coordinates')),
      pointOfText(textOf(source, 'latlng', 'geo', 'coordinates', 'position')),
    ]) {
      if (point !== null && point !== 'impossible') return point;
      impossible ||= point === 'impossible';
    }
    impossible ||= isBroken(source, latNames) || isBroken(source, lngNames);
  }
  return impossible ? 'impossible' : null;
}
