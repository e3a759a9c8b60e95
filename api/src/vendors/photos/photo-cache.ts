import { createHash } from 'node:crypto';
import type { FetchPage } from '../web-fetch.ts';
import { type Bounds, fewAtOnce } from './few-at-once.ts';
import { openPhotoFolder, type PhotoFolder } from './photo-folder.ts';
import { photoType } from './photo-type.ts';
import { fetchPhoto, PhotoFault, type PhotoRequest } from './read-photo.ts';

export interface Photo {
  bytes: Buffer;
  type: string;
  /** The same as long as it is the same photo. */
  tag: string;
}

export interface PhotoCache {
  /** @throws PhotoFault for one that can't be shown, now or at all; TooMany where too many are fetched already */
  get(address: Omit<PhotoRequest, 'signal'>): Promise<Photo>;
  /** What is under way ends. */
  close(): void;
}

export interface PhotoCacheOptions {
  folder: string;
  maxBytes: number;
  fetch?: FetchPage;
  bounds?: Bounds;
}

const DAY_MS = 86_400_000;
/** A listing's photos outlive it by no more than that. */
const MAX_AGE_MS = 30 * DAY_MS;
const BOUNDS: Bounds = { atOnce: 16, perHost: 6, waiting: 300, patienceMs: 10_000 };
/** How long a photo that can't be shown is not asked for again. */
const AGAIN_MS = { final: 60 * 60_000, passing: 30_000 };
const MOST_FAULTS = 10_000;

/** What somebody may read inside, others may not: it is kept apart. */
const nameOf = ({ url, allowPrivateNetwork }: Omit<PhotoRequest, 'signal'>): string =>
  createHash('sha256')
    .update(`${allowPrivateNetwork ? 'inside' : 'outside'} ${url}`)
    .digest('hex');

/**
 * Fetches sellers' photos for those who look at them, and keeps them on disk. A photo is fetched once, however many ask
 * for it at that moment, and a broken one is not asked for again at once.
 */
export async function openPhotoCache(options: PhotoCacheOptions): Promise<PhotoCache> {
  const kept: PhotoFolder = await openPhotoFolder(options.folder, options.maxBytes, MAX_AGE_MS);
  const inTurn = fewAtOnce(options.bounds ?? BOUNDS);
  const closing = new AbortController();
  const fetching = new Map<string, Promise<Buffer>>();
  const faults = new Map<string, { fault: PhotoFault; until: number }>();

  function remember(name: string, fault: PhotoFault): void {
    faults.delete(name);
    faults.set(name, { fault, until: Date.now() + (fault.isFinal ? AGAIN_MS.final : AGAIN_MS.passing) });
    const [oldest] = faults.keys();
    if (faults.size > MOST_FAULTS && oldest !== undefined) faults.delete(oldest);
  }

  async function fetchAnew(name: string, address: Omit<PhotoRequest, 'signal'>): Promise<Buffer> {
    try {
      const bytes = await inTurn(new URL(address.url).host, () =>
        fetchPhoto({ ...address, signal: closing.signal }, options.fetch),
      );
      await kept.keep(name, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof PhotoFault) remember(name, error);
      throw error;
    }
  }

  async function bytesOf(name: string, address: Omit<PhotoRequest, 'signal'>): Promise<Buffer> {
    const known = faults.get(name);
    if (known && known.until > Date.now()) throw known.fault;
    const underWay = fetching.get(name);
    if (underWay) return underWay;
    const asked = kept
      .read(name)
      .then((bytes) => bytes ?? fetchAnew(name, address))
      .finally(() => fetching.delete(name));
    fetching.set(name, asked);
    return asked;
  }

  return {
    async get(address) {
      const name = nameOf(address);
      const bytes = await bytesOf(name, address);
      const type = photoType(bytes);
      if (type === null) throw new PhotoFault(true, new Error('The photo is none any more.'));
      return { bytes, type, tag: name.slice(0, 32) };
    },
    close: () => closing.abort(new Error('LotWatch is ending.')),
  };
}
