import type { NamedPlace } from './tables/place-index.ts';

const SHORTEST = 3;
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
  if (key.length < SHORTEST) return null;
  const vowels = key.replace(/[^aeiou]/g, '').length;
  const isSkeleton = key.length > SHORTEST && (inState ? vowels * 2 <= key.length : vowels <= 1);
  let best: NamedPlace | null = null;
  for (const candidate of named) {
    if (candidate.population < (inState ? KNOWN_IN_STATE : LARGE) || candidate.key.length < key.length + 2) continue;
    if (best && best.population >= candidate.population) continue;
    const begins =
      candidate.key.startsWith(key) &&
      (key.length >= LONG_BEGINNING ||
        (inState && candidate.population >= (key.length > SHORTEST ? LARGE / 2 : LARGE)));
    const skeleton = isSkeleton && candidate.key.at(-1) === key.at(-1) && isWithin(key, candidate.key);
    const startsAlike = inState && candidate.population >= LARGE && candidate.key.startsWith(key.slice(0, SHORTEST));
    if (begins || skeleton || (startsAlike && isWithin(key, candidate.key))) best = candidate;
  }
  return best;
}
