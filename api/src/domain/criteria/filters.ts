import { kindLabel } from '../facts/kinds-from-text.ts';
import { type FilterKind, filterKinds, filterValues, mileageText, plainWords } from '../forms/filter-values.ts';
import { ratingTexts } from '../prices/price-words.ts';
import { ratePrice } from '../prices/rate-price.ts';

type Maybe<T> = T | null | undefined;

/** What an alert asks further; null and an empty list ask for nothing. */
export interface FilterCriteria extends Partial<Record<FilterKind, Maybe<string>>> {
  /** Miles. */
  mileageMax?: Maybe<number>;
  /** Words in lower case, as `plainWords` writes them: none of them stands in the title. */
  excludeWords?: Maybe<readonly string[]>;
  /** Each of them stands in the title. */
  requireWords?: Maybe<readonly string[]>;
  /**
   * true: a price must be stated; false: it need not be, also where the alert bounds it; null: it must where the alert
   * bounds it.
   */
  priceStated?: Maybe<boolean>;
  belowFairPrice?: Maybe<boolean>;
}

/** The facts of a listing that filters are about; null means not stated. */
export interface FilterFacts extends Partial<Record<FilterKind, Maybe<string>>> {
  title?: Maybe<string>;
  /** Words are looked for in it too. */
  trim?: Maybe<string>;
  price?: Maybe<number>;
  /** Miles. */
  mileage?: Maybe<number>;
  bandLow?: Maybe<number>;
  bandMiddle?: Maybe<number>;
  bandHigh?: Maybe<number>;
}

/**
 * A bit of `alert_cells.asked` for each value that an alert can ask for. The database stores them, so values may only be
 * appended.
 */
const askedBits: ReadonlyMap<string, number> = new Map(
  (
    [
      ['transmission', 'automatic manual'],
      ['fuel', 'gas diesel hybrid plug_in_hybrid electric'],
      ['drive', 'awd 4wd fwd rwd'],
      ['body', 'sedan suv truck coupe hatchback wagon van convertible'],
      ['titleStatus', 'clean salvage rebuilt'],
      ['seller', 'private dealer'],
    ] satisfies [FilterKind, string][]
  )
    .flatMap(([kind, values]) => values.split(' ').map((value) => `${kind} ${value}`))
    .map((name, at) => [name, 2 ** at]),
);

const bitOf = (kind: FilterKind, value: string): number => askedBits.get(`${kind} ${value}`) ?? 0;

/** Further bits of `alert_cells.asked`. */
export const PRICE_STATED = 2 ** 24;
export const BELOW_FAIR = 2 ** 25;
/** What is asked further has no bit, see `conditionsOf`. */
export const HAS_CONDITIONS = 2 ** 30;

/** Which values of a fact a listing with this value refutes, and which it leaves open, as bits. */
interface ValueBits {
  value: string;
  refuted: number;
  open: number;
}

/** The bits for each value that a listing can state; any other value refutes all of them. */
export interface KindBits {
  kind: FilterKind;
  all: number;
  values: ValueBits[];
}

const halfOpen: Readonly<Partial<Record<FilterKind, Record<string, readonly string[]>>>> = {
  drive: { '2wd': ['fwd', 'rwd'] },
  // A lien is a debt, and says nothing about damage.
  titleStatus: { lien: ['clean', 'salvage', 'rebuilt'] },
};

/** For each fact, the bits of what its values refute. */
export const kindBits: readonly KindBits[] = filterKinds.map((kind) => {
  const known = Object.keys(filterValues[kind]);
  const sum = (values: readonly string[]) => values.reduce((bits, value) => bits + bitOf(kind, value), 0);
  const all = sum(known);
  return {
    kind,
    all,
    values: [
      ...known.map((value) => ({ value, refuted: all - bitOf(kind, value), open: 0 })),
      ...Object.entries(halfOpen[kind] ?? {}).map(([value, open]) => ({
        value,
        refuted: all - sum(open),
        open: sum(open),
      })),
    ],
  };
});

/** Whether cars without a price match whatever bounds an alert has, so that these are among its conditions. */
const hasOpenPrice = (alert: FilterCriteria & { priceMin?: Maybe<number>; priceMax?: Maybe<number> }): boolean =>
  alert.priceStated === false && (Boolean(alert.priceMin) || typeof alert.priceMax === 'number');

/**
 * What an alert asks that has no bit, as the search reads it: patterns of excluded words, of required ones, and the bounds of
 * a price that need not be stated, with an ampersand between each; empty where it asks for none. Words have neither
 * ampersands nor bars, nor what has a meaning in patterns.
 */
export function conditionsOf(alert: Parameters<typeof hasOpenPrice>[0]): string {
  const patternsOf = (words: Maybe<readonly string[]>) => (words ?? []).map((word) => `% ${word} %`).join('|');
  const bounds = hasOpenPrice(alert) ? [alert.priceMin, alert.priceMax] : [null, null];
  const parts = [patternsOf(alert.excludeWords), patternsOf(alert.requireWords), ...bounds.map((one) => one ?? '')];
  return parts.every((part) => part === '') ? '' : parts.join('&');
}

