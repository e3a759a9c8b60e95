import { readDataFile } from '../../base/data-folder.ts';
import { isWideRegion, makeExactPlaces } from './exact-place.ts';
import { makeFuzzyPlaces, splitMisspeltState } from './fuzzy-place.ts';
import type { Place, Point } from './place.ts';
import { placeKey, placeWords, splitState, stateOf } from './place-names.ts';
import { type PlaceReadings, placeReadings } from './place-readings.ts';
import { suggestPlaces } from './suggest-places.ts';
import { isAbroad, isNoPlace, meansAbroad } from './tables/abroad.ts';
import { makePlaceIndex } from './tables/place-index.ts';
import { makeZipIndex, readLocalities } from './tables/zip-index.ts';

export type { Place } from './place.ts';

export interface Gazetteer {
  /**
   * The US place that a text means, or null. Of several places of one name it is the one within 100 miles of `near`, if
   * no state is stated, else the most populous. A stated state is never changed. A region (`Northern California`, a
   * county) is its largest place, or `near` itself if that is within 300 miles.
   */
  resolve(text: string, near?: Point): Place | null;
  /** The place that all of the words name, spelled as in the tables; null for anything else. @param words of `placeWords` */
  named(words: readonly string[]): Place | null;
  /** Places whose name, nickname or ZIP begins with the text, the most populous first. */
  suggest(text: string, limit: number): Place[];
}

const MAX_TEXT = 100;
const HAMLET = 2000;
const militaryMail = /\b(APO|FPO|DPO)\b|\bA[EP] \d{5}\b/i;
const canadianCode = /\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b/i;
const zipLike = /\d{5}/;
const zips5 = /(?<!\d)(\d{5})(?:-?\d{4})?(?!\d)/g;

const stateIn = (words: readonly string[]) => splitState(words).find(({ name }) => name.length > 0) ?? null;

/** Whether the words are only a state, be it misspelt, which is no place. */
const isStateAlone = (words: readonly string[]) =>
  stateOf(words) !== null || splitMisspeltState(words)?.name.length === 0;

/** Reads the tables of `data/geo`. What misspellings and suggestions need is built on first use. */
export function makeGazetteer(): Gazetteer {
  const zips = makeZipIndex(readDataFile('geo/us-zips.csv'));
  const localities = readLocalities(zips);
  const index = makePlaceIndex(readDataFile('geo/us-places.csv'), zips, localities);
  const exact = makeExactPlaces(index, zips, localities);
  const fuzzy = makeFuzzyPlaces(index, exact);

  /** A ZIP is preferred, unless the text goes on with a place in another state: `10001 Main St, Austin, TX`. */
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
    const { literal, withoutNoise, variants, parts } = readings;
    const isStated = [literal, withoutNoise, ...parts].some(stateIn);
    if (!isStated && (isAbroad(literal) || isAbroad(withoutNoise) || meansAbroad(placeKey(withoutNoise), 0)))
      return null;
    if (isStatePhrase(literal) || isWideRegion(withoutNoise)) return null;
    const inFull = firstOf([literal, withoutNoise, ...variants], (words) => exact.find(words, near));
    if (inFull || isStateAlone(withoutNoise)) return inFull;
    const misspelt = stateIn(withoutNoise) ? null : splitMisspeltState(withoutNoise);
    const stated = [...splitState(withoutNoise), ...(misspelt ? [misspelt] : [])].filter(({ name }) => name.length > 0);
    return (
      (misspelt && exact.inState(misspelt.name, misspelt.state)) ??
      firstOf(stated, ({ name, state }) => fuzzy.nearly(name, state)) ??
      (isStated ? null : fuzzy.nearly(withoutNoise, null, near)) ??
      firstOf(parts, (words) => exact.find(words, near)) ??
      firstOf(
        [...stated, ...[...parts, ...variants].flatMap(splitState)],
        ({ name, state }) => fuzzy.nearly(name, state) ?? fuzzy.find(name, state),
      ) ??
      (isStated
        ? null
        : firstOf([withoutNoise, ...parts], (words) => fuzzy.nearly(words, null, near) ?? fuzzy.find(words, null)))
    );
  }

  /** A hamlet without a state may be a misspelt large city. */
  function meantBy(typed: string, found: Place, near?: Point): Place {
    if (found.population >= HAMLET || near) return found;
    const words = placeWords(typed);
    return stateIn(words) ? found : (fuzzy.famous(words, found) ?? found);
  }

  function resolve(text: string, near?: Point): Place | null {
    const typed = text.slice(0, MAX_TEXT);
    if (militaryMail.test(typed) || canadianCode.test(typed)) return null;
    const words = placeWords(typed);
    if (isNoPlace(words) && !stateIn(words)) {
      const town = words.length > 1 ? exact.find(words, near) : null;
      return town && town.population >= HAMLET ? town : null;
    }
    const literally = zipLike.test(typed) ? null : exact.find(words, near);
    if (literally) return meantBy(typed, literally, near);
    const readings = placeReadings(typed);
    return resolveZip(typed, readings) ?? resolveNamed(readings, near);
  }

  function suggest(text: string, limit: number): Place[] {
    const typed = text.slice(0, MAX_TEXT).trim();
    const { nicknames, neighbourhoods } = exact;
    return suggestPlaces(
      typed,
      limit,
      { index, zips, nicknames, neighbourhoods },
      { exact: (words) => exact.find(words), fuzzy: resolve },
    );
  }

  return { resolve, named: (words) => exact.find(words), suggest };
}

/** Whether the words name a state as in `Washington State`, which is not Washington. */
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
