import { readDataFile } from '../../base/data-folder.ts';
import { isWithinEdits } from '../titles/spelling.ts';
import { nameKey, plainText, type Word, wordsOf } from '../titles/title-words.ts';
import type { WishFields } from './wish-fields.ts';

export const MAX_WISH = 500;
/** A text of 500 characters has at most 250 words. */
const MAX_WORDS = MAX_WISH / 2;

/** A text as words, each with its place in the text. */
export interface WishText {
  plain: string;
  words: readonly Word[];
  /** Where each word begins in `plain`. */
  starts: readonly number[];
}

export function wishText(text: string): WishText {
  const plain = plainText(text.slice(0, MAX_WISH))
    .slice(0, MAX_WISH)
    .replace(/\s+/g, ' ')
    .replaceAll(' & ', ' and ')
    .replace(/[–—−]/g, '-');
  const words = wordsOf(plain, MAX_WORDS);
  const starts: number[] = [];
  let end = 0;
  for (const { text: word, before } of words) {
    starts.push(end + before.length);
    end += before.length + word.length;
  }
  return { plain, words, starts };
}

/** The text of the words from `start` to before `end`, as it was written. */
export function excerpt({ plain, words, starts }: WishText, start: number, end: number): string {
  const last = end - 1;
  return plain.slice(starts[start], (starts[last] ?? 0) + (words[last]?.text.length ?? 0)).trim();
}

/** What stands between a word and the next one. */
export function textAfter({ plain, words, starts }: WishText, index: number): string {
  const end = (starts[index] ?? 0) + (words[index]?.text.length ?? 0);
  return plain.slice(end, starts[index + 1] ?? plain.length).toLowerCase();
}

/** Whether the text goes on with the next word, without a sign that ends a phrase. */
export const isJoined = (before: string): boolean => !/[,;:·|()?!]|\.\s/.test(before);

/** The longest name of a table that begins at a word. @param find looks up a key of `nameKey` */
export function longestName<T>(
  words: readonly Word[],
  start: number,
  find: (key: string) => T | undefined,
): { end: number; found: T } | null {
  const keys = words[start]?.keys ?? [];
  for (let count = keys.length; count > 0; count--) {
    const found = find(keys[count - 1] ?? '');
    if (found !== undefined) return { end: start + count, found };
  }
  return null;
}

const MIN_REPLACED = 7;
const letters = (word: string) => [...word].sort().join('');

/**
 * Whether a word is another one with a letter missing, added or swapped with its neighbour, or in a long word replaced.
 * A short one with a replaced letter is more often a word of its own: `stock` is no `stick`.
 */
export function isSlip(word: string, name: string): boolean {
  if (!isWithinEdits(word, name, 1)) return false;
  return name.length !== word.length || name.length >= MIN_REPLACED || letters(name) === letters(word);
}

interface WordsFile {
  values: Record<string, Record<string, string[]>>;
  blocked: string[];
  filler: string[];
  notPlaces: string[];
  names: string[];
}

const file = JSON.parse(readDataFile('wish-words.json')) as WordsFile;
const keys = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(nameKey));

/** The field and value that words stand for. */
export const valueByName: ReadonlyMap<string, WishFields> = new Map(
  Object.entries(file.values).flatMap(([field, values]) =>
    Object.entries(values).flatMap(([value, names]) =>
      names.map((name) => [nameKey(name), { [field]: value } as WishFields] as const),
    ),
  ),
);
/** Names that contain a value's name and mean something else. */
export const blocked = keys(file.blocked);
/** Words that ask for nothing. */
export const filler = keys(file.filler);
/** Names of people and things that are also names of places, and mean those only after a word such as `near`. */
export const names = keys(file.names);
/** Words that are also names of places, and are rarely meant so. */
export const notPlaces = keys(file.notPlaces);