/** `alert_cells.asked` of an alert, and whether its bounds of the price are among its conditions. */
export function askedFilters(alert: Parameters<typeof hasOpenPrice>[0]): { asked: number; isPriceOpen: boolean } {
  const values = filterKinds.reduce((bits, kind) => bits + (alert[kind] ? bitOf(kind, alert[kind]) : 0), 0);
  const isPriceOpen = hasOpenPrice(alert);
  const asked =
    values +
    (alert.priceStated === true ? PRICE_STATED : 0) +
    (alert.belowFairPrice ? BELOW_FAIR : 0) +
    (conditionsOf(alert) === '' ? 0 : HAS_CONDITIONS);
  return { asked, isPriceOpen };
}

/** Whether an alert has one of the filters that are checked on the candidates of the search. */
export const isFiltered = (alert: FilterCriteria): boolean =>
  askedFilters(alert).asked !== 0 || typeof alert.mileageMax === 'number';

/** What filters are called in verdicts. */
export type FilterCriterion = FilterKind | 'mileage' | 'excludeWords' | 'requireWords' | 'belowFairPrice';

/** null: not stated. */
interface FilterVerdict {
  criterion: FilterCriterion;
  isMet: boolean | null;
  asked: string;
  found: string | null;
}

const milesText = (miles: number): string => `${miles.toLocaleString('en-US')} miles`;

function kindVerdict(kind: FilterKind, asked: string, found: Maybe<string>): FilterVerdict {
  const bits = kindBits.find((one) => one.kind === kind);
  const refuted = found ? (bits?.values.find(({ value }) => value === found)?.refuted ?? bits?.all ?? 0) : 0;
  const isRefuted = (refuted & bitOf(kind, asked)) !== 0;
  return {
    criterion: kind,
    isMet: isRefuted ? false : found === asked ? true : null,
    asked: kindLabel(kind, asked),
    found: found ? kindLabel(kind, found) : null,
  };
}

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ');

function wordVerdicts({ excludeWords, requireWords }: FilterCriteria, title: string): FilterVerdict[] {
  const text = ` ${plainWords(title)} `;
  const foundOf = (words: readonly string[]) => words.filter((word) => text.includes(` ${word} `));
  const verdicts: FilterVerdict[] = [];
  if (excludeWords && excludeWords.length > 0) {
    const found = foundOf(excludeWords);
    verdicts.push({
      criterion: 'excludeWords',
      isMet: found.length === 0,
      asked: `Without ${quoted(excludeWords)}`,
      found: found.length === 0 ? 'None of them in title or trim' : `${quoted(found)} in title or trim`,
    });
  }
  if (requireWords && requireWords.length > 0) {
    const found = foundOf(requireWords);
    verdicts.push({
      criterion: 'requireWords',
      isMet: found.length === requireWords.length,
      asked: `With ${quoted(requireWords)}`,
      found: found.length === 0 ? 'None of them in title or trim' : `${quoted(found)} in title or trim`,
    });
  }
  return verdicts;
}

/** A price below the fair one is rated good or great. Without a band nobody can tell, so that the car does not match. */
function fairVerdict({ price, bandLow, bandMiddle, bandHigh }: FilterFacts): FilterVerdict {
  const common = { criterion: 'belowFairPrice' as const, asked: 'Below the fair price' };
  if (typeof price !== 'number') return { ...common, isMet: false, found: null };
  if (typeof bandLow !== 'number' || typeof bandMiddle !== 'number' || typeof bandHigh !== 'number')
    return { ...common, isMet: false, found: 'Not enough cars to tell a fair price' };
  const rating = ratePrice({ low: bandLow, middle: bandMiddle, high: bandHigh, n: 0 }, price);
  return { ...common, isMet: rating === 'great' || rating === 'good', found: ratingTexts[rating] };
}

/**
 * The verdict for each filter that an alert has. As with the color, a value that the seller does not state excludes no car;
 * as with year and price, a mileage that is not stated does not meet a bound.
 */
export function filterVerdicts(alert: FilterCriteria, listing: FilterFacts): FilterVerdict[] {
  const { mileage } = listing;
  const { mileageMax } = alert;
  return [
    ...(typeof mileageMax === 'number'
      ? [
          {
            criterion: 'mileage' as const,
            isMet: typeof mileage === 'number' && mileage <= mileageMax,
            asked: mileageText(mileageMax),
            found: typeof mileage === 'number' ? milesText(mileage) : null,
          },
        ]
      : []),
    ...filterKinds.flatMap((kind) => {
      const asked = alert[kind];
      return asked ? [kindVerdict(kind, asked, listing[kind])] : [];
    }),
    ...wordVerdicts(alert, [listing.title, listing.trim].filter(Boolean).join(' ')),
    ...(alert.belowFairPrice ? [fairVerdict(listing)] : []),
  ];
}
