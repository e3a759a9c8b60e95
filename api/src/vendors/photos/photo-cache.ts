import { createHash } from 'node:crypto';
import type { FetchPage } from '../web-fetch.ts';
import { type Bounds, fewAtOnce } from './few-at-once.ts';
import { openPhotoFolder, type PhotoFolder } from './photo-folder.ts';
import { fetchPhoto, PhotoFault, type PhotoRequest, photoType } from './read-photo.ts';

interface Photo {
  bytes: Buffer;
  type: string;
  /** The entity tag, the same as long as it is the same photo. */
  tag: string;
}

export interface PhotoCache {
  /** @throws PhotoFault for one that can't be shown, now or at all; TooMany where too many are fetched already */
  get(address: Omit<PhotoRequest, 'signal'>): Promise<Photo>;
  /** Aborts running fetches. */
  close(): void;
}

interface PhotoCacheOptions {
  folder: string;
  maxBytes: number;
  fetch?: FetchPage;
  bounds?: Bounds;
}

const DAY_MS = 86_400_000;
/** How long a photo is kept after it was fetched, so that it does not outlive its listing for longer. */
const MAX_AGE_MS = 30 * DAY_MS;
const BOUNDS: Bounds = { atOnce: 16, perHost: 6, waiting: 300, patienceMs: 10_000 };
/** How long a photo that can't be shown is not asked for again. */
const AGAIN_MS = { final: 60 * 60_000, passing: 30_000 };
const MOST_FAULTS = 10_000;

/** Photos that were fetched from a private network have other names, since not every source may read them. */
const nameOf = ({ url, allowPrivateNetwork }: Omit<PhotoRequest, 'signal'>): string =>
  createHash('sha256')
    .update(`${allowPrivateNetwork ? 'inside' : 'outside'} ${url}`)
    .digest('hex');

/**
 * Fetches sellers' photos for viewers, and caches them on disk. Concurrent requests for a photo share one fetch, and a
 * broken photo is not fetched again at once.
 */
export async function openPhotoCache(options: PhotoCacheOptions): Promise<PhotoCache> {
  const kept: PhotoFolder = await openPhotoFolder(options.folder, options.maxBytes, MAX_AGE_MS);
  const bounded = fewAtOnce(options.bounds ?? BOUNDS);
  const closing = new AbortController();
  const fetching = new Map<string, Promise<Buffer>>();
  const faults = new Map<string, { fault: PhotoFault; until: number }>();

  function remember(name: string, fault: PhotoFault): void {
    faults.delete(name);
    faults.set(name, { fault, until: Date.now() + (fault.isFinal ? AGAIN_MS.final : AGAIN_MS.passing) });
    const [oldest] = faults.keys();
    if (faults.size > MOST_FAULTS && oldest !== undefined) faults.delete(oldest);
  }

  async function fetchAndKeep(name: string, address: Omit<PhotoRequest, 'signal'>): Promise<Buffer> {
    try {
      const bytes = await bounded(new URL(address.url).host, () =>
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
      .then((bytes) => bytes ?? fetchAndKeep(name, address))
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
