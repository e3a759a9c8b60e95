import type { Place } from '../place.ts';

/** A table whose rows are read only when they are asked for. Rows count from 0, the heading left out. */
export interface PlaceTable {
  length: number;
  /** @param column one that no quoted field precedes */
  field(row: number, column: number): string;
  fields(row: number): string[];
}

/** Fields of a line; only one in quotes may hold a comma. */
export function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((match) => match[1] ?? match[2] ?? '');
}

/** Finds the lines of a CSV with a heading and without line breaks in its fields. */
export function readTable(csv: string): PlaceTable {
  const starts: number[] = [];
  let at = csv.indexOf('\n') + 1;
  while (at > 0 && at < csv.length) {
    starts.push(at);
    at = csv.indexOf('\n', at) + 1;
  }
  const length = starts.length;
  starts.push(csv.endsWith('\n') ? csv.length : csv.length + 1);
  const bounds = Int32Array.from(starts);
  const line = (row: number) => csv.slice(bounds[row], (bounds[row + 1] ?? 1) - 1);
  return {
    length,
    fields: (row) => fieldsOf(line(row)),
    field(row, column) {
      let from = bounds[row] ?? 0;
      if (csv.charAt(from) === '"') return fieldsOf(line(row))[column] ?? '';
      for (let skip = column; skip > 0; skip--) from = csv.indexOf(',', from) + 1;
      return csv.slice(from, csv.indexOf(',', from));
    },
  };
}

/** A place of the fields `name,state,lat,lng,population`. */
export function placeOf(cells: readonly string[], zip: string | null): Place {
  const [name = '', state = '', lat, lng, population] = cells;
  return {
    name,
    state,
    zip,
    lat: Number(lat),
    lng: Number(lng),
    population: Number(population),
    label: `${name}, ${state}`,
  };
}

/** Index of the first item that isn't below the value. @param sorted ascending by code units */
export function lowerBound<T extends string | number>(sorted: ArrayLike<T>, value: T): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && item < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
