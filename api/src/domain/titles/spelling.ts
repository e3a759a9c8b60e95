import { memoize } from '../../base/memoize.ts';

/**
 * Whether two words are at most `maxEdits` apart: letters inserted, deleted, replaced, or swapped with a neighbour.
 * Source: optimal string alignment distance.
 */
export function isWithinEdits(a: string, b: string, maxEdits: number): boolean {
  if (Math.abs(a.length - b.length) > maxEdits) return false;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let rowMin = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < rowMin) rowMin = cost;
    }
    if (rowMin > maxEdits) return false;
    before = last;
    last = row;
  }
  return (last[b.length] ?? maxEdits + 1) <= maxEdits;
}

const MIN_MISSPELT_LENGTH = 5;
const LONG = 8;
const MAX_RESULTS = 20_000;
const finders = new WeakMap<object, (word: string) => string | null>();

/**
 * The name that a misspelt word stands for: it has the same first letter and is one edit away, or two if it is long.
 * Memoized, as titles repeat the same words.
 * @param names must not change, as results are kept for each map
 */
export function nearestName(word: string, names: ReadonlyMap<string, unknown>): string | null {
  if (word.length < MIN_MISSPELT_LENGTH || /\d/.test(word)) return null;
  let find = finders.get(names);
  if (!find) {
    find = memoize((text) => search(text, names.keys()), { maxEntries: MAX_RESULTS });
    finders.set(names, find);
  }
  return find(word);
}

function search(word: string, names: Iterable<string>): string | null {
  let twoAway: string | null = null;
  for (const name of names) {
    if (name.length < MIN_MISSPELT_LENGTH || name[0] !== word[0] || /\d/.test(name)) continue;
    if (isWithinEdits(word, name, 1)) return name;
    if (word.length >= LONG - 1 && name.length >= LONG && isWithinEdits(word, name, 2)) twoAway ??= name;
  }
  return twoAway;
}
