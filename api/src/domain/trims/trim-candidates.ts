import type { Word } from '../titles/title-words.ts';
import { findModel, isOwnName, makeByName, modelNames } from '../titles/vehicle-names.ts';
import { type FoundTrim, hasNumbers, numberedTrimAt } from './numbered-trim.ts';
import {
  type Certainty,
  cancelling,
  isOfFamily,
  mayBeBetween,
  mayBegin,
  mayBeginName,
  type TrimTable,
  trimsOf,
} from './trim-table.ts';

/** A trim that the words may state. */
export interface Candidate extends FoundTrim {
  certainty: Certainty;
  /** How it follows the car's name. */
  reach: Reach;
}

/** `right`: right behind the car's name, but for words that may stand between; `loose`: after a comma or bracket too. */
type Reach = 'right' | 'loose' | null;

/** After these the car's name does not go on as it does after a dash or dot: `2015 Camry, limited time`. */
const ENDS_NAME = /[,;|()!:&/?"]|\.\s|[\r\n]/;
const MAX_BEFORE = 3;

/** One number, engine, or count of doors or gears, as they stand between name and trim: `2015`, `3.5L`, `V6`, `4dr`. */
const NUMBERLIKE = /^(?:\d{1,4}|\d{1,3}(?:l|cyl|dr|d|spd|speed|k|v|wd|hp|th)|[vil]\d{1,2}|\dx\d)$/;

/** Whether the name is of the car's model, or of a larger or smaller one of its family. */
function isOwnModel(make: string, model: string, key: string, more: number): boolean {
  // Only names of one or two words are numbers: `C 300`.
  const found = more > 1 ? modelNames(make).get(key) : findModel(make, key, more === 0);
  if (typeof found !== 'string') return false;
  return isOfFamily(found, model);
}

export interface OwnNames {
  /** For each word, the ends of the names of the make or the model that begin there; -1 is before the first word. */
  ends: ReadonlyMap<number, readonly number[]>;
  /** The words within the model's full name, but for its first: in `Santa Fe Sport` nothing begins. */
  within: ReadonlySet<number>;
  /** The ends of the model's full name by its first word, in which no listed trim begins: an S-Type is no S. */
  fullEnds: ReadonlyMap<number, number>;
  /** The end of the first name of the model. */
  modelEnd: number;
}

/** The names of the make and the model among the words. */
export function ownNames(words: readonly Word[], make: string, model: string | null): OwnNames {
  const ends = new Map<number, number[]>();
  const within = new Set<number>();
  const fullEnds = new Map<number, number>();
  const table = trimsOf(make, model);
  let modelEnd = Number.POSITIVE_INFINITY;
  for (const [at, { text, keys }] of words.entries()) {
    if (within.has(at) || !mayBeginName(table, text)) continue;
    const found: number[] = [];
    let full = 0;
    for (const [more, key] of keys.entries()) {
      const end = at + more + 1;
      // A letter or digit is a model only behind the make: `Tesla 3`.
      const isClear = key.length > 1 || makeByName.get(words[at - 1]?.text ?? '') === make;
      const isModel = model !== null && isClear && isOwnModel(make, model, key, more);
      const isMakesName = !isModel && makeByName.get(key) === make;
      if (isModel && isOwnName(make, model, key)) full = end;
      if (isModel || isMakesName) found.push(end);
      if (isModel) modelEnd = Math.min(modelEnd, end);
    }
    if (full > 0) modelEnd = Math.min(modelEnd, full);
    if (found.length > 0) ends.set(at, full > 0 ? [full] : found);
    if (full > 0) fullEnds.set(at, full);
    for (let index = at + 1; index < full; index++) within.add(index);
  }
  return { ends, within, fullEnds, modelEnd };
}

/** How many words from here on may stand between name and trim; 0 if this one may not. */
export function betweenAt(words: readonly Word[], at: number): number {
  const keys = words[at]?.keys ?? [];
  for (let count = Math.min(keys.length, 4); count > 0; count--) {
    if (mayBeBetween(keys[count - 1] ?? '', count)) return count;
  }
  return NUMBERLIKE.test(words[at]?.text ?? '') ? 1 : 0;
}

/** The trim of the make's list that begins at the word, with the engine before it. */
function listedAt(table: TrimTable, words: readonly Word[], at: number): (FoundTrim & { certainty: Certainty }) | null {
  if (!mayBegin(table, words[at]?.text ?? '')) return null;
  const whole = nameAt(table, words, at);
  let before = '';
  let start = at;
  let isAlone = true;
  for (let count = 0; count < MAX_BEFORE; count++) {
    const engine = longest(words, start, (key) => table.before.get(key));
    if (!engine) break;
    before += `${engine.found} `;
    isAlone &&= table.alone.has(words[start]?.keys[engine.count - 1] ?? '');
    start += engine.count;
    const name = nameAt(table, words, start);
    if (name && (!whole || name.end > whole.end)) {
      const certainty = name.certainty === 'word' ? 'code' : name.certainty;
      return { start: at, end: name.end, shown: before + name.shown, certainty };
    }
    if (/[,;|()]/.test(words[start]?.before ?? '')) break;
  }
  if (whole) return whole;
  return start > at && isAlone ? { start: at, end: start, shown: before.trim(), certainty: 'word' } : null;
}

function nameAt(table: TrimTable, words: readonly Word[], at: number) {
  const name = longest(words, at, (key) => table.names.get(key));
  // The first digit of another number ends no name: `Luxury 2.0T`.
  const isCut = name && words[at + name.count]?.before === '.' && /^\d+$/.test(words[at + name.count - 1]?.text ?? '');
  return name && !isCut ? { start: at, end: at + name.count, ...name.found } : null;
}

function longest<T>(words: readonly Word[], at: number, find: (key: string) => T | undefined) {
  const keys = words[at]?.keys ?? [];
  for (let count = keys.length; count > 0; count--) {
    const found = find(keys[count - 1] ?? '');
    if (found !== undefined) return { count, found };
  }
  return null;
}

/** Whether what follows says that a plain word is no trim: `sport mode`, `limited slip`. */
function isCancelled(words: readonly Word[], end: number): boolean {
  const next = words[end];
  return next !== undefined && !/[*~]/.test(next.before) && !ENDS_NAME.test(next.before) && cancelling.has(next.text);
}

function isAccepted(words: readonly Word[], candidate: Candidate, packages: boolean, isShouted: boolean): boolean {
  const { start, end, certainty, reach } = candidate;
  // `2.5 L` is an engine.
  if (words[start]?.text === 'l' && /^\d+$/.test(words[start - 1]?.text ?? '')) return false;
  if (certainty === 'name') return true;
  if (certainty === 'code')
    return reach !== null || (!isShouted && words.slice(start, end).every(({ capital }) => capital));
  return reach === 'right' && (packages || !isCancelled(words, end));
}

/** Whether a word may stand before a package that is the trim: `with`, and `w` of `w/`. */
const LEADS_PACKAGE = new Set(['w', 'with', 'and']);

/** All trims that the words state, in their order. */
export function candidatesIn(words: readonly Word[], make: string, model: string | null, own: OwnNames): Candidate[] {
  const table = trimsOf(make, model);
  const isShouted = words.every(({ text, capital }) => capital || !/[a-z]/.test(text));
  const reached: Reach[] = [];
  const reach = (at: number, how: Reach) => {
    if (how === 'right' || !reached[at]) reached[at] = how;
  };
  const numbers = hasNumbers(make);
  const found: Candidate[] = [];
  let covered = 0;
  for (const end of own.ends.get(-1) ?? []) reach(end, 'right');
  for (let at = 0; at < words.length; at++) {
    for (const end of own.ends.get(at) ?? []) reach(end, 'right');
    if (at < covered || own.within.has(at)) continue;
    let how = reached[at] ?? null;
    const isLed = table.packages && words[at - 1]?.text === 'w';
    if (how === 'right' && at > 0 && !isLed && ENDS_NAME.test(words[at]?.before ?? '')) how = 'loose';
    const word = words[at]?.text ?? '';
    if (how === null && !numbers && !mayBegin(table, word)) continue;
    const between = table.packages && LEADS_PACKAGE.has(word) ? 1 : betweenAt(words, at);
    const numbered = model === null || !numbers ? null : numberedTrimAt(make, model, words, at, table);
    // A number has the model's name in it.
    if (numbered) how ??= 'right';
    const listed = listedAt(table, words, numbered?.end ?? at);
    const isOther = listed !== null && betweenAt(words, listed.start) > listed.end - listed.start;
    const isName = listed !== null && isWithinName(listed, own, make);
    const candidate = withPackage(merged(numbered, isName || isOther ? null : listed, make, how, words), table, words);
    if (candidate && candidate.end - at >= between && isAccepted(words, candidate, table.packages, isShouted)) {
      found.push(candidate);
      covered = candidate.end;
      reach(candidate.end, how);
    } else if (how !== null && between > 0) {
      reach(at + between, how);
      covered = at + between;
    }
  }
  return found;
}

/** A number with the name behind it, which Lexus has: `RX 350 F Sport`. */
function merged(
  numbered: FoundTrim | null,
  listed: (FoundTrim & { certainty: Certainty }) | null,
  make: string,
  reach: Reach,
  words: readonly Word[],
): Candidate | null {
  if (!numbered) return listed && { ...listed, reach };
  const joins = make === 'lexus' && listed && !isCancelled(words, listed.end);
  if (!joins) return { ...numbered, certainty: 'name', reach };
  return {
    start: numbered.start,
    end: listed.end,
    shown: `${numbered.shown}${listed.shown === 'L' ? '' : ' '}${listed.shown}`,
    certainty: 'name',
    reach,
  };
}

/** Whether a listed trim is but the model's name, with the word behind it at most: an `XF R-Dynamic` is no XFR. */
function isWithinName({ start, end }: FoundTrim, own: OwnNames, make: string): boolean {
  const fullEnd = own.fullEnds.get(start);
  return fullEnd !== undefined && (end <= fullEnd || (end > start + 1 && make !== 'mini'));
}

/** With the package that belongs to it: `2.5 S w/ Preferred Package`. */
function withPackage(candidate: Candidate | null, table: TrimTable, words: readonly Word[]): Candidate | null {
  if (!candidate || !table.packages || !/^(?:w|with)$/.test(words[candidate.end]?.text ?? '')) return candidate;
  const behind = nameAt(table, words, candidate.end + 1);
  if (!behind) return candidate;
  return { ...candidate, end: behind.end, shown: `${candidate.shown} ${behind.shown}` };
}
