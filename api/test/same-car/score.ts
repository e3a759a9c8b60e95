import { Dice } from '../../demo/random.ts';
import { ListingStatus } from '../../src/domain/facts/listing-facts.ts';
import { type ComparedListing, compareCars, RELIST_DAYS } from '../../src/domain/same-car/compare-cars.ts';
import { isSamePhoto, photoHash } from '../../src/domain/same-car/photo-hash.ts';
import { decodePhoto } from '../../src/vendors/photos/read-photo.ts';
import { changePhoto, type PhotoKind, takePhoto } from './photos.ts';

/** How a listing's photo is made; null if it has none or it can't be read. */
interface PhotoPlan {
  kind: PhotoKind;
  seed: number;
  /** The seed for cropping or compressing it again; null for the seller's own file. */
  change: { seed: number; how: 'crop' | 'pack' | 'both' } | null;
}

interface MadeListing extends ComparedListing {
  id: number;
  /** The number of the actual car. */
  truth: number;
  isRelist: boolean;
  photo: PhotoPlan | null;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const START_MS = Date.UTC(2026, 0, 1);

type List<T> = readonly [T, ...T[]];

const models: List<readonly [string, string, List<string>, number]> = [
  ['toyota', 'camry', ['LE', 'SE', 'XLE', 'XSE'], 27_000],
  ['honda', 'civic', ['LX', 'EX', 'Sport'], 24_000],
  ['honda', 'accord', ['LX', 'EX', 'Sport'], 29_000],
  ['ford', 'f-150', ['XL', 'XLT', 'Lariat'], 41_000],
  ['chevrolet', 'silverado-1500', ['LT', 'LS', 'LTZ'], 40_000],
  ['nissan', 'altima', ['2.5 S', '2.5 SV', 'SR'], 26_000],
];
const cities: List<readonly [string, string, number, number]> = [
  ['Los Angeles', 'CA', 34.05, -118.24],
  ['Houston', 'TX', 29.76, -95.37],
  ['Chicago', 'IL', 41.88, -87.63],
  ['Phoenix', 'AZ', 33.45, -112.07],
];
const colors = ['white', 'black', 'silver', 'gray', 'blue', 'red'] as const;
const praise = ['low miles', 'clean title', 'one owner', 'runs great', 'must sell'] as const;

const labelOf = (slug: string) => slug.replaceAll('-', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());
const asAsked = (dollars: number) => Math.max(800, Math.round(dollars / 50) * 50);

type Draft = Omit<MadeListing, 'id' | 'isRelist'>;

/** Few models, years and cities, so that thousands of cars are candidates of each other. */
function drawCar(dice: Dice, truth: number, age = dice.whole(2, 9)): Draft {
  const [make, model, trims, newPrice] = dice.pick(models);
  const [city, , lat, lng] = dice.pick(cities);
  const mileage = Math.max(2_000, Math.round(age * 11_500 * (1 + dice.bell() * 0.6)));
  const year = 2026 - age;
  const trim = dice.chance(0.75) ? ` ${dice.pick(trims)}` : '';
  const extra = dice.chance(0.25) ? ` ${dice.pick(praise)}` : '';
  const saysMiles = dice.next();
  const seenAt = new Date(START_MS + dice.between(0, 40) * dayMs);
  return {
    truth,
    source: dice.weighted([
      ['market', 7],
      ['classifieds', 2],
      ['dealers', 1],
    ] as const),
    status: ListingStatus.forSale,
    title: `${year} ${labelOf(make)} ${labelOf(model)}${trim}${extra}`,
    make,
    model,
    year,
    price: dice.chance(0.95) ? asAsked(newPrice * 0.87 ** age * (1 + dice.bell() * 0.2)) : null,
    // Some sellers round to thousands, some state nothing.
    mileageMiles: saysMiles < 0.62 ? mileage : saysMiles < 0.92 ? Math.round(mileage / 1000) * 1000 : null,
    vin: null,
    color: dice.chance(0.85) ? dice.pick(colors) : null,
    transmission: dice.chance(0.85) ? (dice.chance(0.93) ? 'automatic' : 'manual') : null,
    condition: dice.chance(0.5) ? 'used' : null,
    lat: lat + dice.bell() * (city === 'Los Angeles' ? 0.3 : 0.2),
    lng: lng + dice.bell() * 0.2,
    seenAt,
    lastSeenAt: new Date(seenAt.getTime() + dice.between(1, 30) * hourMs),
    photo: dice.chance(0.97) ? { kind: dice.pick(['scene', 'noise'] as const), seed: truth + 1, change: null } : null,
  };
}

/** Several equal cars of a dealer that differ only in odometer and VIN; new ones share one stock photo. */
function drawEquals(dice: Dice, first: number, count: number): Draft[] {
  const isNew = dice.chance(0.5);
  const model = drawCar(dice, first, isNew ? dice.whole(0, 1) : dice.whole(2, 5));
  const stock = isNew || dice.chance(0.3);
  const base = model.mileageMiles ?? 30_000;
  return Array.from({ length: count }, (_, index): Draft => {
    const truth = first + index;
    const states = dice.chance(0.97);
    return {
      ...model,
      truth,
      source: 'dealers',
      price: model.price === null || isNew ? model.price : model.price + 250 * dice.whole(-2, 2),
      mileageMiles: isNew ? (dice.chance(0.5) ? dice.whole(2, 60) : null) : base + dice.whole(-4_000, 4_000),
      condition: isNew ? (dice.chance(0.6) ? 'new' : null) : 'used',
      vin: states ? `1HG${String(truth * 7_919 + 10_000_000_000_000).padStart(14, '0')}` : null,
      lastSeenAt: new Date(model.seenAt.getTime() + 60 * dayMs),
      photo: stock ? { kind: 'drawn', seed: first, change: null } : { kind: 'scene', seed: truth + 1, change: null },
    };
  });
}

/** A title with its words in another order and sometimes with praise. */
function reworded(title: string, dice: Dice): string {
  const words = title.split(' ');
  for (let last = words.length - 1; last > 0; last -= 1) {
    const other = dice.whole(0, last);
    [words[last], words[other]] = [words[other] ?? '', words[last] ?? ''];
  }
  return dice.chance(0.3) ? `${words.join(' ')} ${dice.pick(praise)}` : words.join(' ');
}

/** The car under a new id: price within 15 %, a few more miles, reordered title, another file of its photo. */
function relistOf(car: Draft, dice: Dice): Draft {
  const elsewhere = dice.chance(0.15);
  const isRounded = car.mileageMiles !== null && car.mileageMiles % 1000 === 0;
  const driven = dice.chance(0.3) || isRounded ? 0 : dice.whole(1, 300);
  const seenAt = new Date(car.lastSeenAt.getTime() + (elsewhere ? -0.5 : 1) * dice.between(0.1, 20) * dayMs);
  return {
    ...car,
    source: elsewhere ? (car.source === 'market' ? 'classifieds' : 'market') : car.source,
    title: reworded(car.title, dice),
    price: car.price === null ? null : asAsked(car.price * dice.between(0.85, 1.15)),
    mileageMiles: car.mileageMiles === null ? null : car.mileageMiles + driven,
    vin: elsewhere && dice.chance(0.3) ? null : car.vin,
    lat: (car.lat ?? 0) + dice.bell() * 0.05,
    lng: (car.lng ?? 0) + dice.bell() * 0.05,
    seenAt: seenAt > car.seenAt ? seenAt : new Date(car.seenAt.getTime() + hourMs),
    lastSeenAt: new Date(seenAt.getTime() + 90 * dayMs),
    photo: car.photo && {
      ...car.photo,
      change: { seed: dice.whole(1, 1e9), how: dice.pick(['crop', 'pack', 'both'] as const) },
    },
  };
}

/** Cars and one relisting of each, in the order in which they appear; the same for the same seed. */
function makeMarket(seed: number, count: number): MadeListing[] {
  const dice = new Dice(seed);
  const cars: Draft[] = [];
  while (cars.length < count) {
    if (dice.chance(0.97)) cars.push(drawCar(dice, cars.length));
    else cars.push(...drawEquals(dice, cars.length, Math.min(dice.whole(2, 6), count - cars.length)));
  }
  return [
    ...cars.map((car) => ({ ...car, isRelist: false })),
    ...cars.map((car) => ({ ...relistOf(car, dice), isRelist: true })),
  ]
    .sort((a, b) => a.seenAt.getTime() - b.seenAt.getTime())
    .map((listing, index) => ({ ...listing, id: index + 1 }));
}

export interface Score {
  relists: number;
  linkedByFacts: number;
  linkedByPhoto: number;
  /** Pairs of different cars of one model and year, near each other, whose odometers could belong to one car. */
  hardPairs: number;
  /** Those with the same colour and transmission, and prices within 16 %. */
  hardestPairs: number;
  unrelatedLinked: number;
  photosRead: number;
  /** The wrong pairs, for tuning the rules. */
  missed: [MadeListing, MadeListing][];
  wrong: [MadeListing, MadeListing][];
}

async function hashOf({ kind, seed, change }: PhotoPlan): Promise<Uint8Array | null> {
  const photo = await takePhoto(kind, seed);
  return photoHash(await decodePhoto(change ? await changePhoto(photo, change.seed, change.how) : photo));
}

/** More candidates than intake looks up, so that its limit does not affect the share of wrong links. */
const isHard = (more: number): boolean => more > -1_000 && more < 9_000;

function makeIndex() {
  const byKey = new Map<string, MadeListing[]>();
  return {
    add(listing: MadeListing) {
      const key = `${listing.make}/${listing.model}/${listing.year}`;
      byKey.set(key, [...(byKey.get(key) ?? []), listing]);
    },
    find(listing: MadeListing): MadeListing[] {
      const known = byKey.get(`${listing.make}/${listing.model}/${listing.year}`) ?? [];
      return known.filter(
        ({ mileageMiles, lastSeenAt, lat, lng }) =>
          (mileageMiles === null || listing.mileageMiles === null || isHard(listing.mileageMiles - mileageMiles)) &&
          listing.seenAt.getTime() - lastSeenAt.getTime() < RELIST_DAYS * 86_400_000 &&
          Math.abs((lat ?? 0) - (listing.lat ?? 0)) < 1 &&
          Math.abs((lng ?? 0) - (listing.lng ?? 0)) < 1,
      );
    },
  };
}

const near = (a: ComparedListing, b: ComparedListing) =>
  a.color === b.color &&
  a.transmission === b.transmission &&
  a.price !== null &&
  b.price !== null &&
  Math.abs(b.price / a.price - 1) <= 0.16;

interface ScoreOptions {
  seed: number;
  cars: number;
  /** False compares facts alone, as before any photo is read. */
  photos?: boolean;
  onProgress?: (listed: number) => void;
}

/** Lists a whole market, one listing after the other, and counts right and wrong links. */
export async function scoreMarket({ seed, cars, photos = true, onProgress }: ScoreOptions): Promise<Score> {
  const index = makeIndex();
  const hashes = new Map<string, Promise<Uint8Array | null>>();
  const readHash = (plan: PhotoPlan) => {
    const key = JSON.stringify(plan);
    const known = hashes.get(key) ?? hashOf(plan);
    hashes.set(key, known);
    return known;
  };
  const showSame = async (a: MadeListing, b: MadeListing) => {
    if (!photos || !a.photo || !b.photo) return false;
    const [one, other] = [await readHash(a.photo), await readHash(b.photo)];
    return one !== null && other !== null && isSamePhoto(one, other);
  };
  const score: Score = {
    relists: cars,
    linkedByFacts: 0,
    linkedByPhoto: 0,
    hardPairs: 0,
    hardestPairs: 0,
    unrelatedLinked: 0,
    photosRead: 0,
    missed: [],
    wrong: [],
  };
  const market = makeMarket(seed, cars);
  const firsts = new Map<number, MadeListing>();
  for (const listing of market) {
    let isFound = false;
    for (const other of index.find(listing)) {
      const verdict = compareCars(other, listing);
      const isLinked = verdict === 'same' || (verdict === 'maybe' && (await showSame(other, listing)));
      if (other.truth === listing.truth) {
        if (isLinked) score[verdict === 'same' ? 'linkedByFacts' : 'linkedByPhoto'] += 1;
        isFound ||= isLinked;
        continue;
      }
      score.hardPairs += 1;
      if (near(other, listing)) score.hardestPairs += 1;
      if (!isLinked) continue;
      score.unrelatedLinked += 1;
      score.wrong.push([other, listing]);
    }
    const first = firsts.get(listing.truth);
    if (first && !isFound) score.missed.push([first, listing]);
    firsts.set(listing.truth, listing);
    index.add(listing);
    onProgress?.(listing.id);
  }
  score.photosRead = hashes.size;
  return score;
}
