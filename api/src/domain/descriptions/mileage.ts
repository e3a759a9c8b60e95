import { milesOf } from '../facts/facts-from-text.ts';
import type { About, Found } from './found.ts';
import { inRow, isOtherDistance, isOtherThing, isStated, places, row } from './mileage-contexts.ts';
import { Gap, gapBefore, isMoney, type SellerText, setOf, wordAt } from './seller-text.ts';

const miles = setOf('mile miles mille milles mils mls mi ml mil milage mileage milege millage millas');
const kilometres = setOf('km kms kilometers kilometres kilometer kilometre');
/** Words that name a car's mileage before or after its number. */
const labels = setOf(
  'mileage milage milege millage odometer odo odom od miles kilometers kilometres millas millaje kms km',
);
/** What may stand between a number and its unit. */
const ownWords = setOf(
  'original actual highway hwy fwy freeway feeway documented verified total true genuine orig act easy low real city road commute commuting commuter loving careful one owner pampered babied maintained well gently plus ish and or so ori gentle adult driven og only mostly all very k on the',
);
/** Of these, what says that it is the car's whole mileage. */
const wholeWords = setOf('original actual orig act documented verified total true genuine ori og');
/** What may stand between a label and its number. */
const labelLinks = setOf(
  'is are reads read reading shows showing show says of at about around approx approximately aprox only just currently on it the now approximate roughly still has indicated almost low current its display stand stands sits sitting hovering near nearly which for year thru under driven',
);
const spans = setOf('under less fewer upto sub');

const MIN_MILES = 500;
/** Fewer miles are what a seller has driven of late. */
const MIN_OWN_DRIVEN = 5000;
const MIN_UNLABELLED = 1000;
const MIN_BARE = 10_000;
/** From this on a number of thousands is rarely a price. */
const MIN_CERTAIN = 40_000;
const MAX_MILES = 999_999;
const FIRST_YEAR = 1950;
const LAST_YEAR = 2035;

/** No number without unit is clearer than these. */
const SCORE_BARE = 15;

interface Candidate extends Found<number> {
  score: number;
}

const isYear = (word: string, value: number) => /^\d{4}$/.test(word) && value >= FIRST_YEAR && value <= LAST_YEAR;

/** The miles of a number, if a car can have them. */
function plausible(value: number, unit: string, least = MIN_MILES): number | null {
  const read = milesOf(value, kilometres.has(unit) ? 'km' : null);
  return read === null || read > MAX_MILES || read < least ? null : read;
}

interface Number {
  /** The index of its first word. */
  at: number;
  value: number;
  /** Exclusive. */
  end: number;
}

const scales = setOf('thousand xxx k mil');

/** The number that ends with the word at `last`: `142k`, `45 thousand`, `161 xxx`, `246 000`. */
function numberEnding(text: SellerText, last: number): Number | null {
  const word = wordAt(text, last);
  const before = text.values[last - 1] ?? Number.NaN;
  const own = text.values[last] ?? Number.NaN;
  if (scales.has(word)) {
    if (Number.isNaN(before) || gapBefore(text, last) >= Gap.dash) return null;
    return { at: last - 1, value: before < 1000 ? before * 1000 : before, end: last + 1 };
  }
  if (Number.isNaN(own)) return null;
  const isSplit =
    gapBefore(text, last) === Gap.blank && /^\d{3}$/.test(word) && /^[1-9]\d{0,2}$/.test(wordAt(text, last - 1));
  if (isSplit) return { at: last - 1, value: before * 1000 + own, end: last + 1 };
  return { at: last, value: own, end: last + 1 };
}

/** The number that begins with the word at `first`. */
function numberAt(text: SellerText, first: number): Number | null {
  if (Number.isNaN(text.values[first] ?? Number.NaN)) return null;
  const wide = numberEnding(text, first + 1);
  return wide?.at === first ? wide : numberEnding(text, first);
}

/** `(32k) miles`, `**98,500** miles` */
const isEnclosed = (text: SellerText, index: number): boolean =>
  /^[)*]{1,2}\s?$/.test(text.plain.slice(text.ends[index - 1], text.starts[index]).slice(0, 4));

