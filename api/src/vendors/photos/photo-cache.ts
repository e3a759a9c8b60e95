import { createHash } from 'node:crypto';
import type { FetchPage } from '../web-fetch.ts';
import { type HostLimits, makeHostLimiter } from './host-limiter.ts';
import { openPhotoFolder, type PhotoFolder } from './photo-folder.ts';
import { fetchPhoto, PhotoFault, type PhotoRequest, photoType, UnreadablePhoto } from './read-photo.ts';
import { makePhotoScaler, type PhotoScaler, type PhotoSize } from './scale-photo.ts';

type Address = Omit<PhotoRequest, 'signal'>;

interface Photo {
  bytes: Buffer;
  type: string;
  /** The entity tag. */
  tag: string;
  /** False for the seller's own bytes in place of a size, because too many photos are being scaled, or none can be. */
  isAsAsked: boolean;
}

export interface PhotoCache {
  /**
   * @param size undefined for the seller's own bytes
   * @throws PhotoFault for one that can't be shown now or ever; TooManyCalls when too many are being fetched
   */
  get(address: Address, size?: PhotoSize): Promise<Photo>;
  /** Aborts running fetches. */
  close(): void;
}

interface PhotoCacheOptions {
  folder: string;
  maxBytes: number;
  fetch?: FetchPage;
  limits?: HostLimits;
  scaler?: PhotoScaler;
  scaling?: HostLimits;
}

const DAY_MS = 86_400_000;
/** How long a photo is kept after it was fetched, so that it does not outlive its listing for longer. */
const MAX_AGE_MS = 30 * DAY_MS;
const LIMITS: HostLimits = { atOnce: 16, perHost: 6, waiting: 300, timeoutMs: 10_000 };
/** One photo at a time takes at most one core, and its memory once. */
const SCALING: HostLimits = { atOnce: 1, perHost: 1, waiting: 300, timeoutMs: 10_000 };
/** How long a photo that can't be shown is not fetched again. */
const RETRY_AFTER_MS = { final: 60 * 60_000, passing: 30_000 };
const MAX_FAULTS = 10_000;

/** Photos that were fetched from a private network have other names, since not every source may read them. */
const nameOf = ({ url, allowPrivateNetwork }: Address, size?: PhotoSize): string =>
  createHash('sha256')
    .update(`${allowPrivateNetwork ? 'inside' : 'outside'} ${url}${size ? ` as ${size.format} ${size.width}` : ''}`)
    .digest('hex');

/**
 * Fetches sellers' photos for viewers, scales them, and caches both on disk. Concurrent requests for a photo share one fetch,
 * those for a size share its making, and a broken photo is not fetched again at once.
 */
export async function openPhotoCache(options: PhotoCacheOptions): Promise<PhotoCache> {
  const kept: PhotoFolder = await openPhotoFolder(options.folder, options.maxBytes, MAX_AGE_MS);
  const limiter = makeHostLimiter(options.limits ?? LIMITS);
  const scaling = makeHostLimiter(options.scaling ?? SCALING);
  const scaler = options.scaler ?? makePhotoScaler();
  const closing = new AbortController();
  const making = new Map<string, Promise<Buffer>>();
  const faults = new Map<string, { fault: PhotoFault; until: number }>();

  function remember(name: string, fault: PhotoFault): void {
    faults.delete(name);
    faults.set(name, { fault, until: Date.now() + (fault.isFinal ? RETRY_AFTER_MS.final : RETRY_AFTER_MS.passing) });
    const [oldest] = faults.keys();
    if (faults.size > MAX_FAULTS && oldest !== undefined) faults.delete(oldest);
  }

  /** Reads a stored photo or makes it, once for all who ask meanwhile. */
  async function bytesOf(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const known = faults.get(name);
    if (known && known.until > Date.now()) throw known.fault;
    const running = making.get(name);
    if (running) return running;
    const asked = kept
      .read(name)
      .then((bytes) => bytes ?? make())
      .catch((error: unknown) => {
        if (error instanceof PhotoFault) remember(name, error);
        throw error;
      })
      .finally(() => making.delete(name));
    making.set(name, asked);
    return asked;
  }

  function originalOf(address: Address): Promise<Buffer> {
    const name = nameOf(address);
    return bytesOf(name, async () => {
      const bytes = await limiter(new URL(address.url).host, () =>
        fetchPhoto({ ...address, signal: closing.signal }, options.fetch),
      );
      await kept.store(name, bytes);
      return bytes;
    });
  }

  async function scaled(address: Address, size: PhotoSize): Promise<Buffer> {
    const original = nameOf(address);
    return bytesOf(nameOf(address, size), async () => {
      // Those that wait to be scaled are on the disk, and not in memory.
      if (kept.fetchedAt(original) === null) await originalOf(address);
      const bytes = await scaling('', async () => {
        try {
          return await scaler.scale(await originalOf(address), size);
        } catch (error) {
          if (error instanceof PhotoFault || !(error instanceof Error)) throw error;
          throw new PhotoFault(error instanceof UnreadablePhoto, error);
        }
      });
      // No longer than the photo that it was made of.
      await kept.store(nameOf(address, size), bytes, kept.fetchedAt(original) ?? Date.now());
      return bytes;
    });
  }

  function toPhoto(bytes: Buffer, name: string, isAsAsked: boolean): Photo {
    const type = photoType(bytes);
    if (type === null) throw new PhotoFault(true, new Error('The stored photo can no longer be read.'));
    return { bytes, type, tag: name.slice(0, 32), isAsAsked };
  }

  return {
    async get(address, size) {
      if (size) {
        try {
          return await toPhoto(await scaled(address, size), nameOf(address, size), true);
        } catch (error) {
          // What else went wrong lies in the scaling, or happens again below.
          if (error instanceof PhotoFault && error.isFinal) throw error;
        }
      }
      return toPhoto(await originalOf(address), nameOf(address), size === undefined);
    },
    close() {
      closing.abort(new Error('LotWatch is ending.'));
      scaler.close();
    },
  };
}
