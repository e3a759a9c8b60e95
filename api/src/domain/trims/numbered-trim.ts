import type { Span, Word } from '../titles/title-words.ts';
import { findModel } from '../titles/vehicle-names.ts';
import { mayBeBetween, type TrimTable } from './trim-table.ts';

/** A trim with its place among the words. */
export interface FoundTrim extends Span {
  shown: string;
}

const isLetters = (text: string | undefined) => text !== undefined && /^[a-z]{1,3}$/.test(text);
/** Whether two words are written together or with nothing but a blank or hyphen between: `C 300`, `C-300`. */
const isJoined = (next: Word | undefined) => next !== undefined && /^[\s®™-]{0,3}$/.test(next.before);

const BMW_SERIES = /^(\d)-series$/;
const BMW_NUMBER = /^(m?)(\d)(\d\d)([a-z]{0,3})$/;
/** What may stand apart behind a BMW's number: `328 i`. */
const BMW_LETTERS = new Set(['i', 'ci', 'xi', 'li', 'il', 'is', 'd', 'e', 'xd', 'cic']);

/** A BMW's letters as they are written: `Ci`, `Li`, `iL`, `xi`. */
const bmwLetters = (letters: string) => letters.replace(/c(?!$)/, 'C').replace('l', 'L');

function ofBmw(model: string, words: readonly Word[], at: number): FoundTrim | null {
  const [, series] = BMW_SERIES.exec(model) ?? [];
  const [, m, first, rest, letters] = BMW_NUMBER.exec(words[at]?.text ?? '') ?? [];
  if (series === undefined || first !== series || rest === undefined || letters === undefined) return null;
  let end = at + 1;
  let behind = letters;
  const next = words[end];
  if (behind === '' && next && isJoined(next) && BMW_LETTERS.has(next.text)) {
    behind = next.text;
    end++;
  }
  // Without letters, and outside the names that sellers use, it is any number of three digits.
  if (behind === '' && findModel('bmw', `${m}${first}${rest}`) !== model) return null;
  let shown = `${m?.toUpperCase()}${first}${rest}${bmwLetters(behind)}`;
  if (words[end]?.text === 'xdrive') {
    shown += ' xDrive';
    end++;
  }
  return { start: at, end, shown };
}

/** Letters and number of a model such as `C300`, `C 300`, `rx-350`, `GLC63S`. */
function lettersAndNumber(words: readonly Word[], at: number) {
  const [, letters, digits, rest] = /^([a-z]{1,3})(\d{2,3})([a-z]{0,2})$/.exec(words[at]?.text ?? '') ?? [];
  if (letters !== undefined && digits !== undefined) return { letters, digits, rest: rest ?? '', end: at + 1 };
  if (!isLetters(words[at]?.text) || !isJoined(words[at + 1])) return null;
  const [, number, behind] = /^(\d{2,3})([a-z]{0,2})$/.exec(words[at + 1]?.text ?? '') ?? [];
  if (number === undefined) return null;
  return { letters: words[at]?.text ?? '', digits: number, rest: behind ?? '', end: at + 2 };
}

/** The letters that Mercedes-Benz and Lexus write small behind a number, and the large ones. */
const numberLetters = (letters: string) => (/^[deht]+$/.test(letters) ? letters : letters.toUpperCase());

function ofLettersAndNumber(make: string, model: string, words: readonly Word[], at: number): FoundTrim | null {
  const named = lettersAndNumber(words, at);
  if (!named) return null;
  const isOwn = [named.letters, named.letters + named.digits].some((name) => findModel(make, name) === model);
  if (!isOwn) return null;
  const { letters, digits, rest, end } = named;
  if (make === 'lexus' && digits.length < 3) return null;
  const apart = make === 'mercedes-benz' && /^[sS]$/.test(rest) ? ' S' : numberLetters(rest);
  return { start: at, end, shown: `${letters.toUpperCase()} ${digits}${apart}` };
}

