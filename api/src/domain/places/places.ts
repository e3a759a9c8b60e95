import { isAbroad, meansAbroad } from './abroad.ts';
import { makeExactPlaces } from './exact-place.ts';
import { readLocalities } from './localities.ts';
import { makeLoosePlaces, splitMisspeltState } from './loose-place.ts';
import type { Place, Point } from './place.ts';
import { makePlaceIndex } from './place-index.ts';
import { placeKey, placeWords, splitState, stateOf } from './place-names.ts';
import { type PlaceReadings, placeReadings } from './place-readings.ts';
import { suggestPlaces } from './suggest-places.ts';
import { makeZipIndex } from './zip-index.ts';

export type { Place } from './place.ts';

export interface Gazetteer {
  /**
   * The US place that a text means; null when there is none. Of several the one within 100 miles of `near`, where
   * that is given and no state is named, else the most populous. A state that is stated always holds.
   */
  resolve(text: string, near?: Point): Place | null;
  /** Places whose name, nickname or ZIP begins like the text, the most populous first. */
  suggest(text: string, limit: number): Place[];
}

const MAX_TEXT = 100;
const militaryMail = /\b(APO|FPO|DPO)\b|\bA[EP] \d{5}\b/i;
const canadianCode = /\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b/i;
const zipLike = /\d{5}/;
const zips5 = /(?<!\d)(\d{5})(?:-?\d{4})?(?!\d)/g;

const stateIn = (words: readonly string[]) => splitState(words).find(({ name }) => name.length > 0) ?? null;

/** `Texas`, `Flordia`: no place to measure from. */
const isStateAlone = (words: readonly string[]) =>
  stateOf(words) !== null || splitMisspeltState(words)?.name.length === 0;

/** Reads the two tables of `data/geo` into an index; what misspellings and typing need is made on first use. */
export function makeGazetteer(placesCsv: string, zipsCsv: string): Gazetteer {
  const zips = makeZipIndex(zipsCsv);
  const localities = readLocalities(zips);
  const index = makePlaceIndex(placesCsv, zips, localities);
  const exact = makeExactPlaces(index, zips, localities);
  const loose = makeLoosePlaces(index, exact);

  /** A ZIP is the most exact that can be said, unless it leads a text that names a place in another state: `10001 Main St, Austin, TX`. */
  function resolveZip(typed: string, readings: PlaceReadings): Place | null {
    const codes = [...typed.matchAll(zips5)];
    const code = codes.at(-1);
    if (!code?.[1]) return null;
    const zip = zips.nearest(code[1]);
    const isLast = typed.slice(code.index + code[0].length).trim() === '';
    if (!zip || isLast) return zip;
    const named = firstOf([readings.literal, ...readings.parts].filter(stateIn), (words) => exact.find(words));
    return named && named.state !== zip.state ? named : zip;
  }

  function resolveNamed(readings: PlaceReadings, near?: Point): Place | null {
    const { literal, quiet, turned, parts } = readings;
    const isStated = [literal, quiet, ...turned, ...parts].some(stateIn);
    if (!isStated && (isAbroad(literal) || isAbroad(quiet) || meansAbroad(placeKey(quiet), 0))) return null;
    const ways = [literal, quiet, ...turned, ...parts];
    if (!isStatePhrase(literal)) {
      const found = firstOf(ways, (words) => exact.find(words, near));
      if (found) return found;
    }
    if (isStatePhrase(literal) || isStateAlone(quiet)) return null;
    const misspelt = splitMisspeltState(quiet);
    const inMisspelt = misspelt && exact.inState(misspelt.name, misspelt.state);
    if (inMisspelt) return inMisspelt;
    const stated = [...ways.flatMap((words) => splitState(words)), ...(misspelt ? [misspelt] : [])];
    const inState = firstOf(stated, ({ name, state }) => loose.find(name, state));
    if (inState || stated.length > 0) return inState;
    return firstOf([quiet, ...parts], (words) => loose.find(words, null, near));
  }

  function resolve(text: string, near?: Point): Place | null {
    const typed = text.slice(0, MAX_TEXT);
    if (militaryMail.test(typed) || canadianCode.test(typed)) return null;
    const literally = zipLike.test(typed) ? null : exact.find(placeWords(typed), near);
    if (literally) return literally;
    const readings = placeReadings(typed);
    return resolveZip(typed, readings) ?? resolveNamed(readings, near);
  }

  function suggest(text: string, limit: number): Place[] {
    const typed = text.slice(0, MAX_TEXT).trim();
    const nicknames = exact.nicknames;
    return suggestPlaces(
      typed,
      limit,
      { index, zips, nicknames },
      { exactly: (words) => exact.find(words), atAll: resolve },
    );
  }

  return { resolve, suggest };
}

/** `Washington State`, which is not Washington. */
function isStatePhrase(words: readonly string[]): boolean {
  if (words.at(-1) === 'state') return stateOf(words.slice(0, -1)) !== null;
  return words[0] === 'state' && words[1] === 'of' && stateOf(words.slice(2)) !== null;
}

function firstOf<T>(items: readonly T[], find: (item: T) => Place | null): Place | null {
  for (const item of items) {
    const place = find(item);
    if (place) return place;
  }
  return null;
}
