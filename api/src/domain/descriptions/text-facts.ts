import { findTrim } from '../trims/find-trim.ts';
import { readBody, readDoors } from './body.ts';
import { readOutsideColor } from './color.ts';
import { readDrive, readFuel } from './drivetrain.ts';
import type { About, Found, PriceWords, TitleStatus } from './found.ts';
import { readOwnMileage } from './mileage.ts';
import { readPriceWords } from './price-words.ts';
import { readSellerKind } from './seller-kind.ts';
import { quote, readWords, type SellerText } from './seller-text.ts';
import { readTextVin } from './text-vin.ts';
import { readTitleStatus } from './title-status.ts';
import { readGears } from './transmission.ts';

export type ReadFrom = 'field' | 'title' | 'description';

/** A fact with the place and the words where it was read. */
export interface Read<T> {
  value: T;
  from: ReadFrom;
  words: string;
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

function aboutCar({ make, model, year, price }: AdvertText): About {
  const own = new Set<string>();
  for (const slug of [make, model]) {
    if (slug === null) continue;
    for (const word of slug.split('-')) if (word.length > 1) own.add(word);
    own.add(slug.replaceAll('-', ''));
  }
  if (make === 'chevrolet') own.add('chevy');
  if (make === 'volkswagen') own.add('vw');
  if (year !== null) own.add(String(year)).add(String(year).slice(2));
  return { own, year, price };
}

type Reader<T> = (text: SellerText, isHeading: boolean, about: About) => Found<T> | null;

/**
 * Reads what title and description state about a car; what the title states wins over the description. Each text is split
 * into words once, and takes time in proportion to its length. Never throws.
 */
export function readTextFacts(advert: AdvertText): TextFacts {
  const about = aboutCar(advert);
  const title = readWords(advert.title);
  const description = advert.description === null ? null : readWords(advert.description);
  function read<T>(reader: Reader<T>): Read<T> | null {
    const titled = reader(title, true, about);
    if (titled) return { value: titled.value, from: 'title', words: quote(title, titled.from, titled.to) };
    const found = description && reader(description, false, about);
    return found && description
      ? { value: found.value, from: 'description', words: quote(description, found.from, found.to) }
      : null;
  }
  return {
    titleStatus: read(readTitleStatus),
    mileageMiles: read(readOwnMileage),
    trim: findTrim(advert),
    drive: read(readDrive),
    fuel: read(readFuel),
    transmission: read(readGears),
    body: read(readBody),
    doors: read(readDoors),
    color: read(readOutsideColor),
    seller: read(readSellerKind),
    vin: read(readTextVin),
    priceWords: read(readPriceWords),
  };
}
