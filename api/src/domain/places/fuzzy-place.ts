import { isWithinEdits } from '../titles/spelling.ts';
import type { ExactPlaces } from './exact-place.ts';
import { isNear, type Place, type Point } from './place.ts';
import { fullStateNames, placeKey, placeWords } from './place-names.ts';
import { EVERY_STATE, type NamedPlace, type PlaceIndex } from './tables/place-index.ts';

/** Words that contain a city's name mean the city if it is at least this large, with and without its state. */
const CITY_IN_STATE = 20_000;
const CITY_ANYWHERE = 250_000;
const endings = 'city beach springs falls heights park hills island lake valley village center point'.split(' ');
/** The name of a hamlet is a misspelt city's if the city is this many times as large. */
const FAMOUS_RATIO = 200;
const FAMOUS = 40_000;
const FAMOUS_MISSPELT = 200_000;
const MIN_FAMOUS_LENGTH = 5;
const MAX_CITY_WORDS = 4;
const MIN_NICKNAME_LENGTH = 4;
const MIN_STATE_LENGTH = 5;
const LONG_STATE = 8;

/** Words with which a city's name is another place's: `New London`, `Lake Charles`, `Port Arthur`. */
const namesake = new Set(
  'new lake port fort mount san santa los las el la saint glen point cape camp little big grand rio nuevo nueva'.split(
    ' ',
  ),
);

/** Words with which a city's name is a part of it: `North Austin`, `NW Portland`. */
const sides = new Set(
  'north south east west northeast northwest southeast southwest n s e w ne nw se sw central uptown midtown inner side northside southside eastside westside'.split(
    ' ',
  ),
);

interface FuzzyPlaces {
  /** The place of a misspelt name. @param state null if none is stated */
  nearly(words: readonly string[], state: string | null, near?: Point): Place | null;
  /** The large city that was probably meant by the name of a hamlet: Phoenix by `Phenix`. */
  famous(words: readonly string[], hamlet: Place): Place | null;
  /** The place of an abbreviated name, or of words that contain a city's name. @param state null if none is stated */
  find(words: readonly string[], state: string | null): Place | null;
}

/** Splits off a misspelt state of one or two words at the end. */
export function splitMisspeltState(words: readonly string[]): { name: readonly string[]; state: string } | null {
  for (let count = Math.min(2, words.length); count >= 1; count--) {
    const typed = words.slice(-count).join('');
    if (typed.length < MIN_STATE_LENGTH) continue;
    for (const maxEdits of typed.length >= LONG_STATE ? [1, 2] : [1]) {
      for (const [state, name] of fullStateNames) {
        const full = name.toLowerCase().replaceAll(' ', '');
        if (full.length >= MIN_STATE_LENGTH && full[0] === typed[0] && isWithinEdits(typed, full, maxEdits))
          return { name: words.slice(0, -count), state };
      }
    }
  }
  return null;
}

