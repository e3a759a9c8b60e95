import { EARTH_RADIUS_MILES } from '../places/place.ts';

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
