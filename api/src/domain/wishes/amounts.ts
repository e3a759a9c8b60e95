import type { Word } from '../titles/title-words.ts';

/** A number as it is written, with its unit. */
export interface Amount {
  /** The index after the last word of the amount. */
  end: number;
  value: number;
  /** With a dollar sign or a word for dollars. */
  isMoney: boolean;
  /** Written as thousands: `9k`, `9 thousand`. */
  isThousands: boolean;
  /** Plain digits, as a year is written. */
  isPlain: boolean;
  unit: 'miles' | 'km' | null;
  /** `'09`, a year of two digits. */
  isShortYear: boolean;
}

const smallNumbers = new Map(
  (
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen twenty'
  )
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
);
const tens = new Map(
  'thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, 10 * (index + 3)] as const),
);
const scales = new Map(Object.entries({ k: 1000, thousand: 1000, thou: 1000, grand: 1000, hundred: 100 }));
const units = new Map<string, Amount['unit'] | 'money'>(
  Object.entries({
    mi: 'miles',
    mile: 'miles',
    miles: 'miles',
    mis: 'miles',
    km: 'km',
    kms: 'km',
    kilometer: 'km',
    kilometers: 'km',
    kilometre: 'km',
    kilometres: 'km',
    dollars: 'money',
    dollar: 'money',
    bucks: 'money',
    buck: 'money',
    usd: 'money',
    millas: 'miles',
    milla: 'miles',
    dolares: 'money',
  } as const),
);
const MAX_GROUPS = 4;

/** The number that begins at a word, be it written in digits or in words; null if none does. */
export function amountAt(words: readonly Word[], start: number): Amount | null {
  const first = words[start];
  if (!first) return null;
  const [, digits = '', letters = ''] = /^(\d{1,9})([a-z]*)$/.exec(first.text) ?? [];
  if (digits === '') return amountInWords(words, start);
  let end = start + 1;
  let value = Number(digits);
  let suffix = letters;
  let isPlain = true;
  for (let group = 0; suffix === '' && group < MAX_GROUPS; group++) {
    const next = words[end];
    const [, more = '', rest = ''] = /^(\d{1,3})([a-z]*)$/.exec(next?.text ?? '') ?? [];
    const isGroup = more.length === 3 && (next?.before === ',' || next?.before === '.');
    const isDecimal = more !== '' && more.length < 3 && next?.before === '.';
    if (!isGroup && !isDecimal) break;
    value = isGroup ? value * 1000 + Number(more) : value + Number(more) / 10 ** more.length;
    suffix = rest;
    isPlain = false;
    end++;
    if (isDecimal) break;
  }
  const isDollars = /\$\s?$/.test(first.before);
  const isShortYear = digits.length === 2 && isPlain && suffix === '' && /(^|[^\w])'$/.test(first.before);
  const scaled = scaleAt(words, end, suffix);
  if (!scaled) return null;
  return {
    end: scaled.end,
    value: Math.round(value * scaled.scale * 100) / 100,
    isMoney: isDollars || scaled.isMoney,
    isThousands: scaled.scale === 1000,
    isPlain: isPlain && scaled.scale === 1 && !isDollars,
    unit: scaled.unit,
    isShortYear: isShortYear && scaled.scale === 1,
  };
}

interface Scaled {
  end: number;
  scale: number;
  unit: Amount['unit'];
  isMoney: boolean;
}

/** The scale and the unit after digits; null if the letters after them are no unit, as in `328i`. */
function scaleAt(words: readonly Word[], start: number, letters: string): Scaled | null {
  let scale = 1;
  let rest = letters;
  let isMoney = false;
  let end = start;
  if (rest.startsWith('k') && !units.has(rest)) {
    scale = 1000;
    rest = rest.slice(1);
  }
  if (rest !== '' && !units.has(rest)) return null;
  const isNext = () => /^[\s-]*$/.test(words[end]?.before ?? '?');
  if (letters === '' && isNext()) {
    const word = words[end]?.text ?? '';
    const found = scales.get(word);
    if (found !== undefined) {
      scale = found;
      isMoney = word === 'grand';
      end++;
    }
  }
  let unit = units.get(rest) ?? null;
  if (unit === null && isNext() && units.has(words[end]?.text ?? '')) {
    unit = units.get(words[end]?.text ?? '') ?? null;
    end++;
  }
  return { end, scale, unit: unit === 'money' ? null : unit, isMoney: isMoney || unit === 'money' };
}

/** `nine grand`, `twenty five thousand`, `ten thousand miles`: a number in words needs a scale or a unit. */
function amountInWords(words: readonly Word[], start: number): Amount | null {
  const first = words[start]?.text ?? '';
  let value = smallNumbers.get(first) ?? tens.get(first);
  if (value === undefined) return null;
  let end = start + 1;
  const second = smallNumbers.get(words[end]?.text ?? '');
  if (value >= 20 && second !== undefined && second < 10) {
    value += second;
    end++;
  }
  if (words[end]?.text === 'hundred' && scales.get(words[end + 1]?.text ?? '') === 1000) {
    value *= 100;
    end++;
  }
  const scaled = scaleAt(words, end, '');
  if (!scaled) return null;
  const isCounted = scaled.end > end || /^(years?|yrs?)$/.test(words[end]?.text ?? '') || isRangeInWords(words, end);
  if (!isCounted) return null;
  const hundreds = scaled.scale === 1000 ? smallNumbers.get(words[scaled.end]?.text ?? '') : undefined;
  const more = hundreds !== undefined && words[scaled.end + 1]?.text === 'hundred' ? hundreds * 100 : 0;
  if (more > 0) {
    const rest = scaleAt(words, scaled.end + 2, '') ?? scaled;
    return {
      ...rest,
      value: value * 1000 + more,
      isMoney: scaled.isMoney || rest.isMoney,
      isThousands: true,
      isPlain: false,
      isShortYear: false,
    };
  }
  return {
    end: scaled.end,
    value: value * scaled.scale,
    isMoney: scaled.isMoney,
    isThousands: scaled.scale === 1000,
    isPlain: false,
    unit: scaled.unit,
    isShortYear: false,
  };
}

/** `six to eight thousand`: the scale of the second number is that of the first too. */
function isRangeInWords(words: readonly Word[], end: number): boolean {
  const [link, second, scale] = words.slice(end, end + 3).map(({ text }) => text);
  return ['to', 'and', 'or'].includes(link ?? '') && smallNumbers.has(second ?? '') && scales.has(scale ?? '');
}

/** Whether the amount may be a model year. */
export function isYear(amount: Amount, lastYear: number): boolean {
  if (amount.unit !== null || amount.isMoney) return false;
  return amount.isShortYear || (amount.isPlain && amount.value >= FIRST_YEAR && amount.value <= lastYear);
}
const FIRST_YEAR = 1900;

/** The year that an amount stands for. */
export function yearOf({ value, isShortYear }: Pick<Amount, 'value' | 'isShortYear'>, lastYear: number): number {
  if (!isShortYear) return value;
  return 2000 + value <= lastYear ? 2000 + value : 1900 + value;
}