/** Finds places by misspelt and abbreviated names, weighed by population. A stated state is never changed. */
export function makeFuzzyPlaces(index: PlaceIndex, exact: ExactPlaces): FuzzyPlaces {
  function cityWithin(words: readonly string[], state: string | null, rests?: ReadonlySet<string>): Place | null {
    for (let count = Math.min(MAX_CITY_WORDS, words.length - 1); count >= 1; count--) {
      for (const isLast of [true, false]) {
        const cityWords = isLast ? words.slice(-count) : words.slice(0, count);
        const rest = isLast ? words.slice(0, -count) : words.slice(count);
        if (rest.some((word) => namesake.has(word.replace(/^st$/, 'saint')))) continue;
        if (rests && !rest.every((word) => rests.has(word))) continue;
        const short = exact.nicknames.alone(placeKey(cityWords))[0];
        const city = cityOf(cityWords, state) ?? short;
        if (!city || (state !== null && city.state !== state)) continue;
        const part = exact.inState(rest, city.state);
        if (part?.label === city.label) return part;
        // `SF` and `KC` may mean something else, unless a part of the city is named too.
        if (city !== short || placeKey(cityWords).length >= MIN_NICKNAME_LENGTH) return city;
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
    const nicknamed = key.length >= MIN_NICKNAME_LENGTH ? exact.nicknames.alone(key)[0] : undefined;
    if (nicknamed) return nicknamed;
    const place = index.called(key);
    return place && place.population >= CITY_ANYWHERE ? place : null;
  }

  function nearPoint(key: string, near: Point): Place | null {
    const isNearby = (id: number) => isNear(index.place(id), near);
    const found = nearestPlace(key, { inState: false, maxEdits: 1 }, (letter) =>
      index.named(null, letter).filter(({ id }) => isNearby(id)),
    );
    return found && index.place(found.id);
  }

  /** The most populous place whose name lacks a common last word (`Lake Havasu`, `Daytona`), or has `S` for a saint. */
  function completed(words: readonly string[], state: string | null): Place | null {
    const key = placeKey(words);
    const saints = words.length > 1 && words[0] === 's' ? ['santa', 'san', 'saint'] : [];
    const keys = [...endings.map((ending) => key + ending), ...saints.map((saint) => saint + placeKey(words.slice(1)))];
    let best: Place | null = null;
    for (const whole of keys) {
      const place = state === null ? index.called(whole) : index.inState(whole, state);
      if (place && place.population >= CITY_IN_STATE && place.population > (best?.population ?? 0)) best = place;
    }
    return best;
  }

  function byEdits(key: string, state: string | null, maxEdits: 1 | 2): Place | null {
    const named = nearestPlace(key, { inState: state !== null, maxEdits }, (letter) => index.named(state, letter));
    return named && index.place(named.id);
  }

  function nearly(words: readonly string[], state: string | null, near?: Point): Place | null {
    if (words.length === 0) return null;
    const key = placeKey(words);
    const nearby = state === null && near ? nearPoint(key, near) : null;
    if (nearby) return nearby;
    const isSide = words.some((word) => sides.has(word));
    const city = isSide ? cityWithin(words, state, sides) : null;
    // This comes first, as two edits would turn `North Austin` into another place.
    return (
      city ??
      completed(words, state) ??
      byEdits(key, state, state === null ? 1 : 2) ??
      exact.nicknames.nearly(key, state)
    );
  }

  /** Replaces a nickname as the first word: `Jax Beach`. */
  function expandNickname([first = '', ...rest]: readonly string[], state: string | null): Place | null {
    const city = rest.length === 0 ? undefined : exact.nicknames.alone(first)[0];
    if (!city || (state !== null && state !== city.state)) return null;
    return index.inState(placeKey([...placeWords(city.name), ...rest]), city.state);
  }

  function find(words: readonly string[], state: string | null): Place | null {
    if (words.length === 0) return null;
    const spelled = expandNickname(words, state);
    if (spelled) return spelled;
    const key = placeKey(words);
    const beside = state === null ? cityWithin(words, null) : null;
    if (beside) return beside;
    const short = abbreviatedPlace(key, state !== null, index.named(state, key.charAt(0)));
    if (short) return index.place(short.id);
    if (state !== null) return cityWithin(words, state);
    const long = nearestLongName(key, index.named(EVERY_STATE, key.charAt(0)));
    return byEdits(key, null, 2) ?? (long && index.place(long.id));
  }

  function famous(words: readonly string[], hamlet: Place): Place | null {
    const key = placeKey(words);
    const city = key.length < MIN_FAMOUS_LENGTH ? null : (completed(words, null) ?? byEdits(key, null, 1));
    const minPopulation = city && placeKey(placeWords(city.name)).startsWith(key) ? FAMOUS : FAMOUS_MISSPELT;
    return city && city.population >= Math.max(minPopulation, hamlet.population * FAMOUS_RATIO) ? city : null;
  }

  return { nearly, famous, find };
}

const MIN_LENGTH = 4;
const MIN_SOUND_LENGTH = 6;
/** Names this long may have two letters wrong. */
const LONG = 8;
/** One edit counts as much as this many powers of ten of population. */
const EDIT_WEIGHT = 1.6;
const MIN_POPULATION_IN_STATE = { short: 20_000, one: 0, two: 5000 };
const MIN_POPULATION_ANYWHERE = { short: 250_000, one: 20_000, two: 100_000 };
/** So long a name hardly fits by chance. */
const VERY_LONG = 10;

/** A key of the pronunciation: one letter for those that are confused, none doubled. */
function phoneticKey(key: string): string {
  return key
    .replace(/ph/g, 'f')
    .replace(/ck|qu|q/g, 'k')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/c/g, 'k')
    .replace(/gh/g, 'g')
    .replace(/z/g, 's')
    .replace(/y/g, 'i')
    .replace(/(?<=[a-z])h/g, '')
    .replace(/[ie]+/g, 'e')
    .replace(/(.)\1+/g, '$1');
}

/** Whether the letters between the first two and the last are in another order: `Chigaco`. */
function isAnagram(typed: string, name: string): boolean {
  if (typed.length !== name.length || typed.length < MIN_SOUND_LENGTH) return false;
  if (typed.slice(0, 2) !== name.slice(0, 2) || typed.at(-1) !== name.at(-1)) return false;
  return [...typed].sort().join('') === [...name].sort().join('');
}

function editDistance(typed: string, sound: string, name: string, maxEdits: 1 | 2): number {
  if (Math.abs(typed.length - name.length) > 3) return Infinity;
  if (isWithinEdits(typed, name, 1)) return 1;
  if (typed.length >= MIN_SOUND_LENGTH && phoneticKey(name) === sound) return 1.2;
  if (isAnagram(typed, name)) return 1.5;
  if (maxEdits === 2 && typed.length >= LONG && isWithinEdits(typed, name, 2)) return 2;
  return Infinity;
}

/**
 * The most likely name for a misspelt one, by edits and population. The first letter must be the same, or swapped with the
 * second. One edit or the same pronunciation is allowed, in a long name two edits.
 * @param namedWith returns the names that begin with a letter
 * @param options `inState`: whether these are only of the stated state
 */
function nearestPlace(
  key: string,
  { inState, maxEdits }: { inState: boolean; maxEdits: 1 | 2 },
  namedWith: (letter: string) => readonly NamedPlace[],
): NamedPlace | null {
  if (key.length < MIN_LENGTH) return null;
  const min = inState ? MIN_POPULATION_IN_STATE : MIN_POPULATION_ANYWHERE;
  const minOfTwo = !inState && key.length >= VERY_LONG ? min.one : min.two;
  const sound = phoneticKey(key);
  const letters = new Set([key.charAt(0), key.charAt(1), sound.charAt(0) === 'f' ? 'p' : key.charAt(0)]);
  let best: { named: NamedPlace; likely: number } | null = null;
  for (const letter of letters) {
    for (const named of namedWith(letter)) {
      const isSwapped = letter !== key.charAt(0) && letter !== 'p';
      if (isSwapped && named.key.charAt(1) !== key.charAt(0)) continue;
      if (named.population < (key.length === MIN_LENGTH ? min.short : min.one)) continue;
      const edits = editDistance(key, sound, named.key, maxEdits);
      if (edits === Infinity || (edits >= 1.5 && named.population < minOfTwo)) continue;
      const likely = Math.log10(named.population + 10) - EDIT_WEIGHT * edits;
      if (!best || likely > best.likely) best = { named, likely };
    }
  }
  return best?.named ?? null;
}

/** A place of any size whose very long name is one edit away: `Rehobeth Beach`. */
function nearestLongName(key: string, named: readonly NamedPlace[]): NamedPlace | null {
  if (key.length < VERY_LONG) return null;
  let best: NamedPlace | null = null;
  for (const candidate of named)
    if ((!best || candidate.population > best.population) && isWithinEdits(key, candidate.key, 1)) best = candidate;
  return best;
}

const MIN_SHORTENED_LENGTH = 3;
const LONG_BEGINNING = 5;
const LARGE = 100_000;
const KNOWN_IN_STATE = 10_000;

/** Whether the name contains all letters in this order. */
function isSubsequence(letters: string, name: string): boolean {
  let found = 0;
  for (let at = 0; at < name.length && found < letters.length; at++) if (name[at] === letters[found]) found++;
  return found === letters.length;
}

/**
 * The most populous place with this abbreviation: a beginning (`Phila`), or some letters with the first and last of the
 * name (`Indpls`, `Gboro`). Without a state only of large cities, and only letters with at most one vowel, which are no word.
 */
function abbreviatedPlace(key: string, inState: boolean, named: readonly NamedPlace[]): NamedPlace | null {
  if (key.length < MIN_SHORTENED_LENGTH) return null;
  const vowels = key.replace(/[^aeiou]/g, '').length;
  const isSkeleton = key.length > MIN_SHORTENED_LENGTH && (inState ? vowels * 2 <= key.length : vowels <= 1);
  let best: NamedPlace | null = null;
  for (const candidate of named) {
    if (candidate.population < (inState ? KNOWN_IN_STATE : LARGE) || candidate.key.length < key.length + 2) continue;
    if (best && best.population >= candidate.population) continue;
    const begins =
      candidate.key.startsWith(key) &&
      (key.length >= LONG_BEGINNING ||
        (inState && candidate.population >= (key.length > MIN_SHORTENED_LENGTH ? LARGE / 2 : LARGE)));
    const skeleton = isSkeleton && candidate.key.at(-1) === key.at(-1) && isSubsequence(key, candidate.key);
    const startsAlike =
      inState && candidate.population >= LARGE && candidate.key.startsWith(key.slice(0, MIN_SHORTENED_LENGTH));
    if (begins || skeleton || (startsAlike && isSubsequence(key, candidate.key))) best = candidate;
  }
  return best;
}
