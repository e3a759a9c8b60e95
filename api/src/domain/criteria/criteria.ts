import { makeLabel, modelLabel } from '../catalogue.ts';
import { cosRadius, isWithin, shownMiles, unitVector } from '../places/place.ts';
import { type AskedCars, askedCars, makesText, modelsText } from './asked-cars.ts';
import { type FilterCriteria, type FilterFacts, filterVerdicts } from './filters.ts';

/** The database stores positions in this list, so colors may only be appended. */
const codedColors: readonly string[] = [
  'black',
  'white',
  'silver',
  'gray',
  'blue',
  'red',
  'green',
  'yellow',
  'orange',
  'brown',
  'gold',
  'beige',
  'purple',
  'other',
];

/** The code of a color; 0 if a listing states none or an alert asks for any. An unknown color has the code of 'other'. */
export function colorCode(color: string | null | undefined): number {
  if (color === null || color === undefined || color === 'any') return 0;
  const index = codedColors.indexOf(color);
  return index < 0 ? codedColors.length : index + 1;
}

export enum Criterion {
  make = 'make',
  model = 'model',
  year = 'year',
  price = 'price',
  color = 'color',
  image = 'image',
  distance = 'distance',
  mileage = 'mileage',
  transmission = 'transmission',
  fuel = 'fuel',
  drive = 'drive',
  body = 'body',
  titleStatus = 'titleStatus',
  seller = 'seller',
  excludeWords = 'excludeWords',
  requireWords = 'requireWords',
  belowFairPrice = 'belowFairPrice',
}

export enum VerdictKind {
  met = 'met',
  not_stated = 'not_stated',
  not_met = 'not_met',
}

export interface Verdict {
  criterion: Criterion;
  verdict: VerdictKind;
  /** null: the alert asks for nothing. */
  asked: string | null;
  /** null: the listing does not state it. */
  found: string | null;
}

/** Bits of the column `matches.not_stated`; `filters` is set where a filter asks for what is not stated. */
export const notStatedBits = { color: 1, model: 2, year: 4, price: 8, image: 16, filters: 32 } as const;

type Maybe<T> = T | null | undefined;

/** The criteria of an alert; null means no bound, as does a priceMin of 0. */
export interface AlertCriteria extends AskedCars, FilterCriteria {
  yearMin?: Maybe<number>;
  yearMax?: Maybe<number>;
  priceMin?: Maybe<number>;
  priceMax?: Maybe<number>;
  color?: Maybe<string>;
  onlyWithImages: boolean;
  lat: number;
  lng: number;
  /** Miles. */
  radius: number;
}

