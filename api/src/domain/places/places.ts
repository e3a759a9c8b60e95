import { isNearly } from '../titles/spelling.ts';
import { greatCircleMiles } from './distance.ts';
import type { Place, Point } from './place.ts';
import { placeKey, placeWords, splitState } from './place-names.ts';
import { placeNicknames } from './place-nicknames.ts';
import { placeReadings } from './place-readings.ts';
import { readPlaces, readZips } from './place-tables.ts';

export type { Place } from './place.ts';

export interface Gazetteer {
  /**
   * The US place that a text means; null when there is none. Of several the one within 100 miles of `near`, where
   * that is given and no state is named, else the most populous.
   */
  resolve(text: string, near?: Point): Place | null;
  /** Places whose name, nickname or ZIP begins like the text, the most populous first. */
  suggest(text: string, limit: number): Place[];
}

const MAX_TEXT = 100;
const NEAR_MILES = 100;
/** A state's name alone means a place only where a large one is called so: New York, Washington. */
const STATE_LIKE_POPULATION = 100_000;
/** A misspelt name without a state means a place at least this large. */
const KNOWN_POPULATION = 20_000;
const KNOWN_POPULATION_IN_STATE = 500;
const SHORTEST_MISSPELT = 5;
const LONG_NAME = 8;

/** Reads the two tables of `data/geo` into an index; under 300 ms. */
export function makeGazetteer(placesCsv: string, zipsCsv: string): Gazetteer {
  const zips = readZips(zipsCsv);
  const byKey = readPlaces(placesCsv, zips);
  const inState = (key: string, state: string) => byKey.get(key)?.find((place) => place.state === state);

  const nicknames = new Map<string, Place>();
  for (const [nickname, label] of placeNicknames) {
    const way = splitState(placeWords(label))[0];
    const place = way && inState(placeKey(way.name), way.state);
    if (place) nicknames.set(placeKey(placeWords(nickname)), place);
  }

  const zipByCode = new Map(zips.map((place) => [place.zip, place]));
  const keys = [...byKey.keys()].sort();
  const zipCodes = zips.map(({ zip }) => zip);

  function resolveZip(code: string): Place | null {
    const known = zipByCode.get(code);
    if (known) return known;
    let nearest: Place | null = null;
    for (let index = lowerBound(zipCodes, code.slice(0, 3)); zipCodes[index]?.startsWith(code.slice(0, 3)); index++) {
      const candidate = zips[index];
      if (!candidate) break;
      const away = Math.abs(Number(candidate.zip) - Number(code));
      if (!nearest || away < Math.abs(Number(nearest.zip) - Number(code))) nearest = candidate;
    }
    return nearest;
  }

  function resolveWords(words: readonly string[], near?: Point): Place | null {
    if (words.length === 0) return null;
    const key = placeKey(words);
    const nickname = nicknames.get(key);
    if (nickname) return nickname;
    const ways = splitState(words);
    for (const { name, state } of ways) {
      const place = name.length > 0 ? inState(placeKey(name), state) : undefined;
      if (place) return place;
    }
    const called = byKey.get(key);
    const named =
      (near && called?.find(({ lat, lng }) => greatCircleMiles(lat, lng, near.lat, near.lng) <= NEAR_MILES)) ??
      called?.[0];
    const isState = ways.some(({ name }) => name.length === 0);
    if (named && (!isState || named.population >= STATE_LIKE_POPULATION)) return named;
    for (const { name, state } of ways) {
      const place = nicknames.get(placeKey(name));
      if (place && place.state === state) return place;
    }
    return null;
  }

  /** The place meant by a name with a letter or two wrong, or by the beginning of one in its state. */
  function resolveMisspelt(words: readonly string[]): Place | null {
    const way = splitState(words).find(({ name }) => name.length > 0);
    const key = placeKey(way?.name ?? words);
    if (key.length < SHORTEST_MISSPELT) return null;
    const least = way ? KNOWN_POPULATION_IN_STATE : KNOWN_POPULATION;
    let best: { place: Place; rank: number } | null = null;
    for (let index = lowerBound(keys, key.charAt(0)); keys[index]?.startsWith(key.charAt(0)); index++) {
      const name = keys[index] ?? '';
      const place = way ? inState(name, way.state) : byKey.get(name)?.[0];
      if (!place || place.population < least) continue;
      const begins = way !== undefined && name.startsWith(key) ? 1 : 9;
      const rank = isNearly(key, name, 1) ? 0 : key.length >= LONG_NAME && isNearly(key, name, 2) ? 2 : begins;
      if (rank > 2) continue;
      if (!best || rank < best.rank || (rank === best.rank && place.population > best.place.population))
        best = { place, rank };
    }
    return best?.place ?? null;
  }

  function resolve(text: string, near?: Point): Place | null {
    const typed = text.slice(0, MAX_TEXT);
    const code = /(?<!\d)\d{5}(?!\d)/.exec(typed)?.[0];
    const zip = code ? resolveZip(code) : null;
    if (zip) return zip;
    const readings = placeReadings(typed);
    for (const words of readings) {
      const place = resolveWords(words, near);
      if (place) return place;
    }
    return readings[1] ? resolveMisspelt(readings[1]) : null;
  }

  function suggest(text: string, limit: number): Place[] {
    const typed = text.slice(0, MAX_TEXT).trim();
    if (typed === '') return [];
    const found: Place[] = [];
    const digits = /^\d{1,5}$/.exec(typed)?.[0];
    if (digits) {
      for (let index = lowerBound(zipCodes, digits); zipCodes[index]?.startsWith(digits); index++) {
        const zip = zips[index];
        if (zip) found.push(zip);
      }
      return mostPopulous(found, limit);
    }
    const words = placeWords(typed);
    if (words.length === 0) return [];
    const exact = resolveWords(words);
    for (const prefix of new Set([placeKey(words), words.join('')])) {
      for (let index = lowerBound(keys, prefix); keys[index]?.startsWith(prefix); index++) {
        found.push(...(byKey.get(keys[index] ?? '') ?? []));
      }
    }
    const last = words.at(-1) ?? '';
    const name = byKey.get(placeKey(words.slice(0, -1))) ?? [];
    found.push(...name.filter(({ state }) => state.toLowerCase().startsWith(last)));
    for (const { name: before, state } of splitState(words)) {
      const prefix = placeKey(before);
      if (prefix === '') continue;
      for (let index = lowerBound(keys, prefix); keys[index]?.startsWith(prefix); index++) {
        found.push(...(byKey.get(keys[index] ?? '') ?? []).filter((place) => place.state === state));
      }
    }
    const rest = mostPopulous(found, limit);
    const meant = exact ?? (rest.length === 0 ? resolve(typed) : null);
    if (!meant) return rest;
    return [meant, ...rest.filter(({ label }) => label !== meant.label)].slice(0, limit);
  }

  return { resolve, suggest };
}

function mostPopulous(places: Place[], limit: number): Place[] {
  const shown = new Map<string, Place>();
  for (const place of places.sort((a, b) => b.population - a.population)) {
    if (shown.size === limit) break;
    const id = place.zip ?? place.label;
    if (!shown.has(id)) shown.set(id, place);
  }
  return [...shown.values()];
}

/** Index of the first item that isn't below the value. @param sorted ascending by code units */
function lowerBound(sorted: readonly string[], value: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
