import { readFileSync } from 'node:fs';

/** Reads a file of `api/data` as text. @param name such as 'geo/us-places.csv' */
export function readDataFile(name: string): string {
  return readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8');
}
