import { evidenceOf, type TitledVehicle, type YearKind } from './car-evidence.ts';
import { namesOtherThing } from './car-signs.ts';
import { findVehicles } from './title-vehicle.ts';
import {
  dateWords,
  filler,
  priceUnits,
  priceWords,
  type Span,
  tagWords,
  titleWords,
  units,
  type Word,
} from './title-words.ts';
import type { VehicleMention } from './vehicle-mention.ts';
import { catalogueModel } from './vehicle-names.ts';

const FIRST_YEAR = 1900;
/** Two digits below this are only a year of this century. */
const FIRST_SHORT_YEAR = 50;
/** From this on two digits are rarely anything but a year. */
const FIRST_CERTAIN_SHORT_YEAR = 86;
const REACH = 3;

/** A model year, with the index of its word. */
interface YearMention {
  year: number;
  index: number;
}

/** Whether a number is an amount, and not a year. */
function isQuantity(words: readonly Word[], index: number, spans: readonly Span[]): boolean {
  const next = words[index + 1];
  const previous = words[index - 1];
  const before = words[index]?.before ?? '';
  if (/[$#€£]$/.test(before) || /^[$%"”″']/.test(next?.before ?? '')) return true;
  if (isMeasured(words, index)) return true;
  // Before a car's name a dollar sign with a blank is decoration: `$ 2007 Infiniti $`.
  if (/[$#€£]\s+$/.test(before) && !spans.some(({ start }) => start === index + 1)) return true;
  const separator = isFull(words[index]?.text ?? '') ? '.' : /[.,]/.exec(before)?.[0];
  if (before !== '' && before === separator && /\d$/.test(previous?.text ?? '')) return true;
  // `1964.5` is a model year, `77.000` a mileage.
  if (next && /^[.,]$/.test(next.before) && isAfterPoint(words[index]?.text ?? '', next)) return true;
  if (!next || !/^[\s-]*$/.test(next.before) || inside(index + 1, spans) || !units.has(next.text)) return false;
  if (!priceUnits.has(next.text)) return true;
  // Another number is the price (`Matrix 2009 obo $7,100`), or the number is no round price.
  if (words.some((word, at) => at !== index && /\$\s*$/.test(word.before))) return false;
  return !isFull(words[index]?.text ?? '') || ROUND_PRICE.test(words[index]?.text ?? '');
}

/** Whether a number is one of a size, as in `26 x 2.25`: an `x` joins it to another number. */
function isMeasured(words: readonly Word[], index: number): boolean {
  const isNumber = (at: number) => /^\d+$/.test(words[at]?.text ?? '');
  return (
    (words[index + 1]?.text === 'x' && isNumber(index + 2)) || (words[index - 1]?.text === 'x' && isNumber(index - 2))
  );
}

/** Whether it is the size of wheels, or a decade: `on 26's`, `60's`. */
function isPlural(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  return next?.text === 's' && /^['’]$/.test(next.before);
}

/** How sellers round prices. */
const ROUND_PRICE = /(00|50|95|99)$/;
const isFull = (text: string) => text.length === 4;

/** Whether the digits after a point or comma belong to the number. Four digits before a comma are a year. */
function isAfterPoint(text: string, next: Word): boolean {
  return /^\d/.test(next.text) && next.text !== '5' && !(isFull(text) && next.before === ',');
}

/** Whether a word before it makes the number a price: `only 2000`. */
function isPriced(words: readonly Word[], index: number): boolean {
  return priceWords.has(words[index - 1]?.text ?? '') && /^[\s:]*$/.test(words[index]?.before ?? '');
}

/** Whether the year is when something expires: `tags 2017`, `reg. till 2018`. */
function isDated(words: readonly Word[], index: number): boolean {
  return dateWords.has(words[index - 1]?.text ?? '') || tagWords.has(words[index + 1]?.text ?? '');
}

/**
 * The side of the span on which the word is, with at most a few words of filler between; null if it is farther away.
 */
function isBeside(words: readonly Word[], index: number, span: Span): 'before' | 'after' | null {
  const [from, to] = index < span.start ? [index + 1, span.start] : [span.end, index];
  if (to - from > REACH) return null;
  for (let at = from; at < to; at++) if (!filler.has(words[at]?.text ?? '')) return null;
  return index < span.start ? 'before' : 'after';
}

function inside(index: number, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => index >= start && index < end);
}

/** The year of `2012`, `2k12` or `2k8`. */
function yearOf(text: string): number | null {
  if (/^(19|20)\d\d$/.test(text)) return Number(text);
  const [, short] = /^2k([0-2]?\d)$/.exec(text) ?? [];
  return short === undefined ? null : 2000 + Number(short);
}

function fullYear(words: readonly Word[], spans: readonly Span[], lastYear: number): YearMention | null {
  let best: { score: number; mention: YearMention } | null = null;
  for (const [index, { text }] of words.entries()) {
    const year = yearOf(text);
    if (year === null || inside(index, spans)) continue;
    if (year < FIRST_YEAR || year > lastYear || isQuantity(words, index, spans)) continue;
    const beside = spans.map((span) => isBeside(words, index, span));
    if ((isPriced(words, index) || isDated(words, index)) && !beside.includes('before')) continue;
    const score = (index === 0 ? 3 : 0) + (beside.includes('before') ? 4 : beside.includes('after') ? 3 : 0);
    if (!best || score > best.score) best = { score, mention: { year, index } };
  }
  return best?.mention ?? null;
}

function shortYear(words: readonly Word[], spans: readonly Span[], lastYear: number): YearMention | null {
  for (const [index, { text, before }] of words.entries()) {
    if (!/^\d\d$/.test(text) || inside(index, spans) || isPlural(words, index)) continue;
    const next = words[index + 1]?.before ?? ' ';
    const marked = /(^|\s)['’‘`]$/.test(before) || /^['’](\s|$)/.test(next);
    if (!marked && isQuantity(words, index, spans)) continue;
    if (/[.,/-]$/.test(before) || /^[.,/-]\S*$/.test(next.trim())) continue;
    const value = Number(text);
    const beside = spans.some((span) => isBeside(words, index, span) !== null);
    // Right after the name it can hardly be anything else: `civic 98 ex`.
    const behind = spans.some(({ end }) =>
      text.startsWith('0') ? index >= end && index < end + REACH : end === index && value >= FIRST_CERTAIN_SHORT_YEAR,
    );
    const early = index === 0 && text.startsWith('0') && spans.some(({ start }) => start <= REACH);
    const atEdge = index === 0 || index === words.length - 1;
    if (
      !(
        spans.length > 0 &&
        (marked || (atEdge && (beside || index > 0)) || behind || early || hasSpanAfter(words, index, spans))
      )
    )
      continue;
    if (2000 + value <= lastYear) return { year: 2000 + value, index };
    if (value >= FIRST_SHORT_YEAR) return { year: 1900 + value, index };
  }
  return null;
}

function hasSpanAfter(words: readonly Word[], index: number, spans: readonly Span[]): boolean {
  return spans.some((span) => isBeside(words, index, span) === 'before');
}

/**
 * The model year that a title states; `'05` and `05 civic` count if there is no full year.
 * @param spans the words of make and model
 * @param lastYear the last possible model year
 */
function findYear(words: readonly Word[], spans: readonly Span[], lastYear: number): YearMention | null {
  return fullYear(words, spans, lastYear) ?? shortYear(words, spans, lastYear);
}

/** Whether the year is beside one of the spans. */
function yearIsBeside(words: readonly Word[], year: YearMention | null, spans: readonly Span[]): boolean {
  return year !== null && spans.some((span) => isBeside(words, year.index, span) !== null);
}

interface ParsedTitle {
  year: number | null;
  make: string | null;
  model: string | null;
  /** Whether it offers a car of one of the 42 makes. */
  isCar: boolean;
}

export interface TitleReading extends ParsedTitle {
  /** Whether it sells no car: a part, a toy, a motorcycle, or somebody wants to buy. */
  notACar: boolean;
  /** Whether it names a make outside the catalogue. */
  otherMake: boolean;
  /** The logarithm of the odds that it offers the car that it names; null where it names none. */
  evidence: number | null;
  /** The car of a name that is also an ordinary word, as which the title alone seems to mean it; null if there is none. */
  doubted: TitleReading | null;
}

/** The words of a title with the vehicles that it may name, the most likely first. */
interface TitleVehicles {
  words: readonly Word[];
  vehicles: { mention: VehicleMention; titled: TitledVehicle; year: number | null }[];
  otherMake: boolean;
}

/** The vehicles that a title may name, before it is decided whether one is a car that is offered. */
export function vehiclesOf(title: string, lastYear: number): TitleVehicles {
  const words = titleWords(title);
  const { vehicles, otherMake } = findVehicles(offered(words), findYear(words, [], lastYear)?.year ?? null);
  return {
    words,
    otherMake,
    vehicles: vehicles.map((mention) => {
      const spans = [mention.makeSpan, ...(mention.modelSpan ? [mention.modelSpan] : [])];
      const year = findYear(words, spans, lastYear);
      return { mention, titled: titledVehicle(words, mention, spans, year), year: year?.year ?? null };
    }),
  };
}

function titledVehicle(
  words: readonly Word[],
  { make, model, modelSpan, weak, implied, misspelt }: VehicleMention,
  spans: readonly Span[],
  year: YearMention | null,
): TitledVehicle {
  const naming = misspelt ? 'misspelt' : weak ? 'weak' : 'written';
  return {
    make,
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
    hasMake: !implied,
    hasModel: modelSpan !== null,
    isCatalogued: model !== null,
    hasYear: year !== null,
    naming: implied ? (naming === 'written' ? 'implied' : `implied ${naming}`) : naming,
    yearKind: yearKindOf(words, year, spans),
    yearIndex: year?.index ?? null,
  };
}

function yearKindOf(words: readonly Word[], year: YearMention | null, spans: readonly Span[]): YearKind {
  if (year === null) return 'none';
  const place = yearIsBeside(words, year, spans) ? 'beside' : 'elsewhere';
  return isFull(words[year.index]?.text ?? '') ? place : `short ${place}`;
}

/**
 * Reads a listing's title: the car, and whether it sells one. Never throws.
 * @param now determines the last model year, which is the next calendar year
 */
export function readTitle(title: string, now: Date = new Date()): TitleReading {
  const lastYear = now.getUTCFullYear() + 1;
  const { words, vehicles, otherMake } = vehiclesOf(title, lastYear);
  let doubted: TitleReading | null = null;
  for (const { mention, titled, year } of vehicles) {
    const evidence = evidenceOf(words, titled);
    const { make, model } = mention.model
      ? catalogueModel(mention.make, mention.model, year)
      : { make: mention.make, model: null };
    const isCar = evidence > 0;
    const reading = { year, make, model, isCar, notACar: !isCar, otherMake, evidence, doubted: null };
    if (!mention.weak || isCar) return reading;
    // The name was an ordinary word: `2005 Vespa Granturismo`.
    if (evidence > (doubted?.evidence ?? -Infinity)) doubted = reading;
  }
  const year = findYear(words, [], lastYear)?.year ?? null;
  const notACar = namesOtherThing(words);
  return { year, make: null, model: null, isCar: false, notACar, otherMake, evidence: null, doubted };
}

/** The words before those that name what the seller wants in exchange: `trade my Volvo for your Prius`. */
function offered(words: readonly Word[]): readonly Word[] {
  const trade = words.findIndex(({ text }) => trades.has(text));
  const wish = words.findIndex(({ text }, at) => text === 'for' && at > trade && wishes.has(words[at + 1]?.text ?? ''));
  if (trade === -1 || wish <= 0) return words;
  const own = words.slice(0, wish);
  return findVehicles(own, null).vehicles.some(({ weak }) => !weak) ? own : words;
}
const trades: ReadonlySet<string> = new Set(['trade', 'trading', 'trades', 'swap', 'exchange', 'cambio']);
const wishes: ReadonlySet<string> = new Set(['your', 'ur', 'a', 'an', 'another', 'newer', 'older', 'other']);

/** Year, make and model that a listing's title states, as `readTitle` finds them. Never throws. */
export function parseTitle(title: string, now?: Date): ParsedTitle {
  const { year, make, model, isCar } = readTitle(title, now);
  return { year, make, model, isCar };
}
