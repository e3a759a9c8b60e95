import { milesOf } from '../facts/facts-from-text.ts';
import type { Word } from '../titles/title-words.ts';
import { type Amount, amountAt, isYear, yearOf } from './amounts.ts';
import { boundsOf, type Mention, type NumberContext, type Told } from './mention.ts';
import { type Bound, leadAt, nounAfter, trailAt } from './number-words.ts';
import type { Part, Step } from './wish-fields.ts';
import { textAfter, type WishText } from './wish-text.ts';
import { ageOf, decadeAt, shortYearOf, shortYearsOf, yearsOf } from './years.ts';

const radii = [5, 10, 25, 50, 100];
/** More miles than these, without a word for a distance, are a mileage. */
const MAX_DISTANCE = 300;
const MIN_BARE = 500;
const MAX_PRICE = 10_000_000;

/** The radius of the form for a distance in miles: the least that is not less; null if all are. */
export const radiusFor = (miles: number): number | null => radii.find((radius) => radius >= miles) ?? null;

/** Reads a number with the words around it: `no more than 9k`, `2014 or newer`, `within 40 miles`. */
export function numberAt(text: WishText, start: number, context: NumberContext): Step {
  const decade = decadeAt(text, start);
  if (decade) return decade;
  const mention = mentionAt(text, start, context.year + 1);
  if (!mention) return null;
  const parts = partsOf(mention, text, context);
  return parts && { end: mention.end, parts: parts.map((part) => ({ start, end: mention.end, ...part }) as Part) };
}

function mentionAt(text: WishText, start: number, lastYear: number): Mention | null {
  const { words } = text;
  const lead = leadAt(words, start);
  const low = lead && amountAt(words, lead.at);
  if (!lead || !low) return null;
  const range = rangeFrom(words, low, lead.bound, lastYear);
  const high = range?.high ?? null;
  let end = high?.end ?? low.end;
  const { noun: after } = nounAfter(words, end) ?? {};
  if (after !== undefined && lead.noun === null && after !== 'year') end = nounAfter(words, end)?.end ?? end;
  const trailing = trailAt(words, end, textAfter(text, end - 1));
  return {
    start,
    end: trailing.end,
    low: range?.low ?? low,
    high,
    bound: lead.bound,
    trail: trailing.trail,
    noun: lead.noun ?? after ?? null,
    next: words[trailing.end]?.text ?? '',
  };
}

/** The two ends of a range such as `5-9k`, `2014 to 2018`, `between 10 and 15k`. */
function rangeFrom(words: readonly Word[], low: Amount, bound: Bound | null, lastYear: number) {
  const next = words[low.end];
  if (!next) return null;
  const isDash = /^\s?-\s?\$?\s?'?$/.test(next.before);
  const isWord =
    ['to', 'through', 'thru', 'till', 'until'].includes(next.text) || (bound === 'between' && next.text === 'and');
  const high = isDash
    ? amountAt(words, low.end)
    : isWord
      ? amountAt(words, low.end + 1)
      : yearBeside(words, low, lastYear);
  if (!high) return null;
  // `Under 80,000 miles - 2016+`: the dash separates two things.
  const isList =
    /\s-\s/.test(next.before) &&
    (bound === 'max' ||
      bound === 'min' ||
      (low.unit !== null && high.unit === null) ||
      isYear(low, lastYear) !== isYear(high, lastYear));
  if (isList) return null;
  // A telephone number.
  if (isDash && /^-/.test(words[high.end]?.before ?? '') && /^\d/.test(words[high.end]?.text ?? '')) return null;
  const isYearPair = isYear(low, lastYear) && high.isPlain && high.value < 100;
  const years = isYearPair ? { ...high, value: Math.floor(low.value / 100) * 100 + high.value } : high;
  const lowScaled = high.isThousands && !low.isThousands && low.value < 1000 ? scaled(low) : low;
  const highScaled = low.isThousands && !high.isThousands && years.value < 1000 ? scaled(years) : years;
  return { low: lowScaled, high: highScaled };
}

const scaled = (amount: Amount): Amount => ({
  ...amount,
  value: amount.value * 1000,
  isThousands: true,
  isPlain: false,
});

