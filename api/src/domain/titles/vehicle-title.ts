import { isNotACar, namesOtherThing } from './not-a-car.ts';
import { findVehicles, type VehicleMention } from './title-vehicle.ts';
import {
  dateWords,
  filler,
  hasName,
  onlyCars,
  priceUnits,
  priceWords,
  type Span,
  tagWords,
  titleWords,
  trims,
  units,
  type Word,
} from './title-words.ts';
import { filedUnder } from './vehicle-names.ts';

const FIRST_YEAR = 1900;
/** Two digits below this are of this century where that isn't the future; above, of the last. */
const FIRST_SHORT_YEAR = 50;
/** From here up two digits are rarely a number of anything else. */
const FIRST_SURE_SHORT_YEAR = 86;
const REACH = 3;

/** The model year of a title, and the word that says it. */
interface YearMention {
  year: number;
  index: number;
}

function isQuantity(words: readonly Word[], index: number, spans: readonly Span[]): boolean {
  const next = words[index + 1];
  const previous = words[index - 1];
  const before = words[index]?.before ?? '';
  if (/[$#€£]$/.test(before) || /^[$%"”″']/.test(next?.before ?? '')) return true;
  // `$ 2007 Infiniti $`: with a blank, before a car's name, it is but decoration.
  if (/[$#€£]\s+$/.test(before) && !spans.some(({ start }) => start === index + 1)) return true;
  const separator = isFull(words[index]?.text ?? '') ? '.' : /[.,]/.exec(before)?.[0];
  if (before !== '' && before === separator && /\d$/.test(previous?.text ?? '')) return true;
  // 1964.5 is a half model year, 77.000 a distance.
  if (next && /^[.,]$/.test(next.before) && isAfterPoint(words[index]?.text ?? '', next)) return true;
  if (!next || !/^[\s-]*$/.test(next.before) || inside(index + 1, spans) || !units.has(next.text)) return false;
  if (!priceUnits.has(next.text)) return true;
  // `Matrix 2009 obo $7,100`: the price is another number; and hardly a price is 2005.
  if (words.some((word, at) => at !== index && /\$\s*$/.test(word.before))) return false;
  return !isFull(words[index]?.text ?? '') || ROUND_PRICE.test(words[index]?.text ?? '');
}

/** How sellers round what they ask. */
const ROUND_PRICE = /(00|50|95|99)$/;
const isFull = (text: string) => text.length === 4;

/** Digits that make the number before a decimal one; four digits and a comma are no number but a year. */
function isAfterPoint(text: string, next: Word): boolean {
  return /^\d/.test(next.text) && next.text !== '5' && !(isFull(text) && next.before === ',');
}

/** `only 2000` is a price, but `cash only 2004 LeSabre` is none. */
function isPriced(words: readonly Word[], index: number): boolean {
  return priceWords.has(words[index - 1]?.text ?? '') && /^[\s:]*$/.test(words[index]?.before ?? '');
}

/** `tags 2017`, `reg. till 2018`: when something of the car ends, not when it was built. */
function isDated(words: readonly Word[], index: number): boolean {
  return dateWords.has(words[index - 1]?.text ?? '') || tagWords.has(words[index + 1]?.text ?? '');
}

/** Whether only filler stands between the word and the span, at most so many words. */
function isBeside(words: readonly Word[], index: number, span: Span): 'before' | 'after' | null {
  const [from, to] = index < span.start ? [index + 1, span.start] : [span.end, index];
  if (to - from > REACH) return null;
  for (let at = from; at < to; at++) if (!filler.has(words[at]?.text ?? '')) return null;
  return index < span.start ? 'before' : 'after';
}

function inside(index: number, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => index >= start && index < end);
}

/** `2012`, and `2k12` or `2k8` as some write. */
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
    if (!/^\d\d$/.test(text) || inside(index, spans)) continue;
    const next = words[index + 1]?.before ?? ' ';
    const marked = /(^|\s)['’‘`]$/.test(before) || /^['’](\s|$)/.test(next);
    if (!marked && isQuantity(words, index, spans)) continue;
    if (/[.,/-]$/.test(before) || /^[.,/-]\S*$/.test(next.trim())) continue;
    const value = Number(text);
    const beside = spans.some((span) => isBeside(words, index, span) !== null);
    // `civic 98 ex`: right behind the name, where it can hardly be anything else.
    const behind = spans.some(({ end }) =>
      text.startsWith('0') ? index >= end && index < end + REACH : end === index && value >= FIRST_SURE_SHORT_YEAR,
    );
    const early = index === 0 && text.startsWith('0') && spans.some(({ start }) => start <= REACH);
    const atEdge = index === 0 || index === words.length - 1;
    if (
      !(
        spans.length > 0 &&
        (marked || (atEdge && (beside || index > 0)) || behind || early || spanFollows(words, index, spans))
      )
    )
      continue;
    if (2000 + value <= lastYear) return { year: 2000 + value, index };
    if (value >= FIRST_SHORT_YEAR) return { year: 1900 + value, index };
  }
  return null;
}

function spanFollows(words: readonly Word[], index: number, spans: readonly Span[]): boolean {
  return spans.some((span) => isBeside(words, index, span) === 'before');
}

/**
 * The model year that a title states; `'05` and `05 civic` count where no full year stands.
 * @param spans where the car's make and model stand
 * @param lastYear the newest year a car can have
 */
function findYear(words: readonly Word[], spans: readonly Span[], lastYear: number): YearMention | null {
  return fullYear(words, spans, lastYear) ?? shortYear(words, spans, lastYear);
}

/** Whether the year stands right beside one of the spans. */
function yearIsBeside(words: readonly Word[], year: YearMention | null, spans: readonly Span[]): boolean {
  return year !== null && spans.some((span) => isBeside(words, year.index, span) !== null);
}

interface ParsedTitle {
  year: number | null;
  make: string | null;
  model: string | null;
  /** Whether a whole car of one of the 42 makes is offered. */
  isCar: boolean;
}

export interface TitleReading extends ParsedTitle {
  /** It sells nothing that is a car: a part, a toy, a motorcycle, a wish. */
  notACar: boolean;
  /** It names a vehicle of a make outside the catalogue. */
  otherMake: boolean;
}

const nothing = { make: null, model: null, isCar: false, notACar: true };

function spansOf(vehicle: VehicleMention | null): Span[] {
  return vehicle ? [vehicle.makeSpan, ...(vehicle.modelSpan ? [vehicle.modelSpan] : [])] : [];
}

/**
 * What a listing's title says, and why it is no car when it is none. Never throws.
 * @param now a car is at most of the next model year
 */
export function readTitle(title: string, now: Date = new Date()): TitleReading {
  const words = titleWords(title);
  const lastYear = now.getUTCFullYear() + 1;
  const { vehicles, otherMake } = findVehicles(words, findYear(words, [], lastYear)?.year ?? null);
  const vehicle = vehicles.find((mention) => !mention.weak || isBornOut(words, mention, lastYear)) ?? null;
  const spans = spansOf(vehicle);
  const year = findYear(words, spans, lastYear);
  const named = vehicle && {
    make: vehicle.make,
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
    hasMake: !vehicle.implied,
    hasModel: vehicle.modelSpan !== null,
    isCatalogued: vehicle.model !== null,
    hasYear: year !== null,
  };
  const notACar = isNotACar(words, named);
  // `2005 Vespa Granturismo`: the name was an ordinary word after all.
  if (vehicle?.weak && namesOtherThing(words, named)) return { ...nothing, year: year?.year ?? null, otherMake };
  const filed = vehicle?.model ? filedUnder(vehicle.make, vehicle.model, year?.year ?? null) : vehicle;
  return {
    year: year?.year ?? null,
    make: filed?.make ?? null,
    model: filed?.model ?? null,
    isCar: vehicle !== null && !notACar,
    notACar,
    otherMake,
  };
}

/** A name that may be an ordinary word is a car's with the year beside it, or among words that are said of cars. */
function isBornOut(words: readonly Word[], mention: VehicleMention, lastYear: number): boolean {
  const spans = spansOf(mention);
  const year = findYear(words, spans, lastYear);
  if (yearIsBeside(words, year, spans) || hasName(words, (key) => onlyCars.has(key))) return true;
  return year !== null && hasName(words, (key) => trims.has(key));
}

/** Year, make and model of a listing's title, as far as it states them. Never throws. */
export function parseTitle(title: string, now?: Date): ParsedTitle {
  const { year, make, model, isCar } = readTitle(title, now);
  return { year, make, model, isCar };
}
