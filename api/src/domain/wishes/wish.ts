import type { Gazetteer } from '../places/places.ts';
import { carAt, type LastCar, misspeltCarAt } from './cars.ts';
import { withFewLookUps } from './few-look-ups.ts';
import { blockedAt, colorsAt, misspeltValueAt, valuesAt } from './kinds.ts';
import { numberAt } from './numbers.ts';
import { phrasesIn } from './phrases.ts';
import { readAddress } from './search-address.ts';
import { settle } from './settle.ts';
import { demandedAt, negatedAt } from './wanted-words.ts';
import type { Part, Step, Wish } from './wish-fields.ts';
import { longPlaceAt, placeAfter, placeAt, statedPlaceAt } from './wish-place.ts';
import { filler, longestName, type WishText, wishText } from './wish-text.ts';

export interface WishContext {
  gazetteer: Gazetteer;
  now: Date;
}

/**
 * Reads what a buyer looks for, in words or as the address of a search at a marketplace. Never throws; reads the first
 * 500 characters, in time in proportion to them. Nothing is guessed: what can't be told is in `notUnderstood`.
 */
export function readWish(text: string, { gazetteer, now }: WishContext): Wish {
  const context = { gazetteer: withFewLookUps(gazetteer), now };
  const address = readAddress(text, (query) => readWords(query, context), context);
  if (!address) return readWords(text, context);
  return settle([...address.wishes, readWords(address.rest, context)]);
}

function readWords(text: string, context: WishContext): Wish {
  const words = wishText(text);
  return settle([
    words.words.length === 0 ? { parts: [], text: words } : { parts: partsOf(words, context), text: words },
  ]);
}

/** The parts of a wish, in order. */
function partsOf(text: WishText, { gazetteer, now }: WishContext): Part[] {
  const { words } = text;
  const fixed = phrasesIn(text);
  const parts: Part[] = [];
  let last: LastCar | null = null;
  let isAfterRadius = false;
  const context = {
    year: now.getUTCFullYear(),
    isZip: (code: string) => gazetteer.resolve(code) !== null,
    isCar: (index: number) => carAt(words, index, null) !== null,
    isAfterCar: (index: number) => last !== null && index >= last.end && index - last.end < NEAR,
  };
  const readers: ((start: number) => Step)[] = [
    (start) => placeAfter(text, start, gazetteer, isAfterRadius),
    (start) => statedPlaceAt(text, start, gazetteer),
    (start) => numberAt(text, start, context),
    (start) => demandedAt(text, start),
    (start) => negatedAt(text, start),
    (start) => longer(longer(nameAt(text, start), carAt(words, start, last)), longPlaceAt(text, start, gazetteer)),
    (start) => colorsAt(words, start),
    (start) => fillerAt(text, start),
    (start) => placeAt(text, start, gazetteer),
    (start) => misspeltValueAt(words, start),
    (start) => misspeltCarAt(words, start, last),
  ];
  for (let start = 0; start < words.length; ) {
    const phrase = fixed.find((part) => part.start === start);
    const limit = Math.min(words.length, ...fixed.flatMap((part) => (part.start > start ? [part.start] : [])));
    const found = phrase ? { end: phrase.end, parts: [phrase] } : firstStep(readers, start, limit);
    const step = found ?? { end: start + 1, parts: [{ start, end: start + 1, kind: 'refused', reason: 'unread' }] };
    parts.push(...step.parts);
    const car = step.parts.findLast((part) => part.kind === 'car');
    if (car?.kind === 'car') last = { make: car.make, end: step.end };
    isAfterRadius = step.parts.some((part) => part.kind === 'value' && part.fields.radius !== undefined);
    start = step.end;
  }
  return parts;
}

/** A year of two digits counts within so many words after the car. */
const NEAR = 3;

/** What the first reader finds. Nothing extends into a phrase that was found before. */
function firstStep(readers: readonly ((start: number) => Step)[], start: number, limit: number): Step {
  for (const reader of readers) {
    const step = reader(start);
    if (step && step.end > start && step.end <= limit) return step;
  }
  return null;
}

/** A value or a blocked name. */
function nameAt({ words }: WishText, start: number): Step {
  const stop = blockedAt(words, start);
  return longer(stop, valuesAt(words, start));
}

/** The longer of two; the first if they are equal. */
function longer(first: Step, second: Step): Step {
  return second && (!first || second.end > first.end) ? second : first;
}

function fillerAt({ words }: WishText, start: number): Step {
  const found = longestName(words, start, (key) => (filler.has(key) ? true : undefined));
  // `looking 4 a civic`.
  const isFor = words[start]?.text === '4' && ['a', 'an', 'my', 'the'].includes(words[start + 1]?.text ?? '');
  const end = isFor ? start + 1 : found?.end;
  return end === undefined ? null : { end, parts: [{ start, end, kind: 'filler' }] };
}
