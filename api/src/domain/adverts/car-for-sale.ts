import type { RejectCode } from '../facts/listing-facts.ts';
import { readTitle, type TitleReading } from '../titles/vehicle-title.ts';

/** What a category, a type or a body style says that an advert is. */
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

/** Categories that Facebook names by number only; `vehicles` there are motorcycles and trailers too. */
const facebookCategories = new Map<string, AdvertKind>([
  ['807311116002614', 'car'],
  ['757715671026531', 'part'],
  ['821056594720130', 'home'],
  ['1468271819871448', 'home'],
]);

/** The first that fits wins: `toy cars` are toys, `car parts` parts, `mobile homes` campers. */
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
    /\b(electronics?|phones?|computers?|furniture|appliances?|garden|tools?|apparel|clothing|clothes|shoes|jewelry|beauty|health|pets?|musical?|instruments?|office|sports?|sporting|books?|movies|antiques?|art|household|farm|free|general|misc|miscellaneous|classifieds)\b/,
  ],
];

const MAX_CATEGORY = 300;

/** A source has few categories, and each item names some of them. */
const knownKinds = new Map<string, AdvertKind | null>();
const MAX_KNOWN = 500;

function kindOfPart(text: string): AdvertKind | null {
  return kindWords.find(([, words]) => words.test(text))?.[0] ?? null;
}

/** `Cars & Motorcycles` says nothing about one of them, but `Parts & Accessories` does. */
function kindOfSegment(text: string): AdvertKind | null {
  const kinds = new Set(text.split(/[,&+/]|\b(?:and|or)\b/).flatMap((part) => kindOfPart(part) ?? []));
  if (kinds.has('car') && kinds.size > 1) return null;
  return kinds.values().next().value ?? null;
}

/**
 * What an advert is by one of its categories or types: `807311116002614`, `Auto Parts`, `RV_CAMPER`,
 * `https://schema.org/MotorizedBicycle`, `Motors > Cars & Trucks`; the end of a path speaks first. null: it doesn't say.
 */
export function kindOf(category: string): AdvertKind | null {
  if (category.length > MAX_CATEGORY) return readKind(category);
  const known = knownKinds.get(category);
  if (known !== undefined) return known;
  const kind = readKind(category);
  if (knownKinds.size >= MAX_KNOWN) knownKinds.clear();
  knownKinds.set(category, kind);
  return kind;
}

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

/** All that an advert says about what it is; null is "not stated". */
export interface Advert {
  title: string;
  /** The make in a field of its own, as written. */
  make: string | null;
  /** false where the make is only the brand of whatever is sold. */
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
  /** What the attributes say, for an advert without a title. */
  name: string;
}

export interface Refusal {
  code: RejectCode;
  reason: string;
}

/** Below this, what names a car without year or mileage is something for it. */
const MIN_CAR_PRICE = 300;
/** From this on a toy or a part is improbable. */
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

const words: Record<Exclude<AdvertKind, 'car' | 'goods'>, string> = {
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
  /** Year, make and model are all stated. */
  full: boolean;
  driven: boolean;
  price: number;
  model: string | null;
}

/** Whether an advert is a car although its category says another thing: one odd attribute doesn't throw a car away. */
function isCarAllTheSame(
  kind: Exclude<AdvertKind, 'car' | 'goods'>,
  { full, driven, price, model }: Evidence,
): boolean {
  const dear = price >= MIN_CERTAIN_CAR_PRICE;
  switch (kind) {
    case 'motorcycle':
    case 'boat':
    case 'machine':
      return full;
    case 'camper':
      return full && !camperChassis.has(model ?? '');
    case 'toy':
      return full && (driven || dear);
    case 'rental':
      return false;
    default:
      return full && driven && dear;
  }
}

/** The one of title and attributes that names a make of the catalogue, completed by the other. */
function carNamed(said: TitleReading, stated: TitleReading | null): { make: string; model: string | null } | null {
  const found = said.make ? said : stated?.make ? stated : null;
  if (!found?.make) return null;
  return { make: found.make, model: found.model ?? (stated?.make === found.make ? stated.model : null) };
}

/** A first word that stands where the year stands and is none: `9999 Toyota Camry`, but not `2500 Ram`. */
function impossibleYear({ title, price }: Advert, said: TitleReading, lastYear: number): number | null {
  const [, digits, rest = ''] = /^\W{0,3}(\d{4})\s+(.{0,200})/.exec(title) ?? [];
  const year = Number(digits);
  if (
    said.year !== null ||
    said.make === null ||
    price === year ||
    !(year === 9999 || (year > lastYear && year < 2100))
  )
    return null;
  return readTitle(rest.split(/\s+/).slice(0, 2).join(' ')).make === said.make ? year : null;
}

/**
 * Whether an advert is a car for sale, by title, category, attributes, mileage and price together, and which; else the
 * code and reason why not. Parts, wishes, motorcycles, campers, toys, services and homes are told apart.
 * @param now a car is at most of the next model year
 */
export function classifyAdvert(advert: Advert, now: Date): CarForSale | Refusal {
  const { title, make, price, mileageMiles } = advert;
  const lastYear = now.getUTCFullYear() + 1;
  const name = [advert.year, make, advert.model].filter((part) => part !== null).join(' ');
  if (title === '' && make === null) return notACar('The item has no title.');
  const kinds = advert.categories.flatMap((category) => kindOf(category) ?? []);
  const said = readTitle(title, now);
  // Attributes are read where they may add something: most titles name make and model themselves.
  const stated = make === null || said.model !== null ? null : readTitle(name, now);
  const car = carNamed(said, stated);
  const year = said.year ?? advert.year;
  const evidence: Evidence = {
    full: car?.model != null && year !== null,
    driven: mileageMiles !== null,
    price: price ?? 0,
    model: car?.model ?? null,
  };
  for (const kind of kinds) {
    if (kind === 'car' || kind === 'goods' || isCarAllTheSame(kind, evidence)) continue;
    return notACar(`It is offered ${words[kind]}.`);
  }
  if (said.notACar) return notACar('The title offers no whole car.');

  const isGoods = kinds.includes('goods');
  const isVehicle = kinds.includes('car') || advert.makeIsVehicles || (evidence.driven && !isGoods);
  if (!car) {
    if (said.otherMake || isVehicle) return { code: 'UNKNOWN_MAKE', reason: 'The make is not in the catalogue.' };
    return notACar('The title names no car.');
  }
  if (isGoods && !isVehicle && !evidence.full && !evidence.driven && evidence.price < MIN_CERTAIN_CAR_PRICE) {
    return notACar('Neither its category nor its price is that of a car.');
  }
  if (!isVehicle && !evidence.driven && year === null && price !== null && price < MIN_CAR_PRICE) {
    return notACar('It is too cheap to be the car it names.');
  }
  const wrongYear = [advert.year, impossibleYear(advert, said, lastYear)].find(
    (stated) => stated !== null && (stated < FIRST_YEAR || stated > lastYear),
  );
  if (wrongYear !== undefined) return { code: 'BAD_YEAR', reason: `${wrongYear} is no model year.` };
  return { ...car, year, name };
}
