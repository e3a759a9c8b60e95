import { isWithinEdits } from '../titles/spelling.ts';
import type { Place } from './place.ts';
import { placeKey, placeWords, splitState } from './place-names.ts';
import type { Neighbourhoods } from './tables/neighbourhoods.ts';
import type { Nicknames } from './tables/nicknames.ts';
import type { PlaceIndex } from './tables/place-index.ts';
import type { ZipIndex } from './tables/zip-index.ts';

/** A place that is typed in full is meant rather than one this many times as large that only begins so. */
const EXACT_RATIO = 20;
/** What a nickname's beginning means counts for less than what begins so itself. */
const NICKNAME_SHARE = 0.3;
const MIN_MISSPELT_LENGTH = 4;
/** Where only smaller places begin so, the beginning may be a city's misspelt. */
const TOWN = 2000;
/** Thousands of names begin with so few letters: only known places are looked at. */
const FEW_LETTERS = 2;

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

/** Known places whose beginning has one letter of the typed one wrong: `albeq`. */
function misspeltBeginnings(typed: string, index: PlaceIndex): Suggested[] {
  if (typed.length < MIN_MISSPELT_LENGTH) return [];
  const isBeginning = (key: string) =>
    [-1, 0, 1].some((more) => isWithinEdits(typed, key.slice(0, typed.length + more), 1));
  const named = index.named(null, typed.charAt(0)).filter(({ key }) => isBeginning(key));
  return named.map(({ id, population }) => ({ place: () => index.place(id), population }));
}

/**
 * Places that begin like the text, the most populous first; one that is typed in full counts for more. Behind a name
 * the beginning of a state chooses: `portland m`.
 * @param resolve what the whole text means, for nicknames and misspellings
 */
export function suggestPlaces(
  typed: string,
  limit: number,
  tables: { index: PlaceIndex; zips: ZipIndex; nicknames: Nicknames; neighbourhoods: Neighbourhoods },
  resolve: { exactly: (words: readonly string[]) => Place | null; atAll: (text: string) => Place | null },
): Place[] {
  const { index, zips, nicknames, neighbourhoods } = tables;
  const digits = /^\d{1,5}$/.exec(typed)?.[0];
  const given = (place: Place): Suggested => ({ place: () => place, population: place.population });
  if (digits) return mostPopulous(zips.startingWith(digits).map(given), limit);
  const words = placeWords(typed);
  if (words.length === 0) return [];
  const found: Suggested[] = [];
  const begin = (prefix: string, state?: string) => {
    const isShort = prefix.length <= FEW_LETTERS;
    const named = isShort ? index.named(null, prefix.charAt(0)) : index.startingWith(prefix);
    for (const { id, population, key } of named) {
      if (isShort && !key.startsWith(prefix)) continue;
      if (state === undefined || index.place(id).state === state)
        found.push({ place: () => index.place(id), population });
    }
  };
  for (const prefix of prefixesOf(words)) begin(prefix);
  const isUnknown = found.every(({ population }) => population < TOWN);
  const parts = isUnknown ? neighbourhoods.startingWith(placeKey(words)) : [];
  for (const place of [...nicknames.startingWith(words.join('')), ...parts])
    found.push({ place: () => place, population: place.population * NICKNAME_SHARE });
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
  if (found.every(({ population }) => population < TOWN)) found.push(...misspeltBeginnings(placeKey(words), index));
  if (found.length > 0) {
    const shown = mostPopulous(found, limit);
    // A hamlet that is typed with its state stands last at least.
    const isMissing = exact && name !== '' && !shown.some(({ label }) => label === exact.label);
    return isMissing ? [...shown.slice(0, limit - 1), exact] : shown;
  }
  const meant = resolve.atAll(typed);
  return meant ? [meant] : [];
}
