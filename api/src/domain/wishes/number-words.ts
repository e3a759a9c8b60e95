import { isWithinEdits } from '../titles/spelling.ts';
import type { Word } from '../titles/title-words.ts';
import { amountAt } from './amounts.ts';
import { longestName } from './wish-text.ts';

/** What words before a number say of it. */
export type Bound =
  | 'max'
  | 'min'
  | 'from'
  | 'before'
  | 'after'
  | 'no older'
  | 'no newer'
  | 'between'
  | 'within'
  | 'about';
/** What a word says a number is. */
export type Noun = 'price' | 'mileage' | 'year' | 'radius';

function table<T extends string>(lists: Record<T, string>): ReadonlyMap<string, T> {
  const entries = Object.entries(lists) as [T, string][];
  return new Map(
    entries.flatMap(([value, names]) => names.split(', ').map((name) => [name.replaceAll(' ', ''), value] as const)),
  );
}

const leading = table<Bound>({
  max:
    'under, below, sub, less than, less then, fewer than, lower than, cheaper than, no more than, not more than, no more then, ' +
    'nothing more than, not over, nothing over, nothing above, at most, max, maximum, a maximum of, a max of, maximum of, ' +
    'max of, up to, upto, not exceeding, not exceed, no higher than, not higher than, not above, smaller than, capped at, ' +
    'cap of, a limit of, limit of, limit, tops, for under, anything under, anything below, lower then, shouldnt exceed, menos de, hasta, maximo, maximo de, no mas de, debajo de, por menos de, ' +
    'cant exceed, not to exceed, must be under',
  min:
    'over, above, more than, at least, atleast, min, minimum, a minimum of, minimum of, starting at, no less than, ' +
    'not less than, not under, not below, no lower than, upwards of, north of, mas de, minimo, desde, a partir de',
  from: 'from, since, starting from, starting in, starting',
  before: 'before, prior to, older than, pre, earlier than, older then',
  after: 'after, newer than, later than, younger than, post, newer then',
  'no older':
    'no older than, not older than, nothing older than, no earlier than, no older then, nothing before, not before',
  'no newer':
    'no newer than, not newer than, nothing newer than, no later than, until, till, through, nothing after, not after',
  between: 'between, anywhere between, somewhere between',
  within: 'within, inside, inside of, last, past, the last, the past, within the last',
  about: 'around, about, roughly, approximately, approx, circa, somewhere around, ballpark, close to, near',
});

const nouns = table<Noun>({
  price: 'price, prices, priced, budget, cost, costs, costing, spend, pay, paying, asking, price range, budget range',
  mileage: 'mileage, miles, odometer, odo, milage, kilometers',
  year: 'year, years, yr, model year, model years',
  radius: 'radius, distance, search radius',
});

/** Words between a noun or bound and its number: `my budget is about 9k`. */
const glue = new Set(
  'is of a an the to at be with has have my in should must can for are its it only around just range year price'.split(
    ' ',
  ),
);

export type Trail = 'max' | 'min' | 'newer' | 'older' | 'about';

const trailing = table<Trail>({
  max:
    'or less, or under, or below, or lower, or cheaper, or fewer, max, maximum, tops, and under, and below, and less, ' +
    'and lower, at most, or so max, or closer, or nearer, o menos, como maximo, is my limit, is my max, limit, at the most, and down, or bellow',
  min: 'or more, or above, or over, or higher, minimum, min, and above, plus, and more, and over, or greater, at least, and higher',
  newer:
    'or newer, and newer, newer, or later, and later, or after, and after, onwards, onward, on, forward, or younger, ' +
    'to present, to now, to current, to date, present, or up, and up, or higher, and onward, and onwards, and on, or more recent, up, or above, and forward, or better, o mas nuevo, o mas nueva, o mas reciente, en adelante',
  older: 'or older, and older, older, or earlier, and earlier, or before, and before, or below',
  about: 'or so, ish, roughly, give or take, or thereabouts, or close, or about',
});

const agesMisspelt: readonly (readonly [string, Trail])[] = [
  ['newer', 'newer'],
  ['later', 'newer'],
  ['older', 'older'],
  ['under', 'max'],
];

