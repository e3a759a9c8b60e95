import { readDataFile } from '../../base/data-folder.ts';
import { memoize } from '../../base/memoize.ts';

/** A word of a title: lower-case letters and digits only. */
export interface Word {
  text: string;
  /** The text between the previous word and this one, in lower case. */
  before: string;
  /** Written in capitals. */
  capital: boolean;
  /** The keys (see `nameKey`) of the names of one to five words that begin with this word. */
  keys: readonly string[];
}

const MAX_TITLE = 500;
const TAG = /<\/?[a-z][^<>]{0,200}>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;
/** Soft hyphens and joiners, which are invisible within words. */
const INVISIBLE = /\u00ad|\u200b|\u200c|\u200d|\u2060|\ufeff/g;
const LAST_CODE_POINT = 0x10ffff;

function decoded(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : ' ';
}

/** A text without its tags, entities and invisible characters. */
export const withoutMarkup = (raw: string): string =>
  raw.replace(TAG, ' ').replace(ENTITY, decoded).replace(INVISIBLE, '');

/**
 * A title as it is stored and shown: without markup and control characters, with single blanks, up to 500 characters.
 */
export function cleanTitle(raw: string): string {
  return withoutMarkup(raw.slice(0, MAX_TITLE * 4))
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  middot: '·',
  bull: '•',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  times: '×',
  frac12: '½',
  eacute: 'é',
};

const MAX_NAME_WORDS = 5;
const PHONE_NUMBER = /\(\d{3}\) ?\d{3}[-. ]\d{4}\b|\b\d{3}[-.]\d{3}[-.]\d{4}\b/g;
/** Further words say nothing about the car. */
const MAX_WORDS = 40;

/**
 * The words of a text in plain letters, without accents and typographic variants; `2012honda` is two words. The last result
 * is kept, as several readers ask for the same title in turn.
 */
export const titleWords: (text: string) => readonly Word[] = memoize(
  (text) => wordsOf(plainText(text.slice(0, MAX_TITLE)).replace(PHONE_NUMBER, ' | '), MAX_WORDS),
  { maxEntries: 1 },
);

/** The words of a text of plain letters (see `plainText`). @param most how many words are read */
export function wordsOf(plain: string, most: number): Word[] {
  const found: Word[] = [];
  let end = 0;
  for (const match of plain.matchAll(/[a-z0-9]+/gi)) {
    if (found.length >= most) break;
    let before = plain.slice(end, match.index).toLowerCase();
    end = match.index + match[0].length;
    for (const part of splitJoined(match[0])) {
      found.push(word(part, before));
      before = '';
    }
  }
  for (let start = 0; start < found.length; start++) {
    const first = found[start];
    if (first) first.keys = keysFrom(found, start);
  }
  return found;
}