/** A Mercedes-Benz of before 1994, whose letters stand behind the number: `560SL`, `240 D`. */
function ofNumberAndLetters(model: string, words: readonly Word[], at: number): FoundTrim | null {
  const [, digits, letters] = /^([1-6]\d\d)([a-z]{1,3})$/.exec(words[at]?.text ?? '') ?? [];
  if (digits !== undefined && letters !== undefined) {
    if (findModel('mercedes-benz', digits + letters) !== model) return null;
    return { start: at, end: at + 1, shown: digits + letters.toUpperCase() };
  }
  const next = words[at + 1];
  if (!/^[1-6]\d\d$/.test(words[at]?.text ?? '') || !next || !isJoined(next) || !isLetters(next.text)) return null;
  if (findModel('mercedes-benz', `${words[at]?.text}${next.text}`, false) !== model) return null;
  return { start: at, end: at + 2, shown: `${words[at]?.text}${next.text.toUpperCase()}` };
}

/** The name from the list that begins at the word, the longest first. */
function nameAt(list: ReadonlyMap<string, string>, words: readonly Word[], at: number): FoundTrim | null {
  const keys = words[at]?.keys ?? [];
  for (let count = keys.length; count > 0; count--) {
    const key = keys[count - 1] ?? '';
    // `Sport Utility` is a body.
    if (mayBeBetween(key, count) && !list.has(key)) return null;
    const shown = list.get(key);
    if (shown !== undefined) return { start: at, end: at + count, shown };
  }
  return null;
}

function ofMercedes(model: string, words: readonly Word[], at: number, table: TrimTable): FoundTrim | null {
  const number = ofLettersAndNumber('mercedes-benz', model, words, at) ?? ofNumberAndLetters(model, words, at);
  if (!number) return null;
  const behind = isJoined(words[number.end]) ? nameAt(table.after, words, number.end) : null;
  const amg = words[at - 1]?.text === 'amg' && !behind?.shown.includes('AMG');
  return {
    start: amg ? at - 1 : at,
    end: behind?.end ?? number.end,
    shown: `${amg ? 'AMG ' : ''}${number.shown}${behind ? ` ${behind.shown}` : ''}`,
  };
}

/** The letters behind an Infiniti's number: `G37x`, `G37 xS`. */
function ofInfiniti(model: string, words: readonly Word[], at: number): FoundTrim | null {
  const [, rest] = /^[a-z]{1,2}\d{2}(x|s|xs|h|l)?$/.exec(words[at]?.text ?? '') ?? [];
  const text = words[at]?.text ?? '';
  if (!text.startsWith(model) || !/^[a-z]{1,2}\d\d/.test(model)) return null;
  if (rest !== undefined) return { start: at, end: at + 1, shown: shownInfiniti(model, rest) };
  const next = words[at + 1];
  if (text !== model || !next || !isJoined(next) || !/^(x|xs)$/.test(next.text)) return null;
  return { start: at, end: at + 2, shown: shownInfiniti(model, next.text) };
}

const shownInfiniti = (model: string, letters: string) =>
  `${model.toUpperCase()}${letters.startsWith('x') ? letters.replace('s', 'S') : letters.toUpperCase()}`;

const numberedMakes = new Set(['bmw', 'mercedes-benz', 'lexus', 'infiniti']);

/** Whether the make's catalogued models are families, of which a number is the trim. */
export const hasNumbers = (make: string): boolean => numberedMakes.has(make);

/**
 * The number of a make with `hasNumbers`, which is the trim: `328i xDrive`, `C 300 4MATIC`, `RX 350`. null where none begins
 * at the word.
 */
export function numberedTrimAt(
  make: string,
  model: string,
  words: readonly Word[],
  at: number,
  table: TrimTable,
): FoundTrim | null {
  switch (make) {
    case 'bmw':
      return ofBmw(model, words, at);
    case 'mercedes-benz':
      return ofMercedes(model, words, at, table);
    case 'lexus':
      return ofLettersAndNumber(make, model, words, at);
    case 'infiniti':
      return ofInfiniti(model, words, at);
    default:
      return null;
  }
}
