import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A title of which it is known whether it offers a car of one of the makes in the catalogue. */
export interface Example {
  title: string;
  isCar: boolean;
  /** The name of its file. */
  source: string;
  /** How much it counts; our own titles stand for many. */
  weight: number;
}

/** Our own titles count more than collected ones, as there are few of each kind. */
const OWN_WEIGHT = 4;

/** Whether a line offers a car: as it says, or because a make was found for it. null where that is not known. */
function labelOf(line: Record<string, unknown>): boolean | null {
  if (typeof line.is_car === 'boolean') return line.is_car;
  return typeof line.make_slug === 'string' && typeof line.model_slug === 'string' ? true : null;
}

/** The titles of a file in NDJSON with `title` and either `is_car` or `make_slug`; others are left out. */
export function readExamples(path: string, source: string, weight: number): Example[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const row = JSON.parse(line) as Record<string, unknown>;
      const isCar = labelOf(row);
      return typeof row.title === 'string' && isCar !== null ? [{ title: row.title, isCar, source, weight }] : [];
    });
}

/** The titles of all NDJSON files of the folders, each title once. */
export function collectExamples(folders: readonly string[]): Example[] {
  const found = new Map<string, Example>();
  for (const folder of folders) {
    for (const name of readdirSync(folder).sort()) {
      if (!name.endsWith('.ndjson')) continue;
      const source = name.replace('.ndjson', '');
      for (const example of readExamples(join(folder, name), source, 1)) {
        const key = keyOf(example.title);
        if (!found.has(key)) found.set(key, example);
      }
    }
  }
  return [...found.values()];
}

/** Our own titles, which are part of the repository. */
export function ownExamples(): Example[] {
  const path = new URL('own-titles.ndjson', import.meta.url).pathname;
  return readExamples(path, 'own-titles', OWN_WEIGHT);
}

const keyOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Whether a title belongs to the half that is only measured; by a hash, so that it never changes. */
export function isHeldOut({ title }: Example): boolean {
  return (createHash('sha1').update(keyOf(title)).digest()[0] ?? 0) >= HALF;
}
const HALF = 128;
