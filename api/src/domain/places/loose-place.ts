import { isNearly } from '../titles/spelling.ts';
import { greatCircleMiles } from './distance.ts';
import type { ExactPlaces } from './exact-place.ts';
import { nearestPlace } from './misspelt.ts';
import type { Place, Point } from './place.ts';
import type { PlaceIndex } from './place-index.ts';
import { fullStateNames, placeKey } from './place-names.ts';
import { placeOfLetters } from './shortened.ts';

/** A part of a city is taken for the city when that is at least this large: in its state, and anywhere. */
const CITY_IN_STATE = 20_000;
const CITY_ANYWHERE = 250_000;
const LONGEST_CITY_WORDS = 4;
const SHORTEST_NICKNAME = 4;
const SHORTEST_STATE = 5;
const LONG_STATE = 8;
const NEAR_MILES = 100;

/** Words that make another name of a city's: `New London`, `Lake Charles`, `Port Arthur`. */
const namesake = new Set(
  'new lake port fort mount san santa los las el la saint glen old point cape camp little big grand rio nuevo nueva'.split(
    ' ',
  ),
);

export interface LoosePlaces {
  /** A misspelt or shortened name, or one that a city's stands beside. @param state null where none is stated */
  find(words: readonly string[], state: string | null, near?: Point): Place | null;
}

/** The state whose name the last one or two words nearly are, and the words before it. */
export function splitMisspeltState(words: readonly string[]): { name: readonly string[]; state: string } | null {
  for (let count = Math.min(2, words.length); count >= 1; count--) {
    const typed = words.slice(-count).join('');
    if (typed.length < SHORTEST_STATE) continue;
    for (const most of typed.length >= LONG_STATE ? [1, 2] : [1]) {
      for (const [state, name] of fullStateNames) {
        const full = name.toLowerCase().replaceAll(' ', '');
        if (full.length >= SHORTEST_STATE && full[0] === typed[0] && isNearly(typed, full, most))
          return { name: words.slice(0, -count), state };
      }
    }
  }
  return null;
}

/** Guesses by letters, weighed by population; the state, where it is stated, always holds. */
export function makeLoosePlaces(index: PlaceIndex, exact: ExactPlaces): LoosePlaces {
  function cityBeside(words: readonly string[], state: string | null): Place | null {
    for (let count = Math.min(LONGEST_CITY_WORDS, words.length - 1); count >= 1; count--) {
      for (const isLast of [true, false]) {
        const cityWords = isLast ? words.slice(-count) : words.slice(0, count);
        const rest = isLast ? words.slice(0, -count) : words.slice(count);
        if (rest.some((word) => namesake.has(word.replace(/^st$/, 'saint')))) continue;
        const city = cityOf(cityWords, state);
        if (!city) continue;
        const part = exact.inState(rest, city.state);
        return part?.label === city.label ? part : city;
      }
    }
    return null;
  }

  function cityOf(words: readonly string[], state: string | null): Place | null {
    const key = placeKey(words);
    if (state !== null) {
      const place = index.inState(key, state);
      return place && place.population >= CITY_IN_STATE ? place : null;
    }
    const nicknamed = key.length >= SHORTEST_NICKNAME ? exact.nicknames.alone(key)[0] : undefined;
    if (nicknamed) return nicknamed;
    const place = index.called(key);
    return place && place.population >= CITY_ANYWHERE ? place : null;
  }

  function nearPoint(key: string, near: Point): Place | null {
    const isNear = (id: number) => {
      const { lat, lng } = index.place(id);
      return greatCircleMiles(lat, lng, near.lat, near.lng) <= NEAR_MILES;
    };
    const found = nearestPlace(key, false, (letter) => index.named(null, letter).filter(({ id }) => isNear(id)));
    return found && index.place(found.id);
  }

  function find(words: readonly string[], state: string | null, near?: Point): Place | null {
    if (words.length === 0) return null;
    const key = placeKey(words);
    const nearby = state === null && near ? nearPoint(key, near) : null;
    if (nearby) return nearby;
    const beside = state === null ? cityBeside(words, null) : null;
    if (beside) return beside;
    const named =
      nearestPlace(key, state !== null, (letter) => index.named(state, letter)) ??
      placeOfLetters(key, state !== null, index.named(state, key.charAt(0)));
    if (named) return index.place(named.id);
    return state === null ? null : cityBeside(words, state);
  }

  return { find };
}
