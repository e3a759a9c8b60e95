import {
  bareEvidence,
  bareParts,
  carEvidence,
  components,
  nonCarWords,
  onlyCars,
  partMarks,
  partOrigins,
  partWords,
  positions,
  services,
  trims,
  trimsBehind,
  type Word,
  wantedWords,
  weakNonCarWords,
} from './title-words.ts';

/** The lists by their names, so that one look at each name of a title tells which lists it has at all. */
const listsByName = new Map<string, ReadonlySet<string>[]>();
for (const list of [
  ...[nonCarWords, wantedWords, services, weakNonCarWords, carEvidence, onlyCars, trims, bareEvidence],
  ...[partOrigins, components, partWords, bareParts, positions, partMarks],
]) {
  for (const name of list) listsByName.set(name, [...(listsByName.get(name) ?? []), list]);
}

/** Which lists have a name that begins with one of the words. @param from @param to the words that count */
export function listsIn(words: readonly Word[], from = 0, to = words.length, found = new Set<ReadonlySet<string>>()) {
  for (let index = from; index < to; index++) {
    for (const key of words[index]?.keys ?? []) for (const list of listsByName.get(key) ?? none) found.add(list);
  }
  return found;
}
const none: readonly ReadonlySet<string>[] = [];

/** Whether the words right behind a name are a trim or an engine, as sellers write them: `Mustang GT`, `Mustang 5.0`. */
export function hasTrimAt(words: readonly Word[], index: number): boolean {
  const [next, after] = [words[index], words[index + 1]];
  if (next === undefined || !/^[\s-]*$/.test(next.before)) return false;
  if (/^[1-7]$/.test(next.text) && after?.before === '.' && /^\dl?$/.test(after.text)) return true;
  return next.keys.some((key) => trims.has(key) || trimsBehind.has(key));
}