/** A text without accents, typographic variants, invisible characters and apostrophes within words. */
export function plainText(raw: string): string {
  const text = raw.includes('&') ? raw.replace(ENTITY, decoded) : raw;
  const letters = /^[ -~]*$/.test(text) ? text : withPlainLetters(text);
  return letters.replace(/(?<=\p{L})['’](?=\p{L})/gu, '');
}

function withPlainLetters(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('×', 'x');
}

function word(raw: string, before: string): { -readonly [key in keyof Word]: Word[key] } {
  const text = raw.toLowerCase();
  return { text, before, capital: raw !== text && raw === raw.toUpperCase(), keys: [text] };
}

function isNumber(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return text !== '';
}

/** A name does not extend over punctuation, nor over two numbers, except for a decimal as in `3.2 TL`. */
function keysFrom(words: readonly Word[], start: number): string[] {
  let key = '';
  const keys: string[] = [];
  for (let index = start; index < Math.min(words.length, start + MAX_NAME_WORDS); index++) {
    const next = words[index];
    if (!next) break;
    if (index > start) {
      if (next.before !== '.' && isNumber(next.text) && isNumber(words[index - 1]?.text ?? '')) break;
      if (/[,;·|()$]/.test(next.before)) break;
    }
    key += next.text;
    keys.push(key);
  }
  return keys;
}

/** Splits a word of a year or a weight class and a name: `2012honda`, `accord2008`, `2500megacab`. */
function splitJoined(raw: string): readonly string[] {
  if (raw.length < 7) return [raw];
  const [, weight, cab] =
    /^([1-5]500(?:hd)?)((?:mega|crew|quad|ext|reg|double|dually|diesel|super)[a-z]*)$/i.exec(raw) ?? [];
  if (weight && cab) return [weight, cab];
  const [, year, name] = /^((?:19|20)\d\d)([a-z]{3,})$/i.exec(raw) ?? [];
  if (year && name) return [year, name];
  const [, before, after] = /^([a-z]{3,})((?:19|20)\d\d)$/i.exec(raw) ?? [];
  return before && after ? [before, after] : [raw];
}

/** One key for all spellings of a name: `F-150`, `f 150` and `F150` are `f150`. */
export function nameKey(text: string): string {
  return titleWords(text)
    .map((part) => part.text)
    .join('');
}

/** The words from `start` to before `end`, joined. */
export function joined(words: readonly Word[], start: number, end: number): string {
  return (
    words[start]?.keys[end - start - 1] ??
    words
      .slice(start, end)
      .map(({ text }) => text)
      .join('')
  );
}

export interface Span {
  start: number;
  /** Exclusive. */
  end: number;
}

/** The longest name that begins with the word. @param find looks up a key of `nameKey` */
function longestAt<T>(
  words: readonly Word[],
  start: number,
  find: (key: string) => T | undefined,
): (Span & { found: T }) | null {
  const keys = words[start]?.keys ?? [];
  for (let count = keys.length; count > 0; count--) {
    const found = find(keys[count - 1] ?? '');
    if (found !== undefined) return { start, end: start + count, found };
  }
  return null;
}

/** All names in the words that don't overlap, the longest at each word. @param find looks up a key of `nameKey` */
export function namesIn<T>(words: readonly Word[], find: (key: string) => T | undefined): (Span & { found: T })[] {
  const all: (Span & { found: T })[] = [];
  for (let start = 0; start < words.length; ) {
    const name = longestAt(words, start, find);
    if (name) all.push(name);
    start = name ? name.end : start + 1;
  }
  return all;
}

/** Whether any name of the words is found. */
export function hasName(words: readonly Word[], find: (key: string) => boolean): boolean {
  return words.some(({ keys }) => keys.some(find));
}

interface WordsFile extends Record<string, unknown> {
  motorcycles: Record<string, string[]>;
}

const file = JSON.parse(readDataFile('title-words.json')) as WordsFile;

/** A list of `data/title-words.json`, as keys of `nameKey`. The file's `_note` explains each list. */
function list(name: string): ReadonlySet<string> {
  const words = file[name];
  if (!Array.isArray(words)) throw new Error(`title-words.json has no list ${name}`);
  return new Set(words.map((word) => nameKey(String(word))).filter((key) => key !== ''));
}

export const otherMakes = list('otherMakes');
export const weakMakes = list('weakMakes');
export const nonCarWords = list('never');
export const weakNonCarWords = list('soft');
export const partWords = list('parts');
export const partModifiers = list('partModifiers');
export const partFollowers = list('partFollowers');
export const partOrigins = list('partOrigins');
export const inclusionWords = list('carriers');
export const nonCarFollowers = list('neverFollowers');
export const wantedWords = list('wanted');
export const carEvidence = list('carEvidence');
export const ambiguousModels = list('loose');
export const uppercaseModels = list('shout');
export const units = list('units');
export const priceUnits = list('priceUnits');
export const onlyCars = list('onlyCars');
export const trims = list('trims');
export const trimsBehind = list('trimsBehind');
export const services = list('services');
export const bareEvidence = list('bareEvidence');
export const generalModels = list('general');
export const components = list('components');
export const positions = list('positions');
export const partMarks = list('partMarks');
export const conditionWords = list('newness');
export const dateWords = list('dateWords');
export const tagWords = list('tagWords');
export const motorcycleCodeMakes = list('cycleNumberMakes');
export const engineCodes = list('engineCodes');
export const praise = list('praise');
export const bareParts = list('bareParts');
export const partStates = list('partStates');
export const priceWords = list('priceWords');
export const filler = list('filler');

const motorcycles = new Map(
  Object.entries(file.motorcycles).map(([make, names]) => [make, new Set(names.map(nameKey))]),
);

/** Whether a name is a motorcycle's: a listed one, or listed letters before two to four digits. */
export function isMotorcycle(make: string | null, key: string): boolean {
  const own = motorcycles.get(make ?? '');
  if (make !== null && key.length > 2 && own?.has(key)) return true;
  const letters = lettersBeforeNumber(key);
  return letters !== '' && (own?.has(letters) || motorcycles.get('')?.has(letters) || false);
}

/** The letters of `cbr600rr`: `cbr`. A single letter needs three digits, as `F-30` is a pickup. */
function lettersBeforeNumber(key: string): string {
  if (key.length < MIN_NUMBERED_LENGTH || key.length > MAX_NUMBERED_LENGTH) return '';
  const [, letters = '', digits = ''] = /^([a-z]{1,3})(\d{2,4})[a-z]{0,3}$/.exec(key) ?? [];
  return letters.length === 1 && digits.length < 3 ? '' : letters;
}
const MIN_NUMBERED_LENGTH = 4;
const MAX_NUMBERED_LENGTH = 3 + 4 + 3;
