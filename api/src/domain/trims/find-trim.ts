import { modelLabel } from '../catalogue.ts';
import { plainText, titleWords, type Word, wordsOf } from '../titles/title-words.ts';
import { betweenAt, type Candidate, candidatesIn, type OwnNames, ownNames } from './trim-candidates.ts';

/** A trim that a text states, with the words as they stand there in small letters. */
interface StatedTrim {
  /** As it is shown: `EX-L`. */
  value: string;
  words: string;
}

/** Whether two trims are alternatives, of which neither is stated: `LX or EX`, `LX/EX`. */
function areAlternatives(words: readonly Word[], one: Candidate, other: Candidate): boolean {
  if (other.start === one.end) return /[/]/.test(words[other.start]?.before ?? '');
  return other.start === one.end + 1 && /^(?:or|and)$/.test(words[one.end]?.text ?? '');
}

function stated(words: readonly Word[], { start, end, shown }: Candidate): StatedTrim {
  const text = words.slice(start, end).map(({ text, before }, index) => (index === 0 ? text : before + text));
  return { value: shown, words: text.join('') };
}

/** The first trim behind the car's name; null without one, `several` where alternatives stand there. */
function firstNamed(all: readonly Candidate[], words: readonly Word[], own: OwnNames): Candidate | null | 'several' {
  const near = all.filter(({ reach }) => reach !== null);
  const first = near.find(({ end }) => end >= own.modelEnd) ?? near[0];
  if (!first) return null;
  const next = all[all.indexOf(first) + 1];
  return next && next.shown !== first.shown && areAlternatives(words, first, next) ? 'several' : first;
}

/**
 * The trim that a title states: the first behind the car's name, or else the only one that is nothing but a trim. Null
 * if it states none, or several as in `LX or EX`. @param words of `titleWords` @param make slug @param model slug
 */
export function trimInTitle(words: readonly Word[], make: string, model: string | null): StatedTrim | null {
  const own = ownNames(words, make, model);
  const all = candidatesIn(words, make, model, own);
  const first = firstNamed(all, words, own);
  if (first === 'several') return null;
  if (first) return stated(words, first);
  const [only] = all;
  return only && all.every(({ shown }) => shown === only.shown) ? stated(words, only) : null;
}

/** How much is read behind each name of the model, and at the beginning, where dealers repeat the title. */
const WINDOW = 100;
const BEGINNING = 250;
const MAX_WORDS = 60;
const MAX_WINDOWS = 4;
/** A name of fewer letters is found too often. */
const MIN_SEARCHED = 3;

/** The model's name as descriptions have it: an E-Class is an `E`, which is too short. */
const searchedName = (make: string, model: string) =>
  modelLabel(make, model)
    .toLowerCase()
    .replace(/-class$/, '');

const windowWords = (text: string, start: number, length: number) =>
  wordsOf(plainText(text.slice(start, start + length)), MAX_WORDS);

const noNames: OwnNames = { ends: new Map(), within: new Set(), fullEnds: new Map(), modelEnd: 0 };

/** The trim of an entry such as `Trim: EX-L`; that of the seats is none. */
function trimEntry(text: string, lower: string, make: string, model: string | null): StatedTrim | null {
  let at = lower.indexOf('trim');
  for (let count = 0; at >= 0 && count < MAX_WINDOWS; count++, at = lower.indexOf('trim', at + 1)) {
    const [entry] = /^trim(?: level)?\s{0,3}[:=]\s{0,3}/.exec(lower.slice(at, at + 20)) ?? [];
    if (entry === undefined || /[a-z] ?$/.test(lower.slice(Math.max(0, at - 2), at))) continue;
    const words = windowWords(text, at + entry.length, WINDOW);
    const [first] = candidatesIn(words, make, model, { ...noNames, ends: new Map([[-1, [0]]]) });
    if (first?.start === 0) return stated(words, first);
  }
  return null;
}

/** The trim behind the model's name. undefined if the name does not stand there. */
function namedTrim(words: readonly Word[], make: string, model: string): StatedTrim | null | undefined {
  const own = ownNames(words, make, model);
  if (own.modelEnd > words.length) return undefined;
  const first = firstNamed(candidatesIn(words, make, model, own), words, own);
  return first && first !== 'several' && first.end >= own.modelEnd ? stated(words, first) : null;
}

/**
 * The trim that a description states: in an entry of its own, or behind the model's name. Null if it states none.
 * @param description plain text @param make slug @param model slug
 */
export function trimInDescription(description: string, make: string, model: string | null): StatedTrim | null {
  const lower = description.toLowerCase();
  const entry = trimEntry(description, lower, make, model);
  if (entry || model === null) return entry;
  const starts = namesIn(lower, searchedName(make, model));
  // It may have another spelling: `F150`, `C300`.
  if (starts[0] === undefined || starts[0] > BEGINNING) {
    const atBeginning = namedTrim(windowWords(description, 0, BEGINNING), make, model);
    if (atBeginning) return atBeginning;
  }
  for (const start of starts) {
    const named = namedTrim(windowWords(description, start, WINDOW), make, model);
    if (named) return named;
  }
  return null;
}

const isLetterAt = (lower: string, at: number) => /[a-z]/.test(lower.charAt(at));

/** Where the first few whole words of the name begin: no `gla` in `glass`. */
function namesIn(lower: string, name: string): number[] {
  const starts: number[] = [];
  if (name.length < MIN_SEARCHED) return starts;
  for (
    let at = lower.indexOf(name);
    at >= 0 && starts.length < MAX_WINDOWS;
    at = lower.indexOf(name, at + name.length)
  ) {
    if (!isLetterAt(lower, at - 1) && !isLetterAt(lower, at + name.length)) starts.push(at);
  }
  return starts;
}

/** Longest trim of a field that no list has. */
const MAX_SHOWN = 40;

/**
 * The trim in a field of its own, such as `EX Sedan 4D`, without body and drive; null if it states none.
 * @param make slug @param model slug
 */
export function readTrim(field: string, make: string, model: string | null): string | null {
  const words = windowWords(field, 0, BEGINNING);
  const [first] = candidatesIn(words, make, model, { ...noNames, ends: new Map([[-1, [0]]]) });
  if (first && first.reach !== null) return first.shown;
  const isLeft = words.some((word, at) => betweenAt(words, at) === 0 && !unstated.has(word.text));
  const shown = field.replace(/\s+/g, ' ').trim();
  return isLeft && shown.length <= MAX_SHOWN ? shown : null;
}

const unstated = new Set([
  'unknown',
  'other',
  'none',
  'n',
  'a',
  'na',
  'null',
  'not',
  'specified',
  'unspecified',
  'any',
]);

/**
 * The trim that an advert states, in its title or else in its description. Null if neither states one, or the make is not
 * known. @param advert make and model are slugs
 */
export function findTrim(advert: {
  title: string;
  description: string | null;
  make: string | null;
  model: string | null;
}): (StatedTrim & { from: 'title' | 'description' }) | null {
  const { title, description, make, model } = advert;
  if (make === null) return null;
  const inTitle = trimInTitle(titleWords(title), make, model);
  if (inTitle) return { ...inTitle, from: 'title' };
  const inText = description === null ? null : trimInDescription(description, make, model);
  return inText && { ...inText, from: 'description' };
}
