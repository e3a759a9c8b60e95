import { isWithinEdits } from '../titles/spelling.ts';
import type { ExactPlaces } from './exact-place.ts';
import { isNear, type Place, type Point } from './place.ts';
import { fullStateNames, placeKey, placeWords } from './place-names.ts';
import { EVERY_STATE, type NamedPlace, type PlaceIndex } from './tables/place-index.ts';

/** A part of a city is taken for the city when that is at least this large: in its state, and anywhere. */
const CITY_IN_STATE = 20_000;
const CITY_ANYWHERE = 250_000;
const endings = 'city beach springs falls heights park hills island lake valley village center point'.split(' ');
/** A name that hardly anybody lives under is a large city's misspelt when that is this many times larger. */
const FAMOUS_RATIO = 200;
const FAMOUS = 40_000;
const FAMOUS_MISSPELT = 200_000;
const MIN_FAMOUS_LENGTH = 5;
const MAX_CITY_WORDS = 4;
const MIN_NICKNAME_LENGTH = 4;
const MIN_STATE_LENGTH = 5;
const LONG_STATE = 8;

/** Words that make another name of a city's: `New London`, `Lake Charles`, `Port Arthur`. */
const namesake = new Set(
  'new lake port fort mount san santa los las el la saint glen point cape camp little big grand rio nuevo nueva'.split(
    ' ',
  ),
);

/** Words that make a part of a city: `North Austin`, `NW Portland`. */
const sides = new Set(
  'north south east west northeast northwest southeast southwest n s e w ne nw se sw central uptown midtown inner side northside southside eastside westside'.split(
    ' ',
  ),
);

interface LoosePlaces {
  /** What a misspelt name means. @param state null where none is stated */
  nearly(words: readonly string[], state: string | null, near?: Point): Place | null;
  /** The large city whose name was likely meant by that of a hamlet: `Phenix` by Phoenix. */
  famous(words: readonly string[], hamlet: Place): Place | null;
  /** What a shortened name means, or one that a city's stands beside. */
  find(words: readonly string[], state: string | null): Place | null;
}

/** The state whose name the last one or two words nearly are, and the words before it. */
export function splitMisspeltState(words: readonly string[]): { name: readonly string[]; state: string } | null {
  for (let count = Math.min(2, words.length); count >= 1; count--) {
    const typed = words.slice(-count).join('');
    if (typed.length < MIN_STATE_LENGTH) continue;
    for (const most of typed.length >= LONG_STATE ? [1, 2] : [1]) {
      for (const [state, name] of fullStateNames) {
        const full = name.toLowerCase().replaceAll(' ', '');
        if (full.length >= MIN_STATE_LENGTH && full[0] === typed[0] && isWithinEdits(typed, full, most))
          return { name: words.slice(0, -count), state };
      }
    }
  }
  return null;
}

/** Guesses by letters, weighed by population; the state, where it is stated, always holds. */
export function makeLoosePlaces(index: PlaceIndex, exact: ExactPlaces): LoosePlaces {
  function cityBeside(words: readonly string[], state: string | null, rests?: ReadonlySet<string>): Place | null {
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
        // `SF` and `KC` may be other words, unless a part of theirs stands beside them.
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
    const found = nearestPlace(key, { inState: false, most: 1 }, (letter) =>
      index.named(null, letter).filter(({ id }) => isNearby(id)),
    );
    return found && index.place(found.id);
  }

  /** `Lake Havasu`, `Daytona`: the most populous with a common last word, or with what an `S` in front may stand for. */
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

  function byEdits(key: string, state: string | null, most: 1 | 2): Place | null {
    const named = nearestPlace(key, { inState: state !== null, most }, (letter) => index.named(state, letter));
    return named && index.place(named.id);
  }

  function nearly(words: readonly string[], state: string | null, near?: Point): Place | null {
    if (words.length === 0) return null;
    const key = placeKey(words);
    const nearby = state === null && near ? nearPoint(key, near) : null;
    if (nearby) return nearby;
    const isSide = words.some((word) => sides.has(word));
    const city = isSide ? cityBeside(words, state, sides) : null;
    // Beside a city's name two edits would turn `North Austin` into another place.
    return (
      city ??
      completed(words, state) ??
      byEdits(key, state, state === null ? 1 : 2) ??
      exact.nicknames.nearly(key, state)
    );
  }

  /** `Jax Beach`: a nickname in front for the name. */
  function spelledOut([first = '', ...rest]: readonly string[], state: string | null): Place | null {
    const city = rest.length === 0 ? undefined : exact.nicknames.alone(first)[0];
    if (!city || (state !== null && state !== city.state)) return null;
    return index.inState(placeKey([...placeWords(city.name), ...rest]), city.state);
  }

  function find(words: readonly string[], state: string | null): Place | null {
    if (words.length === 0) return null;
    const spelled = spelledOut(words, state);
    if (spelled) return spelled;
    const key = placeKey(words);
    const beside = state === null ? cityBeside(words, null) : null;
    if (beside) return beside;
    const short = placeOfLetters(key, state !== null, index.named(state, key.charAt(0)));
    if (short) return index.place(short.id);
    if (state !== null) return cityBeside(words, state);
    const long = nearestLongName(key, index.named(EVERY_STATE, key.charAt(0)));
    return byEdits(key, null, 2) ?? (long && index.place(long.id));
  }

  function famous(words: readonly string[], hamlet: Place): Place | null {
    const key = placeKey(words);
    const city = key.length < MIN_FAMOUS_LENGTH ? null : (completed(words, null) ?? byEdits(key, null, 1));
    const least = city && placeKey(placeWords(city.name)).startsWith(key) ? FAMOUS : FAMOUS_MISSPELT;
    return city && city.population >= Math.max(least, hamlet.population * FAMOUS_RATIO) ? city : null;
  }

  return { nearly, famous, find };
}

