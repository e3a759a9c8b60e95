import { RELIST_DAYS } from '../../src/domain/same-car/car-probe.ts';
import { type CarSighting, compareCars } from '../../src/domain/same-car/compare-cars.ts';
import { isSamePhoto, photoHash } from '../../src/domain/same-car/photo-hash.ts';
import { decodePhoto } from '../../src/vendors/photos/read-photo.ts';
import { type MadeListing, makeMarket, type PhotoPlan } from './market.ts';
import { changePhoto, takePhoto } from './photos.ts';

export interface Score {
  relists: number;
  linkedByFacts: number;
  linkedByPhoto: number;
  /** Pairs of two cars of one model and year, near each other, with odometers that could be one car's. */
  hardPairs: number;
  /** Those of them with one colour, transmission and price within 16 %. */
  hardestPairs: number;
  unrelatedLinked: number;
  photosRead: number;
  /** The pairs that went wrong, for whoever tunes the rules. */
  missed: [MadeListing, MadeListing][];
  wrong: [MadeListing, MadeListing][];
}

async function hashOf({ kind, seed, change }: PhotoPlan): Promise<Uint8Array | null> {
  const photo = await takePhoto(kind, seed);
  return photoHash(await decodePhoto(change ? await changePhoto(photo, change.seed, change.how) : photo));
}

/** More than intake looks up, so that the share of wrong links doesn't hang on what it passes over. */
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

const near = (a: CarSighting, b: CarSighting) =>
  a.color === b.color &&
  a.transmission === b.transmission &&
  a.price !== null &&
  b.price !== null &&
  Math.abs(b.price / a.price - 1) <= 0.16;

export interface ScoreOptions {
  seed: number;
  cars: number;
  /** false: the facts alone, as long as no photo can be read. */
  photos?: boolean;
  tell?: (listed: number) => void;
}

/** Lists a whole market, one listing after the other, and counts what is linked rightly and wrongly. */
export async function scoreMarket({ seed, cars, photos = true, tell }: ScoreOptions): Promise<Score> {
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
    tell?.(listing.id);
  }
  score.photosRead = hashes.size;
  return score;
}
