import { mileageText } from '../../lib/text/amounts.ts';
import { capitalised } from '../../lib/text/words.ts';

interface Stated {
  mileage?: number | null;
  transmission?: string | null;
  color?: string | null;
  condition?: string | null;
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
