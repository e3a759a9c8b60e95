import { createHash } from 'node:crypto';
import { alertKeys } from '../criteria/search-columns.ts';
import { type ListingFacts, ListingStatus } from '../facts/listing-facts.ts';
import { greatCircleMiles } from '../places/place.ts';

/** Words that sellers use for any car, or that repeat the facts. */
const stopWords = new Set(
  `a an the and with for in my of on sale selling must sell obo only low miles mile mileage clean title one owner runs
  run drives great good excellent condition no accidents accident like new nice reduced price drop relisted again firm
  demo used auto automatic manual`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * The words of a title that may distinguish a car from others of its make, model and year. @param known stated facts
 */
export function distinctiveWords(title: string, known: readonly (string | number | null)[]): Set<string> {
  const stated = new Set(known.flatMap((fact) => wordsIn(String(fact ?? ''))));
  return new Set(wordsIn(title).filter((word) => !stated.has(word) && !stopWords.has(word)));
}

/** Two sets of words: the same, one a subset of the other, or each with words of its own. */
type TitleSimilarity = 'equal' | 'subset' | 'different';

/** Compares two titles by their distinctive words. */
export function titleSimilarity(a: ReadonlySet<string>, b: ReadonlySet<string>): TitleSimilarity {
  const shared = [...a].filter((word) => b.has(word)).length;
  if (shared === a.size && shared === b.size) return 'equal';
  return shared === a.size || shared === b.size ? 'subset' : 'different';
}

/** The facts of a listing by which cars are compared. */
export interface ComparedListing
  extends Pick<
    ListingFacts,
    'title' | 'make' | 'model' | 'year' | 'price' | 'transmission' | 'color' | 'condition' | 'lat' | 'lng' | 'status'
  > {
  source: string;
  mileageMiles: number | null;
  vin: string | null;
  seenAt: Date;
  lastSeenAt: Date;
}

/** `maybe`: the facts don't decide, so the photos are compared. */
type SameCar = 'same' | 'maybe' | 'different';

/** Two sources may place one car so far apart: in the centre of a city and at its edge. */
export const MAX_DISTANCE_MILES = 20;
/** What a car may be driven while it is for sale. */
export const SMALL_INCREASE_MILES = 300;
const MILES_PER_DAY = 40;
/** Prices of one car differ by at most this share. */
const MAX_PRICE_CHANGE = 0.16;
/** Below this, mileage does not distinguish cars, as they are new. */
const NEW_CAR_MILES = 300;
/** Sellers round mileage to this. */
const ROUND_MILES = 1000;
/** For how long a listing that was not seen may still be online. */
const MAX_UNSEEN_MS = 15 * 60_000;
const dayMs = 24 * 3_600_000;

type MileageComparison =
  | 'equal'
  | 'equal when rounded'
  | 'near when rounded'
  | 'slightly higher'
  | 'plausible'
  | 'unknown'
  | 'contradictory';
type PriceComparison = 'equal' | 'near' | 'unknown' | 'far';

const differ = <T>(a: T | null, b: T | null): boolean => a !== null && b !== null && a !== b;
const agree = <T>(a: T | null, b: T | null): boolean => a !== null && a === b;

/** Whether a fact that sellers don't change differs, so that these are two cars. */
function contradicts(a: ComparedListing, b: ComparedListing): boolean {
  return (
    differ(a.vin, b.vin) ||
    a.make !== b.make ||
    differ(a.model, b.model) ||
    differ(a.year, b.year) ||
    differ(a.color, b.color) ||
    differ(a.transmission, b.transmission)
  );
}

/** Whether one source offered both at the same time; `older` was seen first. */
function wereOfferedTogether(older: ComparedListing, newer: ComparedListing): boolean {
  return older.source === newer.source && older.status === ListingStatus.forSale && older.lastSeenAt >= newer.seenAt;
}

/** Whether a VIN is missing from one of two listings of one source, which would state it again for the same car. */
const onlyOneHasVin = (a: ComparedListing, b: ComparedListing): boolean =>
  a.source === b.source && (a.vin === null) !== (b.vin === null);

function compareMileage(older: ComparedListing, newer: ComparedListing): MileageComparison {
  const [before, after] = [older.mileageMiles, newer.mileageMiles];
  if (before === null || after === null) return 'unknown';
  const more = after - before;
  const isRound = before % ROUND_MILES === 0 || after % ROUND_MILES === 0;
  if (before < NEW_CAR_MILES && after < NEW_CAR_MILES) return 'unknown';
  if (isRound && Math.abs(more) <= ROUND_MILES / 2) return more === 0 ? 'equal when rounded' : 'near when rounded';
  if (more === 0) return 'equal';
  if (more < 0) {
    // Of two sources the one that was seen first may have the later mileage.
    const isLate = older.source !== newer.source && -more <= SMALL_INCREASE_MILES;
    return isLate ? 'slightly higher' : 'contradictory';
  }
  if (more <= SMALL_INCREASE_MILES) return 'slightly higher';
  const days = Math.max(0, newer.seenAt.getTime() - older.seenAt.getTime()) / dayMs;
  return more <= SMALL_INCREASE_MILES + days * MILES_PER_DAY ? 'plausible' : 'contradictory';
}

function comparePrices(older: ComparedListing, newer: ComparedListing): PriceComparison {
  if (older.price === null || newer.price === null) return 'unknown';
  if (older.price === newer.price) return 'equal';
  return Math.abs(newer.price / older.price - 1) <= MAX_PRICE_CHANGE ? 'near' : 'far';
}

const wordsOf = (car: ComparedListing) => distinctiveWords(car.title, [car.year, car.make, car.model, car.color]);

/**
 * Whether these may be two of a dealer's many equal cars, which even share their photo: new ones, or ones without a
 * mileage that one source offered at about the same time.
 */
function mayBeEqualCars(older: ComparedListing, newer: ComparedListing): boolean {
  if (compareMileage(older, newer) !== 'unknown') return false;
  const isNew = ({ condition, mileageMiles, year, seenAt }: ComparedListing) =>
    condition?.toLowerCase() === 'new' ||
    (mileageMiles === null ? (year ?? 0) >= seenAt.getUTCFullYear() - 1 : mileageMiles < NEW_CAR_MILES);
  if (isNew(older) || isNew(newer)) return true;
  const unseenMs = newer.seenAt.getTime() - older.lastSeenAt.getTime();
  return older.source === newer.source && older.status === ListingStatus.forSale && unseenMs < MAX_UNSEEN_MS;
}

/**
 * Decides by mileage, price and title, when nothing contradicts. @param isDescribed whether the title has distinctive
 * words
 */
function decide(
  mileage: MileageComparison,
  price: PriceComparison,
  title: TitleSimilarity,
  { hasSameColor, isDescribed }: { hasSameColor: boolean; isDescribed: boolean },
): SameCar {
  const isPriceNear = price === 'equal' || price === 'near';
  const ifSimilar = price === 'far' || title === 'different' ? 'different' : 'maybe';
  switch (mileage) {
    case 'equal':
      return price === 'far' && title === 'different' ? 'maybe' : 'same';
    case 'slightly higher':
      if (title === 'equal' && isPriceNear && hasSameColor) return 'same';
      return price === 'far' && title === 'different' ? 'different' : 'maybe';
    case 'equal when rounded':
      if (title === 'equal' && isPriceNear && (hasSameColor || isDescribed || price === 'equal')) return 'same';
      return ifSimilar;
    case 'near when rounded':
      return title === 'equal' && price === 'equal' && hasSameColor ? 'same' : ifSimilar;
    case 'plausible':
    case 'unknown':
      return ifSimilar;
    case 'contradictory':
      return 'different';
  }
}

/**
 * Decides by their facts whether two listings are the same car; `maybe` is decided by their photos. Without a VIN, model,
 * year and place must be stated. Two listings that one source shows at the same time are probably two cars, so a photo is
 * needed to link them.
 * @param older the listing that was seen first
 */
export function compareCars(older: ComparedListing, newer: ComparedListing): SameCar {
  if (contradicts(older, newer)) return 'different';
  if (agree(older.vin, newer.vin)) return 'same';
  if (older.model === null || newer.model === null || older.year === null || newer.year === null) return 'different';
  if (older.lat === null || older.lng === null || newer.lat === null || newer.lng === null) return 'different';
  if (greatCircleMiles(older.lat, older.lng, newer.lat, newer.lng) > MAX_DISTANCE_MILES) return 'different';
  if (mayBeEqualCars(older, newer)) return 'different';
  const title = titleSimilarity(wordsOf(older), wordsOf(newer));
  const verdict = decide(compareMileage(older, newer), comparePrices(older, newer), title, {
    hasSameColor: agree(older.color, newer.color),
    isDescribed: wordsOf(older).size > 0,
  });
  const isDoubtful = wereOfferedTogether(older, newer) || onlyOneHasVin(older, newer);
  if (verdict === 'different' || !isDoubtful) return verdict;
  return verdict === 'same' ? 'maybe' : 'different';
}

export interface GroupedListing extends ComparedListing {
  id: number;
  /** The car's id: the lowest id of its listings. */
  car: number;
}

/**
 * Merges the cars of pairs of listings, unless any listing of one car contradicts any of the other.
 * @param pairs the most certain first
 * @param others further listings of these cars
 * @returns the new id of each car that was merged, by its former id; the id that is kept is included
 */
export function groupCars(
  pairs: readonly (readonly [GroupedListing, GroupedListing])[],
  others: readonly GroupedListing[] = [],
): Map<number, number> {
  const members = new Map<number, GroupedListing[]>();
  const numbers = new Map<number, number>();
  const seen = new Set<number>();
  for (const listing of [...pairs.flat(), ...others]) {
    if (seen.has(listing.id)) continue;
    seen.add(listing.id);
    members.set(listing.car, [...(members.get(listing.car) ?? []), listing]);
  }
  const numberOf = (car: number): number => {
    const next = numbers.get(car);
    return next === undefined || next === car ? car : numberOf(next);
  };
  for (const [one, other] of pairs) {
    const [low = 0, high = 0] = [numberOf(one.car), numberOf(other.car)].sort((a, b) => a - b);
    if (low === high) continue;
    const [kept, joining] = [members.get(low) ?? [], members.get(high) ?? []];
    if (kept.some((member) => joining.some((joined) => contradicts(member, joined)))) continue;
    members.set(low, [...kept, ...joining]);
    members.delete(high);
    numbers.set(low, low);
    numbers.set(high, low);
  }
  return new Map([...numbers.keys()].map((car) => [car, numberOf(car)]));
}

type FilteredFacts = Pick<ListingFacts, 'make' | 'model' | 'year' | 'mileageMiles' | 'lat' | 'lng' | 'vin'>;

/** What an index search for listings of the same car compares. */
interface CandidateFilter {
  /** Values of `listings.model_key`: the model in every cell within `MAX_DISTANCE_MILES`. Each is an int8 as text. */
  keys: string[];
  year: number;
  mileageMin: number;
  mileageMax: number;
}

/** The longest time between two listings of one car, and how far it is driven in it. */
export const RELIST_DAYS = 90;
const MAX_MILES_DRIVEN = 3_900;
/** How much higher the mileage of an older listing may be by rounding. */
const ROUNDED_MILES = 500;
const INT4_MAX = 2_147_483_647;

/** The filter for listings that may be the same car; null when model, year or place are not stated. */
export function candidateFilter({ make, model, year, mileageMiles, lat, lng }: FilteredFacts): CandidateFilter | null {
  if (model === null || year === null || lat === null || lng === null) return null;
  return {
    keys: alertKeys({ make, model, lat, lng, radius: MAX_DISTANCE_MILES }),
    year,
    mileageMin: mileageMiles === null ? 0 : mileageMiles - MAX_MILES_DRIVEN,
    mileageMax: mileageMiles === null ? INT4_MAX : mileageMiles + ROUNDED_MILES,
  };
}

const BUCKETS = 256;
const bucketOf = (text: string): number => createHash('sha1').update(text).digest().readUInt8(0) % BUCKETS;

/**
 * Keys for advisory locks. Any two listings that facts alone could link have one in common, so that of two transactions
 * that store one car the second sees the first. Two overlapping grids of mileage ensure this for near values.
 */
export function carLocks({ make, model, year, mileageMiles, vin }: FilteredFacts): number[] {
  const locks = vin ? [bucketOf(vin)] : [];
  if (model === null || year === null || mileageMiles === null) return locks;
  const width = SMALL_INCREASE_MILES * 4;
  const grids = [mileageMiles / width, (mileageMiles + width / 2) / width].map(Math.floor);
  return [...locks, ...grids.map((cell, index) => bucketOf(`${index}/${make}/${model}/${year}/${cell}`))];
}