/** Whether it is the end of a number whose beginning is joined to letters: `1.8L141,745 miles`. */
const isCut = (text: SellerText, index: number): boolean =>
  index > 0 && /^\d,$/.test(text.plain.slice((text.ends[index - 1] ?? 0) - 1, text.starts[index]).slice(0, 3));

/** `16,000 on odometer`, `16,000 miles on the odometer` */
function isOnOdometer(text: SellerText, from: number, odometer: number): boolean {
  for (let at = from; at < odometer; at++) if (wordAt(text, at) === 'on') return true;
  return false;
}

const isDriving = /^(?:driven|drove)$/;
const isHidden = (word: string): boolean => /[x*]$/.test(word);
const only = setOf('only just has with');

/** `Only 332 miles.`, `141 miles on the odometer`: so few miles are a distance otherwise. */
function isFewMiles(text: SellerText, number: number, unit: number): boolean {
  if (!only.has(wordAt(text, number - 1)) || gapBefore(text, number) >= Gap.comma) return false;
  for (let at = number - 2; at > number - 6 && gapBefore(text, at + 1) < Gap.stop; at--)
    if (moved.has(wordAt(text, at))) return false;
  const isEnd = gapBefore(text, unit + 1) >= Gap.comma;
  return (
    isEnd ||
    likeNew.test(wordAt(text, unit + 1)) ||
    (wordAt(text, unit + 1) === 'on' && [2, 3].some((step) => places.has(wordAt(text, unit + step))))
  );
}
const likeNew = /^(?:practically|basically|like|brand|total)$/;
const moved = setOf('drove drive driven put located away had since');

/** `under 50,000 miles`, `no more than 80,000 miles`; `just under` says little less than the number itself. */
function isLimit(text: SellerText, number: number): boolean {
  if (gapBefore(text, number) >= Gap.comma) return false;
  const [before, second, third] = [1, 2, 3].map((step) => wordAt(text, number - step));
  if (before !== 'than' && before !== 'then') return spans.has(before ?? '') && second !== 'just';
  return spans.has(second ?? '') || (second === 'more' && (third === 'no' || third === 'not'));
}

/** A number before its unit: `142k miles`, `98,500 original miles`, `(32k) miles`, `16,000 on odometer`. */
function beforeUnit(text: SellerText, unit: number, isHeading: boolean): Candidate | null {
  let last = unit - 1;
  let isWhole = false;
  while (last > unit - 5 && gapBefore(text, last + 1) < Gap.comma && ownWords.has(wordAt(text, last))) {
    if (wholeWords.has(wordAt(text, last))) isWhole = true;
    if (wordAt(text, last) === 'k' && !Number.isNaN(text.values[last - 1] ?? Number.NaN)) break;
    last--;
  }
  const gap = gapBefore(text, last + 1);
  if (gap >= Gap.comma && !isEnclosed(text, last + 1)) return null;
  const number = numberEnding(text, last);
  const word = wordAt(text, unit);
  // `$15,380 Odometer is …`, `Sierra 1500 Odometer …`: the odometer belongs to what follows.
  const isLoose = word.startsWith('od') && gapBefore(text, unit + 1) < Gap.comma;
  if (isLoose && !isOnOdometer(text, last + 1, unit)) return null;
  if (!number || (isMoney(text, number.at) && number.value < MIN_BARE) || isCut(text, number.at)) return null;
  if (isYear(wordAt(text, number.at), number.value) && number.end - number.at === 1) return null;
  // Auctions name even few miles: `27-Mile 2005 Ford GT`.
  const isNamed = isHeading && gapBefore(text, unit) === Gap.hyphen && word === 'mile';
  const value = plausible(number.value, word, isNamed || isFewMiles(text, number.at, unit) ? 1 : MIN_MILES);
  if (value === null || isOtherDistance(text, number.at, unit + 1, word === 'mile' && !isNamed)) return null;
  const before = wordAt(text, number.at - 1);
  if (before.startsWith('put') || (isDriving.test(before) && value < MIN_OWN_DRIVEN)) return null;
  if (isLimit(text, number.at)) return null;
  const score =
    (isWhole ? 30 : 20) +
    (number.value % 1000 === 0 ? 0 : 1) +
    (isHidden(wordAt(text, number.at)) ? 2 : 0) -
    (kilometres.has(word) ? 5 : 0) -
    (before === 'had' ? 12 : 0);
  return { value, from: number.at, to: unit + 1, score };
}

