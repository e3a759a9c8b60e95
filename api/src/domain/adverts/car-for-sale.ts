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

/**
 * What the fields of an advert add to the evidence of its title, as logarithms of odds: our own estimate, as a category is
 * wrong more often than collected adverts show, each of which is in the right one. A year, make and model at the beginning
 * of a title are about 5.
 */
const WEIGHTS = {
  /** Categories. Rentals and the like are none for sale, whatever they name. */
  car: 1.5,
  goods: -2.5,
  part: -7.5,
  toy: -5.5,
  motorcycle: -4.5,
  boat: -4.5,
  machine: -4.5,
  camper: -4.5,
  camperChassis: -12,
  never: -30,
  mileage: 2,
  /** The make in a field for vehicles, and a model and year in fields of their own. */
  vehicleField: 1,
  statedName: 4,
} as const;
const never: ReadonlySet<AdvertKind> = new Set(['home', 'service', 'rental', 'wanted']);

/** The most that a title can say for or against a car, so that fields are heard too; less for one that names no model. */
const MAX_TITLE_EVIDENCE = 5;
const MAX_WITHOUT_MODEL = 3;

/** What a price says, in whole US dollars: cars are rarely cheap, and little else is expensive. */
function evidenceOfPrice(price: number | null, isFull: boolean): number {
  if (price === null) return 0;
  if (price < MIN_CAR_PRICE) return isFull ? -1 : -6;
  if (price < MIN_CERTAIN_CAR_PRICE) return isFull ? 0 : -0.5;
  return price < MIN_EXPENSIVE ? 0.5 : 1;
}
const MIN_EXPENSIVE = 5000;

function evidenceOfKind(kind: AdvertKind, model: string | null): number {
  if (never.has(kind)) return WEIGHTS.never;
  if (kind === 'camper' && camperChassis.has(model ?? '')) return WEIGHTS.camperChassis;
  return kind in WEIGHTS ? WEIGHTS[kind as keyof typeof WEIGHTS] : 0;
}

/** The make and model by the title, else by the attributes, which also complete the title. */
function carNamed(titled: TitleReading, stated: TitleReading | null): { make: string; model: string | null } | null {
  const found = titled.make ? titled : stated?.make ? stated : null;
  if (!found?.make) return null;
  return { make: found.make, model: found.model ?? (stated?.make === found.make ? stated.model : null) };
}

const reasonOf = (kind: AdvertKind) =>
  kind === 'car' || kind === 'goods'
    ? 'Neither its category nor its price is that of a car.'
    : `It is offered ${offered[kind]}.`;

/** What the title says, and where it names no car, what the fields say in its place. */
function titleEvidence(titled: TitleReading, stated: TitleReading | null, hasModel: boolean): number {
  const against = titled.notACar ? -MAX_TITLE_EVIDENCE : 0;
  const evidence = titled.evidence ?? (stated?.evidence ?? 0) + against;
  return Math.max(-MAX_TITLE_EVIDENCE, Math.min(hasModel ? MAX_TITLE_EVIDENCE : MAX_WITHOUT_MODEL, evidence));
}

/** The reason that speaks most against a car, if all evidence together does; null if it is one. */
function whyNoCar(parts: readonly { evidence: number; reason: string }[], more: number): string | null {
  if (parts.reduce((sum, { evidence }) => sum + evidence, more) > 0) return null;
  return parts.reduce((worst, part) => (part.evidence < worst.evidence ? part : worst)).reason;
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
  const titled = readTitle(advert.title, now);
  const decided = classifyTitled(advert, titled, now);
  // Among cars even an ordinary word may name one: `Expedition`.
  const isAmongCars = advert.make === null && advert.categories.some((category) => kindOf(category) === 'car');
  if (!('code' in decided) || titled.doubted === null || !isAmongCars) return decided;
  const doubted = classifyTitled(advert, titled.doubted, now);
  return 'code' in doubted ? decided : doubted;
}

function classifyTitled(advert: Advert, titled: TitleReading, now: Date): CarForSale | Refusal {
  const { title, make, price, mileageMiles } = advert;
  const lastYear = now.getUTCFullYear() + 1;
  const name = [advert.year, make, advert.model].filter((part) => part !== null).join(' ');
  if (title === '' && make === null) return notACar('The item has no title.');
  const kinds = advert.categories.flatMap((category) => kindOf(category) ?? []);
  const isMake = make !== null && (advert.makeIsVehicles || readTitle(make, now).make !== null);
  // Most titles name make and model, so that the attributes need not be read.
  const stated = isMake && titled.model === null ? readTitle(name, now) : null;
  const car = carNamed(titled, stated);
  const year = titled.year ?? advert.year;
  const isFull = car?.model != null && year !== null;
  const isVehicle =
    kinds.includes('car') || advert.makeIsVehicles || (mileageMiles !== null && !kinds.includes('goods'));
  if (!car) {
    const other = kinds.find((kind) => kind !== 'car' && kind !== 'goods');
    if (other) return notACar(`It is offered ${offered[other as keyof typeof offered]}.`);
    if (titled.notACar) return notACar('The title offers no whole car.');
    if (titled.otherMake) return { code: 'UNKNOWN_MAKE', reason: 'The make is not in the catalogue.' };
    if (isVehicle) return { code: 'UNKNOWN_MAKE', reason: 'It names no make that is in the catalogue.' };
    return notACar('The title names no car.');
  }
  const reason = whyNoCar(
    [
      { evidence: titleEvidence(titled, stated, car.model !== null), reason: 'The title offers no whole car.' },
      { evidence: evidenceOfPrice(price, isFull), reason: 'It is too cheap to be the car it names.' },
      ...kinds.map((kind) => ({ evidence: evidenceOfKind(kind, car.model), reason: reasonOf(kind) })),
    ],
    (mileageMiles === null ? 0 : WEIGHTS.mileage) +
      (advert.makeIsVehicles ? WEIGHTS.vehicleField : 0) +
      (isMake && advert.model !== null && advert.year !== null ? WEIGHTS.statedName : 0),
  );
  if (reason !== null) return notACar(reason);
  const wrongYear = [advert.year, impossibleYear(advert, titled, lastYear)].find(
    (found) => found !== null && (found < FIRST_YEAR || found > lastYear),
  );
  if (wrongYear !== undefined) return { code: 'BAD_YEAR', reason: `${wrongYear} is no model year.` };
  return { ...car, year, name };
}
