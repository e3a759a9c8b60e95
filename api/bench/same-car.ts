import { progress } from '../lab/command-line.ts';
import { isSamePhoto, photoHash } from '../src/domain/same-car/photo-hash.ts';
import { decodePhoto } from '../src/vendors/photos/read-photo.ts';
import { changePhoto, type PhotoKind, takePhoto } from '../test/same-car/photos.ts';
import { scoreMarket } from '../test/same-car/score.ts';
import { type BenchOptions, type BenchResult } from './options.ts';

const CARS = 5_000;
const MIN_LINKED = 0.95;
const MAX_WRONG = 0.005;
const PHOTOS = 80;

const share = (part: number, of: number) => Number((part / Math.max(1, of)).toFixed(5));

/** Measures how often two files of one photo, and any two photos, are recognised as the same. */
async function comparePhotos(kind: PhotoKind, seed: number) {
  const hashes: (Uint8Array | null)[] = [];
  let same = 0;
  for (let n = 0; n < PHOTOS; n += 1) {
    const photo = await takePhoto(kind, seed * 1_000 + n);
    const changed = await changePhoto(photo, seed * 1_000 + n, n % 2 === 0 ? 'both' : 'pack');
    const [one, other] = [photoHash(await decodePhoto(photo)), photoHash(await decodePhoto(changed))];
    if (one && other && isSamePhoto(one, other)) same += 1;
    hashes.push(one);
  }
  const pairs = hashes.flatMap((one, index) => hashes.slice(0, index).map((other) => [one, other] as const));
  const wrong = pairs.filter(([one, other]) => one && other && isSamePhoto(one, other)).length;
  return { same: share(same, PHOTOS), othersSame: share(wrong, pairs.length) };
}

/**
 * Generated cars with realistic collisions and a relist of each: new id, price ± 15 %, words reordered, a few miles
 * more, photo cropped or compressed again. Hard pairs are cars of one model and year near each other whose odometers could
 * be one car's. @param options `listings` is the number of cars
 */
export async function benchSameCar({ listings: cars = CARS, seed }: BenchOptions): Promise<BenchResult> {
  const photos = { scenes: await comparePhotos('scene', seed), noise: await comparePhotos('noise', seed) };
  const onProgress = (listed: number) => {
    if (listed % 1_000 === 0) progress(`${listed} of ${cars * 2} listings`);
  };
  const started = performance.now();
  const score = await scoreMarket({ seed, cars, onProgress });
  const seconds = (performance.now() - started) / 1000;
  const linked = score.linkedByFacts + score.linkedByPhoto;
  const line = {
    bench: 'same-car',
    cars,
    relists: score.relists,
    linked: share(linked, score.relists),
    linkedByFacts: share(score.linkedByFacts, score.relists),
    linkedByPhoto: share(score.linkedByPhoto, score.relists),
    hardPairs: score.hardPairs,
    unrelatedLinked: share(score.unrelatedLinked, score.hardPairs),
    hardestPairs: score.hardestPairs,
    photosRead: score.photosRead,
    photos,
    seconds: Math.round(seconds),
  };
  const missed = [
    ...(line.linked < MIN_LINKED ? [`${MIN_LINKED * 100} % of relists linked`] : []),
    ...(line.unrelatedLinked > MAX_WRONG ? [`at most ${MAX_WRONG * 100} % of unrelated pairs linked`] : []),
  ];
  return { line, missed };
}
