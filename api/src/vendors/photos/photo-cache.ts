import { createHash } from 'node:crypto';
import type { FetchPage } from '../web-fetch.ts';
import { type HostLimits, makeHostLimiter } from './host-limiter.ts';
import { openPhotoFolder, type PhotoFolder } from './photo-folder.ts';
import { fetchPhoto, PhotoFault, type PhotoRequest, photoType, UnreadablePhoto } from './read-photo.ts';
import { makePhotoScaler, type PhotoScaler, type PhotoSize, UnscalablePhoto } from './scale-photo.ts';

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
   * @param network of the viewer: networks take turns at scaling
   * @throws PhotoFault for one that can't be shown now or ever; TooManyCalls when too many are being fetched
   */
  get(address: Address, size?: PhotoSize, network?: string): Promise<Photo>;
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
const SCALING: HostLimits = { atOnce: 1, perHost: 1, waiting: 1_000, timeoutMs: 10_000 };
/** How long a photo that can't be shown or scaled is not tried again. */
const RETRY_AFTER_MS = { final: 60 * 60_000, passing: 30_000 };
const MAX_FAULTS = 10_000;

/** Photos that were fetched from a private network have other names, since not every source may read them. */
const nameOf = ({ url, allowPrivateNetwork }: Address, size?: PhotoSize): string =>
  createHash('sha256')
    .update(`${allowPrivateNetwork ? 'inside' : 'outside'} ${url}${size ? ` as ${size.format} ${size.width}` : ''}`)
    .digest('hex');

/** Under this name it is remembered that a photo can't be scaled. */
const inAnySize = (original: string) => `${original} in any size`;

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

  function remember(name: string, fault: PhotoFault, how: keyof typeof RETRY_AFTER_MS): void {
    faults.delete(name);
    faults.set(name, { fault, until: Date.now() + RETRY_AFTER_MS[how] });
    const [oldest] = faults.keys();
    if (faults.size > MAX_FAULTS && oldest !== undefined) faults.delete(oldest);
  }

  function throwKnown(name: string): void {
    const known = faults.get(name);
    if (known && known.until > Date.now()) throw known.fault;
  }

  /** Reads a stored photo or makes it, once for all of a network who ask meanwhile. */
  async function bytesOf(name: string, make: () => Promise<Buffer>, network = ''): Promise<Buffer> {
    throwKnown(name);
    const key = `${name} ${network}`;
    const running = making.get(key);
    if (running) return running;
    const asked = kept
      .read(name)
      .then((bytes) => bytes ?? make())
      .catch((error: unknown) => {
        if (error instanceof PhotoFault) remember(name, error, error.isFinal ? 'final' : 'passing');
        throw error;
      })
      .finally(() => making.delete(key));
    making.set(key, asked);
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

  /** Never waits for the seller, since others wait for it. */
  async function scale(original: string, size: PhotoSize): Promise<Buffer> {
    throwKnown(inAnySize(original));
    const bytes = await kept.read(original);
    if (!bytes) throw new Error('The photo was removed while it waited.');
    try {
      return await scaler.scale(bytes, size);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const fault = new PhotoFault(error instanceof UnreadablePhoto, error);
      if (fault.isFinal || error instanceof UnscalablePhoto) remember(inAnySize(original), fault, 'final');
      throw fault;
    }
  }

  async function scaled(address: Address, size: PhotoSize, network: string): Promise<Buffer> {
    const original = nameOf(address);
    const name = nameOf(address, size);
    const make = async () => {
      throwKnown(inAnySize(original));
      // Those that wait to be scaled are on the disk, and not in memory.
      if (kept.fetchedAt(original) === null) await originalOf(address);
      return scaling(network, async () => {
        // Another network may have had its turn before.
        const before = await kept.read(name);
        if (before) return before;
        const bytes = await scale(original, size);
        // No longer than the photo that it was made of.
        await kept.store(name, bytes, kept.fetchedAt(original) ?? Date.now());
        return bytes;
      });
    };
    return bytesOf(name, make, network);
  }

  function toPhoto(bytes: Buffer, name: string, isAsAsked: boolean): Photo {
    const type = photoType(bytes);
    if (type === null) throw new PhotoFault(true, new Error('The stored photo can no longer be read.'));
    return { bytes, type, tag: name.slice(0, 32), isAsAsked };
  }

  return {
    async get(address, size, network = '') {
      if (size) {
        try {
          return await toPhoto(await scaled(address, size, network), nameOf(address, size), true);
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
