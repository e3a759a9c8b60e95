import { mileageText } from '../../lib/text/amounts.ts';
import { capitalised } from '../../lib/text/words.ts';

/** What a card says of every car. */
export interface Stated {
  mileage?: number | null;
  transmission?: string | null;
  color?: string | null;
  condition?: string | null;
}

interface Located {
  reverse_geocode: { city: string; state?: string | null };
}

/** Alone, these words could be about the price as well. */
const grades = new Set(['new', 'like new', 'excellent', 'very good', 'good', 'fair', 'poor']);

/** `used_good` and `Used - Good` become `Used, good`, `fair` becomes `Fair condition`; sellers' own words stay as they are. */
function conditionText(condition: string): string {
  const words = condition
    .trim()
    .replaceAll('_', ' ')
    .replace(' - ', ', ')
    .toLowerCase()
    .replace(/^used (?=\w)/, 'used, ');
  return capitalised(grades.has(words) ? `${words} condition` : words);
}

/** A car's facts as a card shows them. */
export interface ListingFacts {
  mileage: string | null;
  /** Transmission, color and condition, in this order. */
  stated: string[];
  /** `Color and condition N/A`. */
  missing: string | null;
}

/** `Mileage, color and condition`. */
function inOneLine(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return capitalised(names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last);
}

/** Mileage, transmission, color and condition; a fact that is missing is named as missing. */
export function listingFacts({ mileage, transmission, color, condition }: Stated): ListingFacts {
  const facts = {
    mileage: mileage == null ? null : mileageText(mileage),
    transmission: transmission ? capitalised(transmission) : null,
    color: color ? capitalised(color) : null,
    condition: condition ? conditionText(condition) : null,
  };
  const missing = Object.entries(facts).flatMap(([name, fact]) => (fact === null ? [name] : []));
  return {
    mileage: facts.mileage,
    stated: [facts.transmission, facts.color, facts.condition].filter((fact) => fact !== null),
    missing: missing.length === 0 ? null : `${inOneLine(missing)} N/A`,
  };
}

/** Why a car can't be bought any more, or not now. */
export const endedTexts = { pending: 'Sale pending', sold: 'Sold', gone: 'No longer listed' } as const;

/** `Pasadena, CA`. */
export function placeText(location: Located | null | undefined): string {
  if (!location?.reverse_geocode.city) return 'Location unavailable';
  const { city, state } = location.reverse_geocode;
  return state ? `${city}, ${state}` : city;
}

interface PricePoint {
  price?: number | null;
  seenAt: string;
}

export interface PriceBefore {
  price: number;
  seenAt: string;
  isLower: boolean;
}

/** The previous price if it differed; times without a stated price are skipped. */
export function priceBefore(history: readonly PricePoint[], price: number | null | undefined): PriceBefore | null {
  if (price == null) return null;
  const before = history.findLast((point) => point.price != null && point.price !== price);
  return before?.price == null ? null : { price: before.price, seenAt: before.seenAt, isLower: price < before.price };
}

const DEMO_END = / · Demo$/;

/** The title without the word with which each car of the demo marketplace ends; cards say it in a mark on the photo. */
export const titleWithoutDemo = (title: string): string => title.replace(DEMO_END, '');

export const isDemoTitle = (title: string): boolean => DEMO_END.test(title);
