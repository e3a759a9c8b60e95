import { isWithinEdits } from '../titles/spelling.ts';
import type { Place } from './place.ts';
import { placeKey, placeWords, splitState } from './place-names.ts';
import type { Neighbourhoods } from './tables/neighbourhoods.ts';
import type { Nicknames } from './tables/nicknames.ts';
import type { PlaceIndex } from './tables/place-index.ts';
import type { ZipIndex } from './tables/zip-index.ts';

/** The population of a place that is typed in full counts this many times. */
const EXACT_RATIO = 20;
/** The population of a place whose nickname begins with the text counts only in part. */
const NICKNAME_SHARE = 0.3;
const MIN_MISSPELT_LENGTH = 4;
/** If all places that begin with the text are smaller, it may be misspelt. */
const TOWN = 2000;
/** With so few letters only known places are searched, as thousands of names begin with them. */
const FEW_LETTERS = 2;

interface Suggested {
  place: () => Place;
  population: number;
}

function mostPopulous(found: Suggested[], limit: number): Place[] {
  const shown = new Map<string, Place>();
  for (const { place } of found.sort((a, b) => b.population - a.population)) {
    if (shown.size === limit) break;
    const current = place();
    const id = current.zip ?? current.label;
    if (!shown.has(id)) shown.set(id, current);
  }
  return [...shown.values()];
}

/** The prefixes of keys: the last word may be incomplete, so it is taken as typed and in full (`mt` as `mount`). */
function prefixesOf(words: readonly string[]): Set<string> {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // Before another word a leading letter is a direction: `n las v`.
  const start = before.length > 0 ? placeKey([...before, 'x']).slice(0, -1) : '';
  return new Set([start + last, placeKey(words), words.join('')]);
}

/** Known places whose name begins with the text but for one edit: `albeq`. */
function misspeltBeginnings(typed: string, index: PlaceIndex): Suggested[] {
  if (typed.length < MIN_MISSPELT_LENGTH) return [];
  const isBeginning = (key: string) =>
    [-1, 0, 1].some((more) => isWithinEdits(typed, key.slice(0, typed.length + more), 1));
  const named = index.named(null, typed.charAt(0)).filter(({ key }) => isBeginning(key));
  return named.map(({ id, population }) => ({ place: () => index.place(id), population }));
}

/**
 * Suggests places that begin with the text, the most populous first, preferring one that is typed in full. The beginning of
 * a state after a name restricts them: `portland m`.
 * @param resolve finds the place of the whole text: `exact` by its name, `fuzzy` also if it is misspelt
 */
export function suggestPlaces(
  typed: string,
  limit: number,
  tables: { index: PlaceIndex; zips: ZipIndex; nicknames: Nicknames; neighbourhoods: Neighbourhoods },
  resolve: { exact: (words: readonly string[]) => Place | null; fuzzy: (text: string) => Place | null },
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
  const exact = resolve.exact(words);
  if (exact) found.push({ place: () => exact, population: exact.population * EXACT_RATIO });
  if (found.every(({ population }) => population < TOWN)) found.push(...misspeltBeginnings(placeKey(words), index));
  if (found.length > 0) {
    const shown = mostPopulous(found, limit);
    // A place typed with its state that is too small for the list takes the last row.
    const isMissing = exact && name !== '' && !shown.some(({ label }) => label === exact.label);
    return isMissing ? [...shown.slice(0, limit - 1), exact] : shown;
  }
  const meant = resolve.fuzzy(typed);
  return meant ? [meant] : [];
}
