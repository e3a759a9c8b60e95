const MAX_KEPT = 20_000;

/** The function with its answers kept by their word, as titles use the same words again and again; memory is bounded. */
function keepAnswers<T>(answer: (word: string) => T): (word: string) => T {
  const kept = new Map<string, T>();
  return (word) => {
    const known = kept.get(word);
    if (known !== undefined || kept.has(word)) return known as T;
    const found = answer(word);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(word, found);
    return found;
  };
}

/**
 * Whether two words differ by at most `most` letters added, left out, changed or swapped with their neighbour.
 * Source: optimal string alignment, cut off at the bound.
 */
export function isNearly(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return false;
    before = last;
    last = row;
  }
  return (last[b.length] ?? most + 1) <= most;
}

const MIN_MISSPELT_LENGTH = 5;
const LONG = 8;
const finders = new WeakMap<object, (word: string) => string | null>();

/**
 * The name that a misspelt word means: same first letter, one letter off, two in a long word.
 * @param names the same map for the same names: answers are kept by it
 */
export function nearestName(word: string, names: ReadonlyMap<string, unknown>): string | null {
  if (word.length < MIN_MISSPELT_LENGTH || /\d/.test(word)) return null;
  let find = finders.get(names);
  if (!find) {
    find = keepAnswers((text) => search(text, names.keys()));
    finders.set(names, find);
  }
  return find(word);
}

function search(word: string, names: Iterable<string>): string | null {
  let twoOff: string | null = null;
  for (const name of names) {
    if (name.length < MIN_MISSPELT_LENGTH || name[0] !== word[0] || /\d/.test(name)) continue;
    if (isNearly(word, name, 1)) return name;
    if (word.length >= LONG - 1 && name.length >= LONG && isNearly(word, name, 2)) twoOff ??= name;
  }
  return twoOff;
}
