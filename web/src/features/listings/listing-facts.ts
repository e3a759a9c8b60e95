import { type FilterKind, filterValues } from '@lotwatch/api/forms/filter-values';
import { mileageText } from '../../lib/text/amounts.ts';
import { capitalised } from '../../lib/text/words.ts';

interface Stated {
  mileage?: number | null;
  transmission?: string | null;
  color?: string | null;
  condition?: string | null;
}

interface Further {
  title: string;
  trim?: string | null;
  fuel?: string | null;
  drive?: string | null;
  body?: string | null;
}

interface Located {
  reverse_geocode: { city: string; state?: string | null };
}

/** `used_good` and `Used - Good` become `Used, good`; sellers' own words stay as they are. */
function conditionText(condition: string): string {
  const words = condition
    .trim()
    .replaceAll('_', ' ')
    .replace(' - ', ', ')
    .toLowerCase()
    .replace(/^used (?=\w)/, 'used, ');
  return capitalised(words);
}

/** Mileage, transmission, color and condition in this order; a missing fact is named as missing. */
export function listingFacts({ mileage, transmission, color, condition }: Stated): string[] {
  return [
    mileage == null ? 'Mileage N/A' : mileageText(mileage),
    transmission ? capitalised(transmission) : 'Transmission N/A',
    color ? capitalised(color) : 'Color N/A',
    condition ? conditionText(condition) : 'Condition N/A',
  ];
}

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()} `;

/** A stated value as it is shown; null for one that says no more than that it is none of the usual ones. */
export function kindText(kind: FilterKind, value: string | null | undefined): string | null {
  const known: Readonly<Record<string, string>> = filterValues[kind];
  return (value && known[value]) || null;
}

/** Trim, fuel, drive and body, where they are stated and say more than the title: 'EX-L', 'Hybrid', 'AWD', 'Wagon'. */
export function furtherFacts({ title, trim, fuel, drive, body }: Further): string[] {
  const facts = [
    trim,
    fuel === 'gas' ? null : kindText('fuel', fuel),
    drive && drive !== 'other' ? drive.toUpperCase() : null,
    kindText('body', body),
  ];
  const words = plain(title);
  return facts.filter((fact) => fact != null).filter((fact) => !words.includes(plain(fact)));
}

const badTitles = {
  salvage: 'Salvage title',
  rebuilt: 'Rebuilt title',
  parts_only: 'For parts only',
  lien: 'Title with a lien',
};

/** What is amiss with a car's title, in two or three words; null where nothing is known to be. */
export const badTitleText = (status: string | null | undefined): string | null =>
  (badTitles as Readonly<Record<string, string>>)[status ?? ''] ?? null;

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
