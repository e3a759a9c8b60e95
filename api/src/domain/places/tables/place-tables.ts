import type { Place } from '../place.ts';

/** A table whose rows are parsed on demand. Row 0 is the first after the heading. */
export interface PlaceTable {
  length: number;
  /** @param column must not come after a quoted field, except in a row that begins with one */
  field(row: number, column: number): string;
  fields(row: number): string[];
}

/** The fields of a line of CSV; those with commas are in quotes. */
export function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((match) => match[1] ?? match[2] ?? '');
}

/** Reads a CSV with a heading and without line breaks in fields. */
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

/** Makes a place of the fields `name,state,lat,lng,population`. */
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

/** The index of the first item that is not below the value. @param sorted in ascending order of code units */
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