const MIN_LENGTH = 4;
const MIN_SOUND_LENGTH = 6;
/** Names this long may have two letters wrong. */
const LONG = 8;
/** An edit makes a name this many powers of ten less likely. */
const EDIT_WEIGHT = 1.6;
const MIN_POPULATION_IN_STATE = { short: 20_000, one: 0, two: 5000 };
const MIN_POPULATION_ANYWHERE = { short: 250_000, one: 20_000, two: 100_000 };
/** So long a name is hardly met by chance. */
const VERY_LONG = 10;

/** How a name sounds: one sign for letters that people confuse, none doubled. */
function soundOf(key: string): string {
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

/** `Chigaco`: all letters there, in another order between the first two and the last. */
function isShuffled(typed: string, name: string): boolean {
  if (typed.length !== name.length || typed.length < MIN_SOUND_LENGTH) return false;
  if (typed.slice(0, 2) !== name.slice(0, 2) || typed.at(-1) !== name.at(-1)) return false;
  return [...typed].sort().join('') === [...name].sort().join('');
}

function editsBetween(typed: string, sound: string, name: string, most: 1 | 2): number {
  if (Math.abs(typed.length - name.length) > 3) return Infinity;
  if (isWithinEdits(typed, name, 1)) return 1;
  if (typed.length >= MIN_SOUND_LENGTH && soundOf(name) === sound) return 1.2;
  if (isShuffled(typed, name)) return 1.5;
  if (most === 2 && typed.length >= LONG && isWithinEdits(typed, name, 2)) return 2;
  return Infinity;
}

/**
 * The name that a misspelt one means: the first letter, or the first two in their other order, kept; one edit or the
 * same sound, two edits in a long name; of several the likelier by edits and population together.
 * @param namedWith the names that begin with a letter @param inState whether they are those of the stated state @param most edits
 */
function nearestPlace(
  key: string,
  { inState, most }: { inState: boolean; most: 1 | 2 },
  namedWith: (letter: string) => readonly NamedPlace[],
): NamedPlace | null {
  if (key.length < MIN_LENGTH) return null;
  const min = inState ? MIN_POPULATION_IN_STATE : MIN_POPULATION_ANYWHERE;
  const minOfTwo = !inState && key.length >= VERY_LONG ? min.one : min.two;
  const sound = soundOf(key);
  const letters = new Set([key.charAt(0), key.charAt(1), sound.charAt(0) === 'f' ? 'p' : key.charAt(0)]);
  let best: { named: NamedPlace; likely: number } | null = null;
  for (const letter of letters) {
    for (const named of namedWith(letter)) {
      const isSwapped = letter !== key.charAt(0) && letter !== 'p';
      if (isSwapped && named.key.charAt(1) !== key.charAt(0)) continue;
      if (named.population < (key.length === MIN_LENGTH ? min.short : min.one)) continue;
      const edits = editsBetween(key, sound, named.key, most);
      if (edits === Infinity || (edits >= 1.5 && named.population < minOfTwo)) continue;
      const likely = Math.log10(named.population + 10) - EDIT_WEIGHT * edits;
      if (!best || likely > best.likely) best = { named, likely };
    }
  }
  return best?.named ?? null;
}

/** The name of any size that a very long one misses by one edit: `Rehobeth Beach`. */
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

/** Whether all letters stand in the name in their order. */
function isWithin(letters: string, name: string): boolean {
  let found = 0;
  for (let at = 0; at < name.length && found < letters.length; at++) if (name[at] === letters[found]) found++;
  return found === letters.length;
}

/**
 * The most populous place that letters stand for: a beginning (`Phila`) or letters with the first and the last of the
 * name (`Indpls`, `Gboro`). Without a state only names of large cities, and letters that are no word: one vowel at most.
 */
function placeOfLetters(key: string, inState: boolean, named: readonly NamedPlace[]): NamedPlace | null {
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
    const skeleton = isSkeleton && candidate.key.at(-1) === key.at(-1) && isWithin(key, candidate.key);
    const startsAlike =
      inState && candidate.population >= LARGE && candidate.key.startsWith(key.slice(0, MIN_SHORTENED_LENGTH));
    if (begins || skeleton || (startsAlike && isWithin(key, candidate.key))) best = candidate;
  }
  return best;
}