/** `2014 or 2015`, `2014/2015`: two years in succession are a range. */
function yearBeside(words: readonly Word[], low: Amount, lastYear: number): Amount | null {
  if (!isYear(low, lastYear)) return null;
  const next = words[low.end];
  const isOr = next?.text === 'or' || next?.text === 'and';
  const other = amountAt(words, isOr ? low.end + 1 : low.end);
  if (!other || !isYear(other, lastYear) || !(isOr || /^[\s,]?\/?\s?$/.test(next?.before ?? '?'))) return null;
  return Math.abs(yearOf(other, lastYear) - yearOf(low, lastYear)) === 1 ? other : null;
}

function partsOf(mention: Mention, text: WishText, context: NumberContext): Told[] | null {
  const { low, high, noun, bound, trail } = mention;
  const lastYear = context.year + 1;
  if (otherUnits.has(mention.next)) return null;
  const age = ageOf(mention, text, context.year);
  if (age) return age;
  const isDistance = isRadius(mention);
  if (isDistance) return distanceOf(low);
  if (bound === 'about' && isZipCode(mention, text, context)) return null;
  const isLimit = trail !== null && trail !== 'about';
  if ((bound === 'about' && !isLimit) || trail === 'about')
    return low.value >= MIN_BARE ? [{ kind: 'refused', reason: 'vague' }] : null;
  if (isMileage(mention)) return mileageOf(mention);
  const isMoney = low.isMoney || high?.isMoney || noun === 'price';
  if (!isMoney && isYear(low, lastYear) && (!high || isYear(high, lastYear))) return yearsOf(mention, context);
  if (low.isShortYear && !high) return yearsOf(mention, context);
  if (isMoney) return priceOf(mention);
  const short = shortYearsOf(mention, context) ?? shortYearOf(mention, text, context);
  if (short) return short;
  if (low.value < MIN_BARE) return null;
  const { min, max } = boundsOf(mention);
  if (min !== undefined || max !== undefined) return [{ kind: 'bare', min, max }];
  if (isZipCode(mention, text, context)) return null;
  return [{ kind: 'refused', reason: 'unclear' }];
}

function isZipCode({ low }: Mention, { words }: WishText, { isZip }: NumberContext): boolean {
  const digits = words[low.end - 1]?.text ?? '';
  const isRound = low.value % 50 === 0 || low.value % 100 === 99;
  return low.isPlain && low.unit === null && /^\d{5}$/.test(digits) && !isRound && isZip(digits);
}

/** What a number counts that no field asks for: `45 mile range`, `7,000 lbs`. */
const otherUnits = new Set(
  'range warranty service lbs lb pounds mpg hp horsepower cc seats seat seater passenger passengers door doors'.split(
    ' ',
  ),
);

const distanceFollowers = new Set('from of around near away radius drive outside'.split(' '));

function isRadius({ low, high, noun, bound, next }: Mention): boolean {
  if (high || low.isMoney || !Number.isInteger(low.value)) return false;
  if (noun === 'radius') return true;
  if (low.unit === null) return false;
  if (low.value > MAX_DISTANCE && (low.isThousands || low.value >= 1000)) return false;
  return bound === 'within' || distanceFollowers.has(next) || low.value <= MAX_DISTANCE;
}

function distanceOf({ value, unit }: Amount): Told[] {
  const miles = milesOf(value, unit) ?? Number.POSITIVE_INFINITY;
  const radius = radiusFor(miles);
  return [radius === null ? { kind: 'refused', reason: 'too far' } : { kind: 'value', fields: { radius } }];
}

function isMileage({ low, high, noun }: Mention): boolean {
  if (low.isMoney || high?.isMoney) return false;
  return noun === 'mileage' || low.unit !== null || (high?.unit ?? null) !== null;
}

function mileageOf(mention: Mention): Told[] {
  const { low, high } = mention;
  const { min, max } = boundsOf(mention);
  const unit = high?.unit ?? low.unit;
  const asked = max ?? (min === undefined ? low.value : undefined);
  const mileageMax = asked === undefined ? null : milesOf(asked, unit);
  const told: Told[] = mileageMax === null ? [] : [{ kind: 'value', fields: { mileageMax } }];
  return min === undefined ? told : [...told, { kind: 'refused', reason: 'no minimum' }];
}

function priceOf(mention: Mention): Told[] {
  const { min, max } = boundsOf(mention);
  const { value } = mention.low;
  const fields = min === undefined && max === undefined ? { priceMax: value } : { priceMin: min, priceMax: max };
  const isPrice = Object.values(fields).every(
    (price) => price === undefined || (Number.isInteger(price) && price >= 100 && price <= MAX_PRICE),
  );
  return isPrice ? [{ kind: 'value', fields }] : [{ kind: 'refused', reason: 'unclear' }];
}
