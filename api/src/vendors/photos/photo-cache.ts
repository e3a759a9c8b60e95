import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchPage } from '../web-fetch.ts';
import { type HostLimits, makeHostLimiter } from './host-limiter.ts';
import { fetchPhoto, PhotoFault, type PhotoRequest, photoType } from './read-photo.ts';

interface Photo {
  bytes: Buffer;
  type: string;
  /** The entity tag. */
  tag: string;
}

export interface PhotoCache {
  /** @throws PhotoFault for one that can't be shown now or ever; TooManyCalls when too many are being fetched */
  get(address: Omit<PhotoRequest, 'signal'>): Promise<Photo>;
  /** Aborts running fetches. */
  close(): void;
}

interface PhotoCacheOptions {
  folder: string;
  maxBytes: number;
  fetch?: FetchPage;
  limits?: HostLimits;
}

const DAY_MS = 86_400_000;
/** How long a photo is kept after it was fetched, so that it does not outlive its listing for longer. */
const MAX_AGE_MS = 30 * DAY_MS;
const LIMITS: HostLimits = { atOnce: 16, perHost: 6, waiting: 300, timeoutMs: 10_000 };
/** How long a photo that can't be shown is not fetched again. */
const RETRY_AFTER_MS = { final: 60 * 60_000, passing: 30_000 };
const MAX_FAULTS = 10_000;

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
  const limiter = makeHostLimiter(options.limits ?? LIMITS);
  const closing = new AbortController();
  const fetching = new Map<string, Promise<Buffer>>();
  const faults = new Map<string, { fault: PhotoFault; until: number }>();

  function remember(name: string, fault: PhotoFault): void {
    faults.delete(name);
    faults.set(name, { fault, until: Date.now() + (fault.isFinal ? RETRY_AFTER_MS.final : RETRY_AFTER_MS.passing) });
    const [oldest] = faults.keys();
    if (faults.size > MAX_FAULTS && oldest !== undefined) faults.delete(oldest);
  }

  async function fetchAndStore(name: string, address: Omit<PhotoRequest, 'signal'>): Promise<Buffer> {
    try {
      const bytes = await limiter(new URL(address.url).host, () =>
        fetchPhoto({ ...address, signal: closing.signal }, options.fetch),
      );
      await kept.store(name, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof PhotoFault) remember(name, error);
      throw error;
    }
  }

  async function bytesOf(name: string, address: Omit<PhotoRequest, 'signal'>): Promise<Buffer> {
    const known = faults.get(name);
    if (known && known.until > Date.now()) throw known.fault;
    const running = fetching.get(name);
    if (running) return running;
    const asked = kept
      .read(name)
      .then((bytes) => bytes ?? fetchAndStore(name, address))
      .finally(() => fetching.delete(name));
    fetching.set(name, asked);
    return asked;
  }

  return {
    async get(address) {
      const name = nameOf(address);
      const bytes = await bytesOf(name, address);
      const type = photoType(bytes);
      if (type === null) throw new PhotoFault(true, new Error('The stored photo can no longer be read.'));
      return { bytes, type, tag: name.slice(0, 32) };
    },
    close: () => closing.abort(new Error('LotWatch is ending.')),
  };
}

/** A folder of photos with a maximum size; the least recently used photo is evicted first. */
export interface PhotoFolder {
  /** @returns null when it is missing or too old */
  read(name: string): Promise<Buffer | null>;
  /** Stores the photo; errors of the disk are ignored, since the photo can be shown without it. */
  store(name: string, bytes: Buffer): Promise<void>;
  /** The size on the disk in bytes. */
  size(): number;
}

const NAME = /^[0-9a-f]{64}$/;
const DRAFT = '.new';
const HOUR_MS = 3_600_000;

/** A file counts in whole blocks, which also bounds how many names of small photos are held in memory. */
const BLOCK_BYTES = 4096;
const sizeOnDisk = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

interface CachedFile {
  /** The size on the disk. */
  bytes: number;
  fetchedAt: number;
}

/** Reads the existing photos, oldest first, and removes half-written files. */
async function readFolder(folder: string): Promise<Map<string, CachedFile>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found: [string, CachedFile][] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { size, mtimeMs } = (await stat(path).catch(() => null)) ?? { size: 0, mtimeMs: 0 };
    if (NAME.test(name)) found.push([name, { bytes: sizeOnDisk(size), fetchedAt: mtimeMs }]);
    // A recent draft may belong to another process.
    else if (name.endsWith(DRAFT) && mtimeMs < Date.now() - HOUR_MS) await rm(path, { force: true });
  }
  return new Map(found.sort(([, one], [, other]) => one.fetchedAt - other.fetchedAt));
}

/** @param maxAgeMs older photos are deleted */
export async function openPhotoFolder(folder: string, maxBytes: number, maxAgeMs: number): Promise<PhotoFolder> {
  // In the order of their last use.
  const kept = await readFolder(folder);
  let size = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  let sweptAt = 0;

  async function evict(name: string): Promise<void> {
    size -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
    await rm(join(folder, name), { force: true }).catch(() => {});
  }

  async function evictExcess(): Promise<void> {
    for (const name of kept.keys()) {
      if (size <= maxBytes) break;
      await evict(name);
    }
    if (Date.now() - sweptAt < HOUR_MS) return;
    sweptAt = Date.now();
    for (const [name, { fetchedAt }] of kept) if (fetchedAt < Date.now() - maxAgeMs) await evict(name);
  }
  await evictExcess();

  return {
    async read(name) {
      const known = kept.get(name);
      if (!known) return null;
      kept.delete(name);
      kept.set(name, known);
      if (known.fetchedAt >= Date.now() - maxAgeMs) {
        try {
          return await readFile(join(folder, name));
        } catch {
          // Another process, or an operator, has deleted it.
        }
      }
      await evict(name);
      return null;
    },
    async store(name, bytes) {
      const path = join(folder, name);
      const draft = `${path}.${randomUUID()}${DRAFT}`;
      try {
        await writeFile(draft, bytes, { mode: 0o600 });
        await rename(draft, path);
      } catch {
        await rm(draft, { force: true }).catch(() => {});
        return;
      }
      size += sizeOnDisk(bytes.length) - (kept.get(name)?.bytes ?? 0);
      kept.delete(name);
      kept.set(name, { bytes: sizeOnDisk(bytes.length), fetchedAt: Date.now() });
      await evictExcess();
    },
    size: () => size,
  };
}
