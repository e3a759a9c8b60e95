import { readMileage, readTransmission } from '../facts/facts-from-text.ts';
import { kindsInTitle } from '../facts/kinds-from-text.ts';

export type ReadFrom = 'field' | 'title' | 'description';

/** A fact with the place and the words where it was read. */
export interface Read<T> {
  value: T;
  from: ReadFrom;
  words: string;
}

export type TitleStatus = 'clean' | 'salvage' | 'rebuilt' | 'lien' | 'parts_only';

/** What a seller says about the price. Amounts are whole US dollars. */
export interface PriceWords {
  /** Offers are invited: `obo`, `negotiable`. */
  obo: boolean;
  /** `firm`, `no lowball offers`. */
  firm: boolean;
  down: number | null;
  monthly: number | null;
  /** Prices of the car that differ from each other, from the lowest to the highest; one price alone is not listed. */
  prices: readonly number[];
}

/** What title and description state about a car. Null is not stated; nothing is guessed. */
export interface TextFacts {
  titleStatus: Read<TitleStatus> | null;
  mileageMiles: Read<number> | null;
  trim: Read<string> | null;
  /** The values of `kinds-from-text.ts`, as for fuel and body. */
  drive: Read<string> | null;
  fuel: Read<string> | null;
  transmission: Read<'automatic' | 'manual'> | null;
  body: Read<string> | null;
  doors: Read<number> | null;
  /** The color of the outside, one of the catalogue's. */
  color: Read<string> | null;
  seller: Read<'private' | 'dealer'> | null;
  /** With a right check digit. */
  vin: Read<string> | null;
  priceWords: Read<PriceWords> | null;
}

export interface AdvertText {
  title: string;
  /** Plain text, of which the first 10,000 characters are read. */
  description: string | null;
  /** The car's slugs, model year and price in whole US dollars, as far as they are known. */
  make: string | null;
  model: string | null;
  year: number | null;
  price: number | null;
}

const titled = <T>(value: T | null, words: string): Read<T> | null =>
  value === null ? null : { value, from: 'title', words };

/** Reads what title and description state about a car; the title wins over the description. Never throws. */
export function readTextFacts({ title }: AdvertText): TextFacts {
  const { fuel, drive, body, titleStatus } = kindsInTitle(title);
  return {
    titleStatus: titled(titleStatus as TitleStatus | null, title),
    mileageMiles: titled(readMileage(title), title),
    trim: null,
    drive: titled(drive, title),
    fuel: titled(fuel, title),
    transmission: titled(readTransmission(title), title),
    body: titled(body, title),
    doors: null,
    color: null,
    seller: null,
    vin: null,
    priceWords: null,
  };
}