/** Whether the text between a label and its number is a colon or the like, or the end of a line after the label. */
const isLabelled = (text: SellerText, index: number): boolean =>
  /^\s{0,3}[-:;=.#>~*]{0,12}\s{0,3}$/.test(text.plain.slice(text.ends[index - 1], text.starts[index]).slice(0, 20));

const COLON = 58;
const notLabelled = setOf('gas fuel highway city hwy trip warranty');

/** A label before its number: `miles: 98500`, `odometer reads 98k`, `low miles 35,288`. */
function afterLabel(text: SellerText, label: number): Candidate | null {
  const word = wordAt(text, label);
  if (!labels.has(word)) return null;
  const isOdometer = word.startsWith('od');
  if (notLabelled.has(wordAt(text, label - 1)) && gapBefore(text, label) < Gap.comma) return null;
  let hasColon = false;
  let hasMark = false;
  for (let at = label + 1; at <= label + 7; at++) {
    const gap = gapBefore(text, at);
    const isFirst = at === label + 1;
    if (isFirst && gap >= Gap.hyphen && isLabelled(text, at)) {
      hasColon = true;
      hasMark = /[-:;=.#>~*]/.test(text.plain.slice(text.ends[label], text.starts[at]).slice(0, 20));
    } else if (gap === Gap.colon) hasColon = hasMark = true;
    else if (gap === Gap.stop) return null;
    const number = numberAt(text, at);
    // In `75k miles. 4241 Oak Street` the miles belong to what stands before.
    const isUnit = /^mi(?:les?)?$/.test(word) && text.plain.charCodeAt(text.ends[label] ?? 0) !== COLON;
    const isNumbered = isUnit && (gapBefore(text, label) < Gap.comma || isEnclosed(text, label));
    if (number && isNumbered && numberEnding(text, label - 1)) return null;
    if (number) return labelled(text, { label, number, hasColon, hasMark, isOdometer, gap });
    if (!labelLinks.has(wordAt(text, at)) && !labels.has(wordAt(text, at))) return null;
  }
  return null;
}

interface Labelled {
  label: number;
  number: Number;
  hasColon: boolean;
  /** A colon or the like, and not only the end of a line. */
  hasMark: boolean;
  isOdometer: boolean;
  gap: Gap;
}

const MIN_SHORT = 40;
const MAX_SHORT = 400;
const comparing = setOf('below above less lower under over gt');
const rates = setOf('mpg highway hwy city per gallon gal');

function labelled(text: SellerText, { label, number, hasColon, hasMark, isOdometer, gap }: Labelled): Candidate | null {
  const { at, end } = number;
  if (isMoney(text, at) || rates.has(wordAt(text, end)) || gapBefore(text, end) === Gap.slash) return null;
  if (isYear(wordAt(text, at), number.value) && !(hasColon && gapBefore(text, label) >= Gap.comma)) return null;
  const word = wordAt(text, label);
  // `Mileage 171` leaves the thousands out.
  const isShort =
    (hasMark || word === 'mileage') &&
    wordAt(text, label - 1) !== 'low' &&
    number.value >= MIN_SHORT &&
    number.value <= MAX_SHORT &&
    /^\d+$/.test(wordAt(text, at)) &&
    end - at === 1;
  const unit = wordAt(text, end);
  const value = plausible(isShort ? number.value * 1000 : number.value, kilometres.has(word) ? word : unit);
  if (value === null || (!hasColon && value < MIN_UNLABELLED)) return null;
  // `w/OD 3.692` is an overdrive.
  if (!hasColon && word === 'od') return null;
  if (!hasColon && !isOdometer) {
    // `such low mileage, 1,397, that`
    const isInserted = gap === Gap.comma && word === 'mileage' && gapBefore(text, end) >= Gap.comma;
    if ((gap === Gap.comma && !isInserted) || isOtherThing(text, at, miles.has(unit) ? end + 1 : end)) return null;
  }
  // `Odometer is 9,673 miles below market average`
  const isClose = gapBefore(text, end) < Gap.stop && gapBefore(text, end + 1) < Gap.stop;
  if (isClose && comparing.has(wordAt(text, end + 1))) return null;
  if (unit === 'warranty' || wordAt(text, end + 1) === 'warranty') return null;
  const isSaid = /^(?:reads|reading|shows|showing|currently|now)$/.test(wordAt(text, label + 1));
  const score = (isShort ? 14 : hasColon || isOdometer ? 40 : isSaid ? 30 : 19) + (number.value % 1000 === 0 ? 0 : 1);
  return { value, from: label, to: end, score };
}

const hasWords = setOf('has have with w only at about around approx just over low');
const notMiles = setOf(
  'obo firm cash lbs lb pounds down in worth warranty off mile or invested hp watt watts price dollars rpm rpms ohm hid hids led service serviced tow towing tune tuneup maintenance per each dlls package pkg axle gvw gvwr plug plugs work on value major bulbs kit under less cheaper new wheels lights retail msrp upgrades receipts usd loan negotiable check spark b total interval tread k',
);
const notBefore = setOf(
  'asking price for since every at @ over under paid spent sell selling selling was retail worth cost costs like than extra last until to or and least took offer obo sold new msrp another invested',
);

const MAX_HIDDEN = 400_000;
/** A number of thousands without unit: `142k on it`, `has 142k`, `142,xxx`; in the advert's title `142k` alone. */
function bareThousands(text: SellerText, isHeading: boolean, { price, year }: About): Candidate | null {
  for (let at = 0; at < text.words.length; at++) {
    const value = text.values[at] ?? Number.NaN;
    if (!(value >= MIN_BARE && value <= MAX_MILES)) continue;
    const word = wordAt(text, at);
    if (inRow(text, at, year)) return { value, from: at, to: at + 1, score: SCORE_BARE };
    // `RED SPORT 400***`
    const hidden = isHidden(word) && (word.endsWith('x') || value < MAX_HIDDEN);
    const isWhole = row.test(word) && isStated(text, at);
    if (!(hidden || isWhole || word.endsWith('k')) || isMoney(text, at) || value === price) continue;
    const next = wordAt(text, at + 1);
    const isAfter = gapBefore(text, at + 1) < Gap.comma;
    const isOn = isAfter && next === 'on' && [2, 3].some((step) => places.has(wordAt(text, at + step)));
    const before = wordAt(text, at - 1);
    // With its unit it was read, or rejected, before.
    if (isAfter && (miles.has(next) || kilometres.has(next))) continue;
    if (!isOn && isAfter && !hidden && notMiles.has(next)) continue;
    if (isOtherThing(text, at, at + 1) && !(isOn && before !== 'with' && before !== 'had')) continue;
    const isClose = gapBefore(text, at) < Gap.comma;
    if (isOn || hidden || isWhole || (isAfter && wholeWords.has(next)))
      return { value, from: at, to: at + 1, score: 15 };
    if (isClose && notBefore.has(before)) continue;
    if (isHeading || (isClose && hasWords.has(before)) || value >= MIN_CERTAIN)
      return { value, from: at, to: at + 1, score: 10 };
  }
  return null;
}

/** The car's own mileage in miles that a text states; of several numbers the one that is most clearly the car's. */
export function readOwnMileage(text: SellerText, isHeading: boolean, about: About): Found<number> | null {
  let best: Candidate | null = null;
  for (const index of text.found.miles) {
    const word = wordAt(text, index);
    const isUnit = miles.has(word) || kilometres.has(word) || word.startsWith('od');
    for (const one of [isUnit ? beforeUnit(text, index, isHeading) : null, afterLabel(text, index)]) {
      // What was done to a car was done at fewer miles.
      const isMore = one && best && one.score === best.score && one.value > best.value;
      if (one && (isMore || one.score > (best?.score ?? 0))) best = one;
    }
  }
  const bare = best && best.score >= SCORE_BARE ? null : bareThousands(text, isHeading, about);
  return bare && bare.score > (best?.score ?? 0) ? bare : best;
}