export interface Lead {
  /** The index of the amount. */
  at: number;
  bound: Bound | null;
  noun: Noun | null;
}

const MAX_LEAD = 8;

/** The words that lead to a number: `my budget is no more than`. null if no number follows. */
export function leadAt(words: readonly Word[], start: number): Lead | null {
  let at = start;
  let bound: Bound | null = null;
  let noun: Noun | null = null;
  for (let step = 0; step < MAX_LEAD; step++) {
    const word = words[at];
    if (!word || (at > start && /[,;|()?!]|\.\s/.test(word.before))) return null;
    if (amountAt(words, at)) {
      return { at, bound: comparator(word.before) ?? bound, noun };
    }
    const found = longestName(words, at, (key) => leading.get(key)) ?? misspeltBound(words, at);
    const named = longestName(words, at, (key) => nouns.get(key));
    if (found) {
      // `budget around no more than`: a bound says more than `around`.
      bound = bound === null || bound === 'about' ? found.found : bound;
      at = found.end;
    } else if (named) {
      noun ??= named.found;
      at = named.end;
    } else if (at > start && glue.has(word.text)) at++;
    else return null;
  }
  return null;
}

const MIN_MISSPELT = 4;

/** `undr`, `belw`. */
function misspeltBound(words: readonly Word[], at: number): { end: number; found: Bound } | null {
  const text = words[at]?.text ?? '';
  if (text.length < MIN_MISSPELT || !amountAt(words, at + 1)) return null;
  const isMeant = ['under', 'below', 'maximum'].some((name) => name[0] === text[0] && isWithinEdits(text, name, 1));
  return isMeant ? { end: at + 1, found: 'max' } : null;
}

function comparator(before: string): Bound | null {
  const [, sign] = /([<>≤≥~])\s?=?\s?\$?\s?$/.exec(before) ?? [];
  if (sign === undefined) return null;
  return sign === '~' ? 'about' : sign === '<' || sign === '≤' ? 'max' : 'min';
}

/** What the words after a number say of it. @param start the word after the number @param after the text before it */
export function trailAt(words: readonly Word[], start: number, after: string): { end: number; trail: Trail | null } {
  if (/^\s?\+/.test(after)) return { end: start, trail: 'min' };
  const first = words[start];
  if (!first || !/^[\s-]*$/.test(first.before)) return { end: start, trail: null };
  const found = longestName(words, start, (key) => trailing.get(key));
  // `under 9k up to`: the words lead to the next number.
  const isUpTo = words[(found?.end ?? start) - 1]?.text === 'up' && words[found?.end ?? start]?.text === 'to';
  if (found && !isUpTo && !leadsOn(words, found.end)) return { end: found.end, trail: found.found };
  const second = words[start + 1]?.text ?? '';
  const isPair = ['or', 'and'].includes(first.text) && second.length >= 4;
  const misspelt =
    isPair && !leadsOn(words, start + 2) ? agesMisspelt.find(([name]) => isWithinEdits(second, name, 1)) : undefined;
  return misspelt ? { end: start + 2, trail: misspelt[1] } : { end: start, trail: null };
}

/** Whether a number follows to which the words before it belong. */
const leadsOn = (words: readonly Word[], at: number): boolean =>
  /^[\s$:]*$/.test(words[at]?.before ?? '') && amountAt(words, at) !== null;

/** Whether a bound and a number follow: in `2013 mileage under 90k` the noun belongs to them. */
const goesOn = (words: readonly Word[], at: number): boolean =>
  /^[\s$:]*$/.test(words[at]?.before ?? '') && leadAt(words, at) !== null;

/** The noun after a number: `9k budget`, `90k on the clock`. */
export function nounAfter(words: readonly Word[], start: number): { end: number; noun: Noun } | null {
  const found = longestName(words, start, (key) => nounsAfter.get(key));
  return found && /^[\s-]*$/.test(words[start]?.before ?? '') && !goesOn(words, found.end)
    ? { end: found.end, noun: found.found }
    : null;
}

const nounsAfter = table<Noun>({
  price: 'budget, price, price range, out the door, otd, cash, total, to spend',
  mileage: 'on the clock, on the odometer, on it, on odometer, on the odo, mileage, odometer',
  year: 'model year, model, models',
  radius: 'radius',
});
