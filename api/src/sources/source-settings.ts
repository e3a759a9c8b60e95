import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { SettingsError } from '../base/settings/settings.ts';
import { trimEnd } from '../base/trim-end.ts';
import { type Gazetteer, makeGazetteer } from '../domain/places/places.ts';
import { placeFaults } from './kinds/known-places.ts';
import { type SourceSettings, sourceSchema } from './kinds/source-kinds.ts';

/** The name of the launcher's demo marketplace as a source. */
export const DEMO_NAME = 'demo';
/**
 * The demo marketplace as a source; only this one is read every 2 s.
 * @param url where it listens, without a path
 * @param marketplaceHome where buyers find it
 */
export function demoSource(url: string, perSecond: number, marketplaceHome: string): SourceSettings {
  return {
    name: DEMO_NAME,
    kind: 'marketplace-items',
    url: `${trimEnd(url, '/')}/items`,
    marketplaceHome,
    everySeconds: 2,
    order: 'newest-first',
    // One page has all that appears between two polls, and a few known items.
    pageSize: Math.min(1000, Math.max(50, Math.ceil(perSecond * 4))),
    allowPrivateNetwork: true,
    ended: false,
  };
}

const faultOf = ({ path, message }: z.core.$ZodIssue): string => `${path.join('.') || 'the list'}: ${message}`;

function nameFaults(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  const names = given.map((source: unknown) =>
    typeof source === 'object' && source !== null && 'name' in source ? source.name : undefined,
  );
  return names.flatMap((name, index) => {
    if (name === DEMO_NAME) return [`${index}.name: ${DEMO_NAME} is the demo marketplace’s`];
    const first = typeof name === 'string' ? names.indexOf(name) : index;
    return first === index ? [] : [`${index}.name: ${String(name)} is there twice`];
  });
}

/**
 * Checks the text of a SOURCES_FILE. A relative `file` counts from `folder`.
 * @throws SettingsError with all faults together
 */
export function parseSources(text: string, folder: string): SourceSettings[] {
  let given: unknown;
  try {
    given = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new SettingsError([
      `SOURCES_FILE: is not valid JSON (${error instanceof Error ? error.message : String(error)})`,
    ]);
  }
  const parsed = z.array(sourceSchema).safeParse(given);
  const faults = [...(parsed.success ? [] : parsed.error.issues.map(faultOf)), ...nameFaults(given)];
  if (!parsed.success || faults.length > 0) throw new SettingsError(faults.map((fault) => `SOURCES_FILE: ${fault}`));
  return parsed.data.map((source) =>
    'file' in source && source.file !== undefined ? { ...source, file: resolve(folder, source.file) } : source,
  );
}

/** Reads SOURCES_FILE. @throws SettingsError */
export function readSourcesFile(path: string): SourceSettings[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingsError([`SOURCES_FILE: can't be read (${why})`]);
  }
  return parseSources(text, dirname(resolve(path)));
}

/**
 * Refuses places that are not known. It takes a second where a place is named, so that only a start does it.
 * @throws SettingsError with all faults together
 */
export function refuseUnknownPlaces(sources: readonly SourceSettings[]): void {
  let made: Gazetteer | undefined;
  const gazetteer = () => {
    made ??= makeGazetteer();
    return made;
  };
  const faults = sources.flatMap((source) =>
    placeFaults(source, gazetteer).map(({ path, message }) => `SOURCES_FILE: ${source.name}: ${path}: ${message}`),
  );
  if (faults.length > 0) throw new SettingsError(faults);
}