/** The facts of a listing that criteria are about; null means not stated. */
export interface ListingCriteria extends FilterFacts {
  make: string;
  model?: Maybe<string>;
  year?: Maybe<number>;
  color?: Maybe<string>;
  imageUrl?: Maybe<string>;
  lat?: Maybe<number>;
  lng?: Maybe<number>;
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const dollars = (amount: number): string => `$${amount.toLocaleString('en-US')}`;

function rangeText(min: Maybe<number>, max: Maybe<number>, show: (value: number) => string): string | null {
  if (typeof min === 'number' && typeof max === 'number') return `${show(min)} to ${show(max)}`;
  if (typeof min === 'number') return `from ${show(min)}`;
  return typeof max === 'number' ? `up to ${show(max)}` : null;
}

/** A value that is not stated does not meet a bound, and is 'not stated' without one. */
function rangeVerdict(value: Maybe<number>, min: Maybe<number>, max: Maybe<number>): VerdictKind {
  const bounded = typeof min === 'number' || typeof max === 'number';
  if (typeof value !== 'number') return bounded ? VerdictKind.not_met : VerdictKind.not_stated;
  const fits = value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
  return fits ? VerdictKind.met : VerdictKind.not_met;
}

function metIf(condition: boolean): VerdictKind {
  return condition ? VerdictKind.met : VerdictKind.not_met;
}

function modelVerdict(asked: Maybe<readonly string[]>, found: Maybe<string>): VerdictKind {
  if (!found) return asked ? VerdictKind.not_met : VerdictKind.not_stated;
  return metIf(!asked || asked.includes(found));
}

/** A price that is not stated meets no bound, unless the alert says whether it must be stated. */
function priceVerdict({ priceMax, priceStated, ...alert }: AlertCriteria, price: Maybe<number>): Verdict {
  const priceMin = alert.priceMin === 0 ? null : alert.priceMin;
  const isOpen = typeof price !== 'number' && typeof priceStated === 'boolean';
  const range = rangeText(priceMin, priceMax, dollars);
  const stated = { true: 'with a stated price', false: 'or not stated' }[String(priceStated)] ?? null;
  return {
    criterion: Criterion.price,
    verdict: isOpen
      ? priceStated
        ? VerdictKind.not_met
        : VerdictKind.not_stated
      : rangeVerdict(price, priceMin, priceMax),
    asked: range === null ? (priceStated ? 'a stated price' : null) : [range, stated].filter(Boolean).join(', '),
    found: typeof price === 'number' ? dollars(price) : null,
  };
}

/** A color that is not stated never excludes a listing. */
function colorVerdict(asked: number, found: number): VerdictKind {
  return found === 0 ? VerdictKind.not_stated : metIf(asked === 0 || asked === found);
}

function distanceVerdict(alert: AlertCriteria, listing: ListingCriteria): { miles: number | null; fits: boolean } {
  const { lat, lng } = listing;
  if (typeof lat !== 'number' || typeof lng !== 'number') return { miles: null, fits: false };
  const fits = isWithin(unitVector(alert.lat, alert.lng), unitVector(lat, lng), cosRadius(alert.radius));
  return { miles: shownMiles(alert, { lat, lng }), fits };
}

/**
 * The verdict for each of the seven criteria that every alert has, in their order, and then for each filter that this alert
 * has. The SQL of matching decides by the same rules.
 */
export function verdictsFor(alert: AlertCriteria, listing: ListingCriteria): Verdict[] {
  const cars = askedCars(alert);
  const allModels = [...cars.values()].flatMap((models) => models ?? []);
  const askedColor = colorCode(alert.color);
  const { miles, fits } = distanceVerdict(alert, listing);
  return [
    {
      criterion: Criterion.make,
      verdict: metIf(cars.has(listing.make)),
      asked: makesText(cars),
      found: makeLabel(listing.make),
    },
    {
      criterion: Criterion.model,
      verdict: modelVerdict(cars.get(listing.make) ?? (allModels.length > 0 ? allModels : null), listing.model),
      asked: modelsText(cars),
      found: listing.model ? modelLabel(listing.make, listing.model) : null,
    },
    {
      criterion: Criterion.year,
      verdict: rangeVerdict(listing.year, alert.yearMin, alert.yearMax),
      asked: rangeText(alert.yearMin, alert.yearMax, String),
      found: typeof listing.year === 'number' ? String(listing.year) : null,
    },
    priceVerdict(alert, listing.price),
    {
      criterion: Criterion.color,
      verdict: colorVerdict(askedColor, colorCode(listing.color)),
      asked: askedColor > 0 && alert.color ? capitalised(alert.color) : null,
      found: listing.color ? capitalised(listing.color) : null,
    },
    {
      criterion: Criterion.image,
      verdict:
        typeof listing.imageUrl === 'string'
          ? VerdictKind.met
          : alert.onlyWithImages
            ? VerdictKind.not_met
            : VerdictKind.not_stated,
      asked: alert.onlyWithImages ? 'With a photo' : null,
      found: typeof listing.imageUrl === 'string' ? 'Photo' : null,
    },
    {
      criterion: Criterion.distance,
      verdict: metIf(fits),
      asked: `Within ${alert.radius} miles`,
      found: miles === null ? null : `${miles.toFixed(1)} miles`,
    },
    ...filterVerdicts(alert, listing).map(({ criterion, isMet, ...words }) => ({
      criterion: Criterion[criterion],
      verdict: isMet === null ? VerdictKind.not_stated : metIf(isMet),
      ...words,
    })),
  ];
}

/** Whether a listing with these verdicts is a match. */
export function fits(verdicts: readonly Verdict[]): boolean {
  return verdicts.every(({ verdict }) => verdict !== VerdictKind.not_met);
}
