import { yearOf } from './amounts.ts';
import type { Mention, NumberContext, Told } from './mention.ts';
import { trailAt } from './number-words.ts';
import type { Step, WishFields } from './wish-fields.ts';
import type { WishText } from './wish-text.ts';

const MAX_AGE = 60;
const FIRST_SHORT_YEAR = 1960;

/** `less than 10 years old`, `from the last 5 years`. */
export function ageOf(mention: Mention, { words }: WishText, year: number): Told[] | null {
  const { low, bound, trail, high, end, next } = mention;
  const isYears = /^(years?|yrs?)$/.test(next) && !low.isMoney && low.value <= MAX_AGE;
  const isOld = words[end + 1]?.text === 'old';
  if (!isYears || high || !Number.isInteger(low.value) || !(isOld || bound)) return null;
  mention.end += isOld ? 2 : 1;
  const after = trailAt(words, mention.end, words[mention.end]?.before ?? '');
  mention.end = after.end;
  const isMin =
    bound === 'min' || bound === 'before' || trail === 'min' || after.trail === 'older' || after.trail === 'min';
  if (bound === 'about') return [{ kind: 'refused', reason: 'vague' }];
  return [{ kind: 'value', fields: isMin ? { yearMax: year - low.value } : { yearMin: year - low.value } }];
}

/** How prices are rounded, but years hardly ever. */
const isRoundPrice = (value: number) => value % 500 === 0;

export function yearsOf(mention: Mention, { year, isCar }: NumberContext): Told[] {
  const { low, high, bound, trail, noun, end } = mention;
  const first = yearOf(low, year + 1);
  const unclear: Told[] = [{ kind: 'refused', reason: 'unclear' }];
  const value = (fields: WishFields): Told[] => [{ kind: 'value', fields }];
  if (high) {
    const last = yearOf(high, year + 1);
    return value({ yearMin: Math.min(first, last), yearMax: Math.max(first, last) });
  }
  if (trail === 'newer' || trail === 'min') return value({ yearMin: first });
  if (trail === 'older') return value({ yearMax: first });
  const isStated = noun === 'year' || low.isShortYear;
  switch (bound) {
    case 'before':
      return value({ yearMax: first - 1 });
    case 'after':
      return value({ yearMin: first + 1 });
    case 'no older':
    case 'from':
      return value({ yearMin: first });
    case 'no newer':
      return value({ yearMax: first });
    case 'min':
      return isRoundPrice(first) && !isStated ? unclear : value({ yearMin: first });
    case 'max':
      if (isStated) return value({ yearMax: first });
      // Nobody says `under 2010` of a year.
      return isRoundPrice(first) ? [{ kind: 'bare', max: first }] : value({ yearMax: first });
    default:
      if (trail === 'max') return isRoundPrice(first) && !isStated ? unclear : value({ yearMax: first });
      if (isRoundPrice(first) && !isStated && !isCar(end)) return unclear;
      return value({ yearMin: first, yearMax: first });
  }
}

/** `civic 08-12`: two years of two digits, beside a car's name. */
export function shortYearsOf(
  { start, end, low, high, bound }: Mention,
  { year, isCar, isAfterCar }: NumberContext,
): Told[] | null {
  if (!high || !low.isPlain || !high.isPlain || bound !== null || !(isCar(end) || isAfterCar(start))) return null;
  const [first, last] = [low, high].map(({ value }) => yearOf({ value, isShortYear: true }, year + 1));
  const areYears = low.value < 100 && high.value < 100 && first !== undefined && last !== undefined;
  if (!areYears || first >= last || first < FIRST_SHORT_YEAR) return null;
  return [{ kind: 'value', fields: { yearMin: first, yearMax: last } }];
}

/** `07 tundra`, `98 civic`: two digits right before or after a car's name, as sellers write years too. */
export function shortYearOf(
  { start, end, low, high, bound }: Mention,
  { words }: WishText,
  context: NumberContext,
): Told[] | null {
  const digits = words[low.end - 1]?.text ?? '';
  const isBeside = context.isCar(end) || (context.isAfterCar(start) && digits.startsWith('0'));
  if (high || bound !== null || low.isMoney || low.isThousands || !/^(0\d|9\d)$/.test(digits) || !isBeside) return null;
  const year = yearOf({ value: low.value, isShortYear: true }, context.year + 1);
  return [{ kind: 'value', fields: { yearMin: year, yearMax: year } }];
}

/** `the 90s`, `2000s`; `early 90s` says too little. */
export function decadeAt({ words }: WishText, start: number): Step {
  const [, century, tens] = /^(19|20)?(\d0)s$/.exec(words[start]?.text ?? '') ?? [];
  if (tens === undefined) return null;
  const first = Number(`${century ?? (Number(tens) <= 20 ? '20' : '19')}${tens}`);
  const isPart = ['early', 'mid', 'late'].includes(words[start - 1]?.text ?? '');
  const end = start + 1;
  if (isPart) return { end, parts: [{ start: start - 1, end, kind: 'refused', reason: 'vague' }] };
  const trailing = trailAt(words, end, words[end]?.before ?? '');
  const isOpen = trailing.trail === 'newer' || trailing.trail === 'min';
  const fields = { yearMin: first, ...(isOpen ? {} : { yearMax: first + 9 }) };
  return { end: trailing.end, parts: [{ start, end: trailing.end, kind: 'value', fields }] };
}
