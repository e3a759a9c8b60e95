import { isNearly } from '../titles/spelling.ts';
import type { NamedPlace } from './tables/place-index.ts';

const SHORTEST = 4;
const SHORTEST_SOUND = 6;
/** Names this long may have two letters wrong. */
const LONG = 8;
/** An edit makes a name this many powers of ten less likely. */
const EDIT_WEIGHT = 1.6;
const LEAST_IN_STATE = { short: 20_000, one: 0, two: 5000 };
const LEAST_ANYWHERE = { short: 250_000, one: 20_000, two: 100_000 };
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
  if (typed.length !== name.length || typed.length < SHORTEST_SOUND) return false;
  if (typed.slice(0, 2) !== name.slice(0, 2) || typed.at(-1) !== name.at(-1)) return false;
  return [...typed].sort().join('') === [...name].sort().join('');
}

function editsBetween(typed: string, sound: string, name: string, most: 1 | 2): number {
  if (Math.abs(typed.length - name.length) > 3) return Infinity;
  if (isNearly(typed, name, 1)) return 1;
  if (typed.length >= SHORTEST_SOUND && soundOf(name) === sound) return 1.2;
  if (isShuffled(typed, name)) return 1.5;
  if (most === 2 && typed.length >= LONG && isNearly(typed, name, 2)) return 2;
  return Infinity;
}

/**
 * The name that a misspelt one means: the first letter, or the first two in their other order, kept; one edit or the
 * same sound, two edits in a long name; of several the likelier by edits and population together.
 * @param namedWith the names that begin with a letter @param inState whether they are those of the stated state @param most edits
 */
export function nearestPlace(
  key: string,
  { inState, most }: { inState: boolean; most: 1 | 2 },
  namedWith: (letter: string) => readonly NamedPlace[],
): NamedPlace | null {
  if (key.length < SHORTEST) return null;
  const least = inState ? LEAST_IN_STATE : LEAST_ANYWHERE;
  const leastOfTwo = !inState && key.length >= VERY_LONG ? least.one : least.two;
  const sound = soundOf(key);
  const letters = new Set([key.charAt(0), key.charAt(1), sound.charAt(0) === 'f' ? 'p' : key.charAt(0)]);
  let best: { named: NamedPlace; likely: number } | null = null;
  for (const letter of letters) {
    for (const named of namedWith(letter)) {
      const isSwapped = letter !== key.charAt(0) && letter !== 'p';
      if (isSwapped && named.key.charAt(1) !== key.charAt(0)) continue;
      if (named.population < (key.length === SHORTEST ? least.short : least.one)) continue;
      const edits = editsBetween(key, sound, named.key, most);
      if (edits === Infinity || (edits >= 1.5 && named.population < leastOfTwo)) continue;
      const likely = Math.log10(named.population + 10) - EDIT_WEIGHT * edits;
      if (!best || likely > best.likely) best = { named, likely };
    }
  }
  return best?.named ?? null;
}

/** The name of any size that a very long one misses by one edit: `Rehobeth Beach`. */
export function nearestLongName(key: string, named: readonly NamedPlace[]): NamedPlace | null {
  if (key.length < VERY_LONG) return null;
  let best: NamedPlace | null = null;
  for (const candidate of named)
    if ((!best || candidate.population > best.population) && isNearly(key, candidate.key, 1)) best = candidate;
  return best;
}

const SHORTEST_SHORTENED = 3;
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
export function placeOfLetters(key: string, inState: boolean, named: readonly NamedPlace[]): NamedPlace | null {
  if (key.length < SHORTEST_SHORTENED) return null;
  const vowels = key.replace(/[^aeiou]/g, '').length;
  const isSkeleton = key.length > SHORTEST_SHORTENED && (inState ? vowels * 2 <= key.length : vowels <= 1);
  let best: NamedPlace | null = null;
  for (const candidate of named) {
    if (candidate.population < (inState ? KNOWN_IN_STATE : LARGE) || candidate.key.length < key.length + 2) continue;
    if (best && best.population >= candidate.population) continue;
    const begins =
      candidate.key.startsWith(key) &&
      (key.length >= LONG_BEGINNING ||
        (inState && candidate.population >= (key.length > SHORTEST_SHORTENED ? LARGE / 2 : LARGE)));
    const skeleton = isSkeleton && candidate.key.at(-1) === key.at(-1) && isWithin(key, candidate.key);
    const startsAlike =
      inState && candidate.population >= LARGE && candidate.key.startsWith(key.slice(0, SHORTEST_SHORTENED));
    if (begins || skeleton || (startsAlike && isWithin(key, candidate.key))) best = candidate;
  }
  return best;
}
