import { memoize } from '../../base/memoize.ts';
import type { RejectCode } from '../facts/listing-facts.ts';
import { readTitle, type TitleReading } from '../titles/vehicle-title.ts';

/** What an advert offers, by its category, type or body style. */
type AdvertKind =
  | 'car'
  | 'part'
  | 'motorcycle'
  | 'camper'
  | 'boat'
  | 'machine'
  | 'toy'
  | 'home'
  | 'service'
  | 'rental'
  | 'wanted'
  | 'goods';

/** Facebook's numbers of categories. Its vehicles include motorcycles and trailers. */
const facebookCategories = new Map<string, AdvertKind>([
  ['807311116002614', 'car'],
  ['757715671026531', 'part'],
  ['821056594720130', 'home'],
  ['1468271819871448', 'home'],
]);

/** The first kind that fits counts: `toy cars` are toys, `car parts` are parts, `mobile homes` are campers. */
const kindWords: readonly (readonly [AdvertKind, RegExp])[] = [
  ['wanted', /\bwanted\b/],
  ['service', /\b(services?|repairs?|detailing|financing|loans?|jobs|insurance|towing)\b/],
  [
    'part',
    /\b(parts?|accessor(y|ies)|tires?|wheels|rims|(car|auto|vehicle) (seats?|audio|electronics|stereos?|care))\b/,
  ],
  ['toy', /\b(toys?|games?|die ?casts?|collectibles?|hobb(y|ies)|memorabilia|baby|kids)\b/],
  ['camper', /\b(rvs?|campers?|camping|caravans|motor ?homes?|mobile homes?|trailers?|recreational vehicles?)\b/],
  [
    'motorcycle',
    /\b(motor ?(cycles?|bikes?)|motorized bicycles?|scooters?|mopeds?|dirt ?bikes?|atvs?|utvs?|quads?|power ?sports?|snowmobiles?|golf carts?|(all terrain|off road|utility task) vehicles?)\b/,
  ],
  ['boat', /\b(boats?|boating|water ?crafts?|jet ?skis?|marine|yachts?)\b/],
  ['machine', /\b(tractors?|machinery|heavy equipment|aircrafts?|air ?planes?|aviation|bus(es)?|industrial)\b/],
  ['rental', /\b(rent|rentals?|leas(e|es|ing))\b/],
  ['home', /\b(homes?|houses?|housing|apartments?|propert(y|ies)|real estate|rooms?|land)\b/],
  [
    'car',
    /\b(cars?|trucks?|(mini)?vans?|suvs?|crossovers?|autos?|automobiles?|automotive|pick ?ups?|vehicles?|motors|sedans?|saloons?|coupes?|hatchbacks?|wagons?|convertibles?|roadsters?|cabriolets?|cab)\b/,
  ],
  [
    'goods',
    /\b(electronics?|phones?|computers?|furniture|appliances?|garden|tools?|apparel|clothing|clothes|shoes|jewelry|beauty|health|pets?|musical?|instruments?|office|sports?|sporting|bicycles?|bikes?|cycling|photo|photography|cameras?|video|books?|movies|antiques?|art|household|farm|free|general|misc|miscellaneous|classifieds)\b/,
  ],
];

const MAX_CATEGORY = 300;

function kindOfPart(text: string): AdvertKind | null {
  return kindWords.find(([, words]) => words.test(text))?.[0] ?? null;
}

/** null for several kinds with cars among them, as in `Cars & Motorcycles`. */
function kindOfSegment(text: string): AdvertKind | null {
  const kinds = new Set(text.split(/[,&+/]|\b(?:and|or)\b/).flatMap((part) => kindOfPart(part) ?? []));
  if (kinds.has('car') && kinds.size > 1) return null;
  return kinds.values().next().value ?? null;
}

/**
 * What an advert offers by one of its categories or types: `807311116002614`, `Auto Parts`, `RV_CAMPER`,
 * `https://schema.org/MotorizedBicycle`, `Motors > Cars & Trucks`. In a path the last part that names a kind counts. null
 * if none does. Memoized, as a source has few categories.
 */
export const kindOf = memoize(readKind, { maxEntries: 500, maxKeyLength: MAX_CATEGORY });

