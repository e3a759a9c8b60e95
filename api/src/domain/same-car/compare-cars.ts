import { type ListingFacts, ListingStatus } from '../facts/listing-facts.ts';
import { greatCircleMiles } from '../places/place.ts';

/** What sellers add to any car, and what says no more than the facts do. */
const idle = new Set(
  `a an the and with for in my of on sale selling must sell obo only low miles mile mileage clean title one owner runs
  run drives great good excellent condition no accidents accident like new nice reduced price drop relisted again firm
  demo used auto automatic manual`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** The words by which a title tells a car from others of its make, model and year. */
export function distinctiveWords(title: string, known: readonly (string | number | null)[]): Set<string> {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const stated = new Set(
    known.flatMap(
      (one) =>
        String(one ?? '')
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  );
  return new Set(words.filter((word) => !stated.has(word) && !idle.has(word)));
}

/** `equal`: the same words in any order; `within`: one says more than the other; `apart`: each says its own. */
type TitleLikeness = 'equal' | 'within' | 'apart';

/** How like two titles are, by their sets of words. */
export function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): TitleLikeness {
  const shared = [...a].filter((word) => b.has(word)).length;
  if (shared === a.size && shared === b.size) return 'equal';
  return shared === a.size || shared === b.size ? 'within' : 'apart';
}

/** One listing, as far as it tells whether another one is the same car. */
export interface CarSighting
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

/** `maybe`: the photos must tell. */
type SameCar = 'same' | 'maybe' | 'different';

/** How far apart two sources may place one car: a city's centre and a street at its edge. */
export const REACH_MILES = 20;
/** A car that is driven while it is for sale. */
export const GROWN_A_LITTLE_MILES = 300;
const MILES_A_DAY = 40;
const PRICE_SPREAD = 0.16;
/** Below, and where none is stated, the odometer of a new car tells nothing. */
const TELLING_MILES = 300;
/** Sellers who round say thousands. */
const ROUND_MILES = 1000;
/** How much longer than it was seen a listing may still have been up. */
const OUT_OF_SIGHT_MS = 15 * 60_000;
const dayMs = 24 * 3_600_000;

type Odometer = 'equal' | 'round equal' | 'round' | 'grown' | 'later' | 'unknown' | 'apart';
type Asking = 'equal' | 'near' | 'unknown' | 'far';

const differ = <T>(a: T | null, b: T | null): boolean => a !== null && b !== null && a !== b;
const bothSay = <T>(a: T | null, b: T | null): boolean => a !== null && a === b;

/** What no seller changes says that these are two cars, whatever else agrees. */
function contradicts(a: CarSighting, b: CarSighting): boolean {
  return (
    differ(a.vin, b.vin) ||
    a.make !== b.make ||
    differ(a.model, b.model) ||
    differ(a.year, b.year) ||
    differ(a.color, b.color) ||
    differ(a.transmission, b.transmission)
  );
}

/** Both were offered at one moment by one source; `older` was seen first. */
function wereOfferedAtOnce(older: CarSighting, newer: CarSighting): boolean {
  return older.source === newer.source && older.status === ListingStatus.forSale && older.lastSeenAt >= newer.seenAt;
}

/** One source that states a VIN states it again. */
const onlyOneSaysVin = (a: CarSighting, b: CarSighting): boolean =>
  a.source === b.source && (a.vin === null) !== (b.vin === null);

function odometer(older: CarSighting, newer: CarSighting): Odometer {
  const [before, after] = [older.mileageMiles, newer.mileageMiles];
  if (before === null || after === null) return 'unknown';
  const more = after - before;
  const isRound = before % ROUND_MILES === 0 || after % ROUND_MILES === 0;
  if (before < TELLING_MILES && after < TELLING_MILES) return 'unknown';
  if (isRound && Math.abs(more) <= ROUND_MILES / 2) return more === 0 ? 'round equal' : 'round';
  if (more === 0) return 'equal';
  // Of two sources either may be the first to hear of the later reading.
  if (older.source !== newer.source && more < 0) return -more <= GROWN_A_LITTLE_MILES ? 'grown' : 'apart';
  if (more < 0) return 'apart';
  if (more <= GROWN_A_LITTLE_MILES) return 'grown';
  const days = Math.max(0, newer.seenAt.getTime() - older.seenAt.getTime()) / dayMs;
  return more <= GROWN_A_LITTLE_MILES + days * MILES_A_DAY ? 'later' : 'apart';
}

function asking(older: CarSighting, newer: CarSighting): Asking {
  if (older.price === null || newer.price === null) return 'unknown';
  if (older.price === newer.price) return 'equal';
  return Math.abs(newer.price / older.price - 1) <= PRICE_SPREAD ? 'near' : 'far';
}

const wordsOf = (car: CarSighting) => distinctiveWords(car.title, [car.year, car.make, car.model, car.color]);

/** Of two new cars, and of two without a telling odometer, a dealer has many alike: they also share their photo. */
function isOneOfMany(older: CarSighting, newer: CarSighting): boolean {
  if (odometer(older, newer) !== 'unknown') return false;
  const isNew = ({ condition, mileageMiles, year, seenAt }: CarSighting) =>
    condition?.toLowerCase() === 'new' ||
    (mileageMiles === null ? (year ?? 0) >= seenAt.getUTCFullYear() - 1 : mileageMiles < TELLING_MILES);
  if (isNew(older) || isNew(newer)) return true;
  const unseenMs = newer.seenAt.getTime() - older.lastSeenAt.getTime();
  return older.source === newer.source && older.status === ListingStatus.forSale && unseenMs < OUT_OF_SIGHT_MS;
}

/** What the facts say where a number is known to agree. */
function judge(
  miles: Odometer,
  price: Asking,
  title: TitleLikeness,
  { isColor, isDescribed }: { isColor: boolean; isDescribed: boolean },
): SameCar {
  const isPriced = price === 'equal' || price === 'near';
  switch (miles) {
    case 'equal':
      if (price !== 'far') return 'same';
      return title === 'apart' ? 'maybe' : 'same';
    case 'grown':
      return title === 'equal' && isPriced && isColor
        ? 'same'
        : price === 'far' && title === 'apart'
          ? 'different'
          : 'maybe';
    case 'round equal':
      if (title === 'equal' && isPriced && (isColor || isDescribed || price === 'equal')) return 'same';
      return price === 'far' || title === 'apart' ? 'different' : 'maybe';
    case 'round':
      if (title === 'equal' && price === 'equal' && isColor) return 'same';
      return price === 'far' || title === 'apart' ? 'different' : 'maybe';
    case 'later':
    case 'unknown':
      return price === 'far' || title === 'apart' ? 'different' : 'maybe';
    case 'apart':
      return 'different';
  }
}

/**
 * Whether two listings are one car, by their facts alone; the photos resolve a `maybe`. Model, year and place must be
 * stated. Two ids that one source shows at the same time are rather two cars: then it takes the photo as well.
 * @param older the one that was seen first
 */
export function compareCars(older: CarSighting, newer: CarSighting): SameCar {
  if (contradicts(older, newer)) return 'different';
  if (bothSay(older.vin, newer.vin)) return 'same';
  if (older.model === null || newer.model === null || older.year === null || newer.year === null) return 'different';
  if (older.lat === null || older.lng === null || newer.lat === null || newer.lng === null) return 'different';
  if (greatCircleMiles(older.lat, older.lng, newer.lat, newer.lng) > REACH_MILES) return 'different';
  if (isOneOfMany(older, newer)) return 'different';
  const miles = odometer(older, newer);
  const verdict = judge(miles, asking(older, newer), likenessOf(wordsOf(older), wordsOf(newer)), {
    isColor: bothSay(older.color, newer.color),
    isDescribed: wordsOf(older).size > 0,
  });
  const isDoubtful = wereOfferedAtOnce(older, newer) || onlyOneSaysVin(older, newer);
  if (verdict === 'different' || !isDoubtful) return verdict;
  return verdict === 'same' ? 'maybe' : 'different';
}

export interface GroupedSighting extends CarSighting {
  id: number;
  /** The lowest id among the listings that are known to be this car. */
  car: number;
}

/**
 * Joins pairs of listings into cars, the surest pair first. Two cars are not joined while any listing of the one
 * contradicts any of the other. Returns for each car that takes part its number afterwards, unchanged ones included.
 */
export function groupCars(
  pairs: readonly (readonly [GroupedSighting, GroupedSighting])[],
  others: readonly GroupedSighting[] = [],
): Map<number, number> {
  const members = new Map<number, GroupedSighting[]>();
  const numbers = new Map<number, number>();
  const seen = new Set<number>();
  for (const sighting of [...pairs.flat(), ...others]) {
    if (seen.has(sighting.id)) continue;
    seen.add(sighting.id);
    members.set(sighting.car, [...(members.get(sighting.car) ?? []), sighting]);
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
