import { readDataFile } from '../../base/data-folder.ts';
import { isWideRegion, makeExactPlaces } from './exact-place.ts';
import { makeLoosePlaces, splitMisspeltState } from './loose-place.ts';
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
   * The US place that a text means; null when there is none. Of several the one within 100 miles of `near`, where
   * that is given and no state is named, else the most populous. A state that is stated always holds. A region
   * (`Northern California`, a county) is its largest place, or `near` itself where that is within 300 miles.
   */
  resolve(text: string, near?: Point): Place | null;
  /** Places whose name, nickname or ZIP begins like the text, the most populous first. */
  suggest(text: string, limit: number): Place[];
}

const MAX_TEXT = 100;
const HAMLET = 2000;
const militaryMail = /\b(APO|FPO|DPO)\b|\bA[EP] \d{5}\b/i;
const canadianCode = /\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b/i;
const zipLike = /\d{5}/;
const zips5 = /(?<!\d)(\d{5})(?:-?\d{4})?(?!\d)/g;

const stateIn = (words: readonly string[]) => splitState(words).find(({ name }) => name.length > 0) ?? null;

/** `Texas`, `Flordia`: no place to measure from. */
const isStateAlone = (words: readonly string[]) =>
  stateOf(words) !== null || splitMisspeltState(words)?.name.length === 0;

/** Reads the tables of `data/geo` into an index; what misspellings and typing need is made on first use. */
export function makeGazetteer(): Gazetteer {
  const zips = makeZipIndex(readDataFile('geo/us-zips.csv'));
  const localities = readLocalities(zips);
  const index = makePlaceIndex(readDataFile('geo/us-places.csv'), zips, localities);
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
    const isStated = [literal, quiet, ...parts].some(stateIn);
    if (!isStated && (isAbroad(literal) || isAbroad(quiet) || meansAbroad(placeKey(quiet), 0))) return null;
    if (isStatePhrase(literal) || isWideRegion(quiet)) return null;
    const inFull = firstOf([literal, quiet, ...turned], (words) => exact.find(words, near));
    if (inFull || isStateAlone(quiet)) return inFull;
    const misspelt = stateIn(quiet) ? null : splitMisspeltState(quiet);
    const stated = [...splitState(quiet), ...(misspelt ? [misspelt] : [])].filter(({ name }) => name.length > 0);
    return (
      (misspelt && exact.inState(misspelt.name, misspelt.state)) ??
      firstOf(stated, ({ name, state }) => loose.nearly(name, state)) ??
      (isStated ? null : loose.nearly(quiet, null, near)) ??
      firstOf(parts, (words) => exact.find(words, near)) ??
      firstOf(
        [...stated, ...[...parts, ...turned].flatMap(splitState)],
        ({ name, state }) => loose.nearly(name, state) ?? loose.find(name, state),
      ) ??
      (isStated
        ? null
        : firstOf([quiet, ...parts], (words) => loose.nearly(words, null, near) ?? loose.find(words, null)))
    );
  }

  /** A hamlet that is named without its state may be a large city misspelt. */
  function meantBy(typed: string, found: Place, near?: Point): Place {
    if (found.population >= HAMLET || near) return found;
    const words = placeWords(typed);
    return stateIn(words) ? found : (loose.famous(words, found) ?? found);
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