function readKind(category: string): AdvertKind | null {
  const text = category.slice(0, MAX_CATEGORY).trim();
  if (/^\d{12,}$/.test(text)) return facebookCategories.get(text) ?? 'goods';
  const plain = text
    .replace(/^https?:\/\/(www\.)?schema\.org\//i, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/(?<=\w)[_-](?=\w)/g, ' ')
    .toLowerCase();
  for (const segment of plain.split(/[>|»:]|\s[/–-]\s/).reverse()) {
    const kind = kindOfSegment(segment);
    if (kind) return kind;
  }
  return null;
}

/** What an advert states about the thing that it offers; null means not stated. */
export interface Advert {
  title: string;
  /** The make in a field of its own, as written. */
  make: string | null;
  /** false if the make is only the brand of any goods. */
  makeIsVehicles: boolean;
  model: string | null;
  year: number | null;
  /** Categories, types, body styles: names or Facebook's numbers. */
  categories: readonly string[];
  /** Whole US dollars. */
  price: number | null;
  mileageMiles: number | null;
}

export interface CarForSale {
  make: string;
  model: string | null;
  year: number | null;
  /** Year, make and model as stated, for an advert without a title. */
  name: string;
}

export interface Refusal {
  code: RejectCode;
  reason: string;
}

/** A cheaper advert without year and mileage offers something for a car. */
const MIN_CAR_PRICE = 300;
/** From this price on, toys and parts are improbable. */
const MIN_CERTAIN_CAR_PRICE = 1000;
const FIRST_YEAR = 1900;
/** Models on whose chassis campers are built. */
const camperChassis = new Set([
  'e-series',
  'sprinter',
  'transit',
  'promaster',
  'express',
  'savana',
  'eurovan',
  'f-450',
  'f-550',
]);

const notACar = (reason: string): Refusal => ({ code: 'NOT_A_CAR', reason });

const offered: Record<Exclude<AdvertKind, 'car' | 'goods'>, string> = {
  part: 'as a part',
  motorcycle: 'as a motorcycle',
  camper: 'as a camper or trailer',
  boat: 'as a boat',
  machine: 'as a machine',
  toy: 'as a toy',
  home: 'as a home',
  service: 'as a service',
  rental: 'for rent',
  wanted: 'as a wish',
};

interface Evidence {
  /** Year, make and model are stated. */
  isFull: boolean;
  hasMileage: boolean;
  price: number;
  model: string | null;
}

/** Whether an advert offers a car although its category is another one, so that no car is lost by a wrong category. */
function isCarDespite(
  kind: Exclude<AdvertKind, 'car' | 'goods'>,
  { isFull, hasMileage, price, model }: Evidence,
): boolean {
  const isExpensive = price >= MIN_CERTAIN_CAR_PRICE;
  switch (kind) {
    case 'motorcycle':
    case 'boat':
    case 'machine':
      return isFull;
    case 'camper':
      return isFull && !camperChassis.has(model ?? '');
    case 'toy':
      return isFull && (hasMileage || isExpensive);
    case 'rental':
      return false;
    default:
      return isFull && hasMileage && isExpensive;
  }
}

/** The make and model by the title, else by the attributes, which also complete the title. */
function carNamed(titled: TitleReading, stated: TitleReading | null): { make: string; model: string | null } | null {
  const found = titled.make ? titled : stated?.make ? stated : null;
  if (!found?.make) return null;
  return { make: found.make, model: found.model ?? (stated?.make === found.make ? stated.model : null) };
}

/** A number in the place of the year that can't be one: that of `9999 Toyota Camry`, but not that of `2500 Ram`. */
function impossibleYear({ title, price }: Advert, titled: TitleReading, lastYear: number): number | null {
  const [, digits, rest = ''] = /^\W{0,3}(\d{4})\s+(.{0,200})/.exec(title) ?? [];
  const year = Number(digits);
  if (
    titled.year !== null ||
    titled.make === null ||
    price === year ||
    !(year === 9999 || (year > lastYear && year < 2100))
  )
    return null;
  return readTitle(rest.split(/\s+/).slice(0, 2).join(' ')).make === titled.make ? year : null;
}

/**
 * Decides by title, categories, attributes, mileage and price whether an advert offers a car, and which one.
 * @param now determines the last model year, which is the next calendar year
 * @returns the car, or the code and reason of the rejection
 */
export function classifyAdvert(advert: Advert, now: Date): CarForSale | Refusal {
  const { title, make, price, mileageMiles } = advert;
  const lastYear = now.getUTCFullYear() + 1;
  const name = [advert.year, make, advert.model].filter((part) => part !== null).join(' ');
  if (title === '' && make === null) return notACar('The item has no title.');
  const kinds = advert.categories.flatMap((category) => kindOf(category) ?? []);
  const titled = readTitle(title, now);
  // Most titles name make and model, so that the attributes need not be read.
  const stated = make === null || titled.model !== null ? null : readTitle(name, now);
  const car = carNamed(titled, stated);
  const year = titled.year ?? advert.year;
  const evidence: Evidence = {
    isFull: car?.model != null && year !== null,
    hasMileage: mileageMiles !== null,
    price: price ?? 0,
    model: car?.model ?? null,
  };
  for (const kind of kinds) {
    if (kind === 'car' || kind === 'goods' || isCarDespite(kind, evidence)) continue;
    return notACar(`It is offered ${offered[kind]}.`);
  }
  if (titled.notACar) return notACar('The title offers no whole car.');

  const isGoods = kinds.includes('goods');
  const isVehicle = kinds.includes('car') || advert.makeIsVehicles || (evidence.hasMileage && !isGoods);
  if (!car) {
    if (titled.otherMake || isVehicle) return { code: 'UNKNOWN_MAKE', reason: 'The make is not in the catalogue.' };
    return notACar('The title names no car.');
  }
  if (isGoods && !isVehicle && !evidence.isFull && !evidence.hasMileage && evidence.price < MIN_CERTAIN_CAR_PRICE) {
    return notACar('Neither its category nor its price is that of a car.');
  }
  if (!isVehicle && !evidence.hasMileage && year === null && price !== null && price < MIN_CAR_PRICE) {
    return notACar('It is too cheap to be the car it names.');
  }
  const wrongYear = [advert.year, impossibleYear(advert, titled, lastYear)].find(
    (found) => found !== null && (found < FIRST_YEAR || found > lastYear),
  );
  if (wrongYear !== undefined) return { code: 'BAD_YEAR', reason: `${wrongYear} is no model year.` };
  return { ...car, year, name };
}
