import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many faults of a kind are shown; all of them are in the folder. */
const SHOWN = 8;

/** What stands before the colon; with the jobs in two stores also where they were. */
const kindOf = (fault: string): string => /^(?:(?:postgres|mongo): )?[^:]*/.exec(fault)?.[0] ?? '';

/** The first faults of each kind, and how many more there are. */
export const shortened = (faults: readonly string[]): string[] =>
  [...Map.groupBy(faults, kindOf)].flatMap(([kind, all]) => [
    ...all.slice(0, SHOWN),
    ...(all.length > SHOWN ? [`${kind}: … and ${all.length - SHOWN} more`] : []),
  ]);

const withMaps = (_key: string, value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : value);

/** Writes what a run has found and compared as JSON, `NAME.json` each, so that its faults can be explained afterwards. */
export function writeJournals(folder: string, journals: Readonly<Record<string, unknown>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, journal] of Object.entries(journals))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(journal, withMaps));
}
