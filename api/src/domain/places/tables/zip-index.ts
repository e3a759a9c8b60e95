import { readDataFile } from '../../../base/data-folder.ts';
import type { Place } from '../place.ts';
import { placeKey, placeWords } from '../place-names.ts';
import { fieldsOf, lowerBound, type PlaceTable, placeOf, readTable } from './place-tables.ts';

/** All ZIPs in ascending order, as in their table. */
export interface ZipIndex {
  table: PlaceTable;
  place(row: number): Place;
  /** Whether the ZIP's coordinates are only the middle of all ZIPs with the same first three digits. */
  isAreaOnly(row: number): boolean;
  exact(code: string): Place | null;
  /** The ZIP itself, else the nearest number with the same first three digits. */
  nearest(code: string): Place | null;
  /** Places whose ZIP begins with the digits. */
  startingWith(digits: string): Place[];
}

/** The source of a point that is only the middle of the ZIPs with the same first three digits. */
const AREA_ONLY = 'zip3';
const MAX_ZIPS_APART = 3;

/** Reads `zip,city,state,lat,lng,population`. */
export function makeZipIndex(zipsCsv: string): ZipIndex {
  const table = readTable(zipsCsv);
  const codes = Int32Array.from({ length: table.length }, (_, row) => Number(table.field(row, 0)));

  function place(row: number): Place {
    const [zip = '', ...cells] = table.fields(row);
    const found = placeOf(cells, zip);
    // The coordinates of a neighbouring ZIP are more exact than the middle of the area, as for the P.O. boxes of La Jolla.
    const beside = isAreaOnly(row) ? neighbourOf(row) : null;
    return beside ? { ...found, lat: beside.lat, lng: beside.lng } : found;
  }

  const isAreaOnly = (row: number) => table.fields(row).at(-1)?.trim() === AREA_ONLY;

  function neighbourOf(row: number): Place | null {
    const code = codes[row] ?? 0;
    const isBeside = (at: number) =>
      at >= 0 && at < table.length && Math.abs((codes[at] ?? 0) - code) <= MAX_ZIPS_APART && !isAreaOnly(at);
    const at = [-1, 1, -2, 2, -3, 3].map((away) => row + away).find(isBeside);
    return at === undefined ? null : placeOf(table.fields(at).slice(1), null);
  }

  function exact(code: string): Place | null {
    const row = lowerBound(codes, Number(code));
    return codes[row] === Number(code) ? place(row) : null;
  }

  function nearest(code: string): Place | null {
    const wanted = Number(code);
    const row = lowerBound(codes, wanted);
    const area = Math.floor(wanted / 100);
    const away = (at: number) => {
      const found = codes[at];
      return found !== undefined && Math.floor(found / 100) === area ? Math.abs(found - wanted) : Infinity;
    };
    const best = away(row - 1) <= away(row) ? row - 1 : row;
    return away(best) === Infinity ? null : place(best);
  }

  function startingWith(digits: string): Place[] {
    const found: Place[] = [];
    const scale = 10 ** (5 - digits.length);
    const end = (Number(digits) + 1) * scale;
    for (let row = lowerBound(codes, Number(digits) * scale); (codes[row] ?? end) < end; row++) found.push(place(row));
    return found;
  }

  return { table, place, isAreaOnly, exact, nearest, startingWith };
}

export interface Localities {
  /** Post offices that are towns of their own. */
  towns: readonly Place[];
  /** The city, at the coordinates of a post office that is a part of it: `Winter Hill, MA` is Somerville. */
  partOfCity(key: string, state: string): Place | null;
}

/** Reads `name,state,zip,city` of post offices whose name is neither a census place's nor a ZIP's town. */
export function readLocalities(zips: ZipIndex): Localities {
  const towns: Place[] = [];
  const parts = new Map<string, { city: string; zip: string }>();
  for (const line of readDataFile('geo/us-localities.csv').split('\n').slice(1)) {
    const [name = '', state = '', zip = '', city = ''] = fieldsOf(line);
    if (city) parts.set(`${placeKey(placeWords(name))} ${state}`, { city, zip });
    else {
      const point = zips.exact(zip);
      if (point) towns.push({ ...point, name, state, zip: null, label: `${name}, ${state}` });
    }
  }
  return {
    towns,
    partOfCity(key, state) {
      const part = parts.get(`${key} ${state}`);
      const point = part && zips.exact(part.zip);
      return point ? { ...point, name: part.city, state, zip: null, label: `${part.city}, ${state}` } : null;
    },
  };
}
