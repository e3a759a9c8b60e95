import type { Place } from './place.ts';
import { placeKey, placeWords, splitState } from './place-names.ts';
import type { Nicknames } from './tables/nicknames.ts';
import type { PlaceIndex } from './tables/place-index.ts';
import type { ZipIndex } from './tables/zip-index.ts';

/** A place that is typed in full is meant rather than one this many times as large that only begins so. */
const EXACT_RATIO = 100;

interface Suggested {
  place: () => Place;
  population: number;
}

function mostPopulous(found: Suggested[], limit: number): Place[] {
  const shown = new Map<string, Place>();
  for (const { place } of found.sort((a, b) => b.population - a.population)) {
    if (shown.size === limit) break;
    const its = place();
    const id = its.zip ?? its.label;
    if (!shown.has(id)) shown.set(id, its);
  }
  return [...shown.values()];
}

/** What the words begin: the last may be cut off, so it is taken as it stands and in full (`mt` as `mount`). */
function prefixesOf(words: readonly string[]): Set<string> {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // Beside a word in front a direction that leads is read as one: `n las v`.
  const start = before.length > 0 ? placeKey([...before, 'x']).slice(0, -1) : '';
  return new Set([start + last, placeKey(words), words.join('')]);
}

/**
 * Places that begin like the text, the most populous first; one that is typed in full counts for more. Behind a name
 * the beginning of a state chooses: `portland m`.
 * @param resolve what the whole text means, for nicknames and misspellings
 */
export function suggestPlaces(
  typed: string,
  limit: number,
  { index, zips, nicknames }: { index: PlaceIndex; zips: ZipIndex; nicknames: Nicknames },
  resolve: { exactly: (words: readonly string[]) => Place | null; atAll: (text: string) => Place | null },
): Place[] {
  const digits = /^\d{1,5}$/.exec(typed)?.[0];
  const given = (place: Place): Suggested => ({ place: () => place, population: place.population });
  if (digits) return mostPopulous(zips.startingWith(digits).map(given), limit);
  const words = placeWords(typed);
  if (words.length === 0) return [];
  const found: Suggested[] = [];
  const begin = (prefix: string, state?: string) => {
    for (const { id, population } of index.startingWith(prefix)) {
      if (state === undefined || index.place(id).state === state)
        found.push({ place: () => index.place(id), population });
    }
  };
  for (const prefix of prefixesOf(words)) begin(prefix);
  found.push(...nicknames.startingWith(words.join('')).map(given));
  const last = words.at(-1) ?? '';
  const name = placeKey(words.slice(0, -1));
  if (name !== '') {
    const called = index.startingWith(name).filter(({ key }) => key === name);
    for (const { id, population } of called) {
      const place = index.place(id);
      if (place.state.toLowerCase().startsWith(last)) found.push(given({ ...place, population }));
    }
  }
  for (const { name: before, state } of splitState(words)) if (before.length > 0) begin(placeKey(before), state);
  const exact = resolve.exactly(words);
  if (exact) found.push({ place: () => exact, population: exact.population * EXACT_RATIO });
  if (found.length > 0) return mostPopulous(found, limit);
  const meant = resolve.atAll(typed);
  return meant ? [meant] : [];
}
