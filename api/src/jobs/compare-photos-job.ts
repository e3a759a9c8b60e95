import pLimit from 'p-limit';
import { channels } from '../base/channels.ts';
import { inTransaction, type Pool } from '../base/database.ts';
import { isConflict, isLockNotAvailable } from '../base/database-fault.ts';
import type { Log } from '../base/log.ts';
import { isSamePhoto, photoHash } from '../domain/same-car/photo-hash.ts';
import { notePhotoElsewhere, queueDistantPhotos } from '../intake/distant-photos.ts';
import { linkByPhoto } from '../intake/link-cars.ts';
import {
  type CandidatePair,
  type CandidatePhoto,
  claimCandidates,
  completeCandidate,
  storePhotoHash,
  TRIES,
  untilNextCandidate,
} from '../intake/photo-candidates.ts';
import { dropRelistNotifications } from '../matching/drop-relist-notifications.ts';
import { isDistributed } from '../placement/layout.ts';
import { PhotoFault, type ReadPhoto } from '../vendors/photos/read-photo.ts';
import type { Job } from './job.ts';

interface PhotoParts {
  pool: Pool;
  readPhoto: ReadPhoto;
  log: Log;
  /** Aborted at shutdown. */
  signal?: AbortSignal;
}

/** How many pairs a batch has, and how many photos are fetched concurrently. */
const BATCH = 12;
const PARALLEL = 3;
const unreadable = new Uint8Array();

/** A photo's hash; empty when it can't be read, null when it is to be read again later. */
type Hash = Uint8Array | null;

async function readHash(
  { pool, readPhoto, signal }: PhotoParts,
  photo: CandidatePhoto,
  isLast: boolean,
): Promise<Hash> {
  if (photo.hash) return photo.hash;
  let hash: Hash = unreadable;
  try {
    if (photo.address) hash = photoHash(await readPhoto({ ...photo.address, signal })) ?? unreadable;
  } catch (error) {
    if (signal?.aborted) return null;
    if (!(error instanceof PhotoFault)) throw error;
    if (!error.isFinal && !isLast) return null;
  }
  await storePhotoHash(pool, photo.listingId, hash);
  return hash;
}

/** Reads every photo of the batch once, a few concurrently. */
async function readHashes(parts: PhotoParts, pairs: readonly CandidatePair[]): Promise<Map<number, Hash>> {
  const photos = new Map<number, { photo: CandidatePhoto; isLast: boolean }>();
  for (const { listing, other, tries } of pairs) {
    for (const photo of [listing, other]) photos.set(photo.listingId, { photo, isLast: tries >= TRIES });
  }
  const hashes = new Map<number, Hash>();
  await pLimit(PARALLEL).map(photos.values(), async ({ photo, isLast }) => {
    if (!parts.signal?.aborted) hashes.set(photo.listingId, await readHash(parts, photo, isLast));
  });
  return hashes;
}

/**
 * Reads the photos of one batch of listings that may be one car, and links those whose photos show the same. Pairs that
 * a crash leaves unfinished become due again, and so do those about which a server of a cluster can't decide yet.
 * @returns how many pairs it claimed; 0 when none was due
 */
export async function comparePhotos(parts: PhotoParts): Promise<number> {
  const { pool, log, signal } = parts;
  const pairs = await claimCandidates(pool, BATCH);
  const hashes = await readHashes(parts, pairs);
  for (const pair of pairs) {
    if (signal?.aborted) break;
    const [one, other] = [hashes.get(pair.listing.listingId), hashes.get(pair.other.listingId)];
    if (!one || !other) continue;
    const isSame = one.length > 0 && isSamePhoto(one, other);
    await inTransaction(pool, async (client) => {
      const car = isSame ? await linkByPhoto(client, pair.listing.listingId, pair.other.listingId) : null;
      if (car !== null) {
        const dropped = await dropRelistNotifications(client, car);
        log.info('linked by photo', { car, listing: pair.listing.listingId, dropped });
      } else if (isSame) {
        await notePhotoElsewhere(client, pair.listing.listingId, pair.other.listingId);
      }
      await completeCandidate(client, pair);
    }).catch((error: unknown) => {
      // A server can't say yet what a search has written there, or lacks one of the listings, or another transaction came first. The
      // claimed pair becomes due again.
      if (!isDistributed() || !(isLockNotAvailable(error) || isConflict(error))) throw error;
    });
  }
  return pairs.length;
}

/** Compares the photos of all pairs of listings that are due, as they may show one car, or one photo in distant places. */
export const comparePhotosJob: Job<PhotoParts> = {
  name: 'compare-photos',
  everyMs: 60_000,
  wakeUp: { channel: channels.work, payload: 'photos' },
  async run(parts) {
    // What is due comes first: until it was compared, a car that is listed again is announced again.
    do {
      while ((await comparePhotos(parts)) > 0 && !parts.signal?.aborted);
    } while (!parts.signal?.aborted && (await queueDistantPhotos(parts.pool)) > 0);
    return { nextInMs: await untilNextCandidate(parts.pool) };
  },
};
