import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A folder of photos with a maximum size; the least recently used photo is evicted first. What a full or unwritable disk does
 * not take is held in memory for a minute, a few photos at most.
 */
export interface PhotoFolder {
  /** @returns null when it is missing or too old */
  read(name: string): Promise<Buffer | null>;
  /** When the photo was fetched, as Unix milliseconds; null when it is missing. */
  fetchedAt(name: string): number | null;
  /**
   * Stores the photo; errors of the disk are ignored, since the photo can be shown and scaled without it.
   * @param fetchedAt Unix milliseconds
   */
  store(name: string, bytes: Buffer, fetchedAt?: number): Promise<void>;
  /** The size on the disk in bytes. */
  size(): number;
}

const NAME = /^[0-9a-f]{64}$/;
const DRAFT = '.new';
const HOUR_MS = 3_600_000;
/** For as long as a page needs to ask for the widths of its photos. */
const UNSTORED = { maxBytes: 32 * 1024 * 1024, keepMs: 60_000 };

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

/** Photos in memory, of which the oldest are dropped first. */
function holdUnstored() {
  const held = new Map<string, { bytes: Buffer; fetchedAt: number }>();
  return {
    get: (name: string) => held.get(name) ?? null,
    drop: (name: string) => void held.delete(name),
    hold(name: string, bytes: Buffer, fetchedAt: number): void {
      const one = { bytes, fetchedAt };
      held.delete(name);
      held.set(name, one);
      let size = [...held.values()].reduce((sum, other) => sum + other.bytes.length, 0);
      for (const [oldest, other] of held) {
        if (size <= UNSTORED.maxBytes) break;
        held.delete(oldest);
        size -= other.bytes.length;
      }
      setTimeout(() => {
        if (held.get(name) === one) held.delete(name);
      }, UNSTORED.keepMs).unref();
    },
  };
}

/** @param maxAgeMs older photos are deleted */
export async function openPhotoFolder(folder: string, maxBytes: number, maxAgeMs: number): Promise<PhotoFolder> {
  // In the order of their last use.
  const kept = await readFolder(folder);
  let size = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const unstored = holdUnstored();
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
      const held = unstored.get(name);
      if (held) return held.bytes;
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
    fetchedAt: (name) => (unstored.get(name) ?? kept.get(name))?.fetchedAt ?? null,
    async store(name, bytes, fetchedAt = Date.now()) {
      const path = join(folder, name);
      const draft = `${path}.${randomUUID()}${DRAFT}`;
      try {
        await writeFile(draft, bytes, { mode: 0o600 });
        await utimes(draft, new Date(), new Date(fetchedAt));
        await rename(draft, path);
      } catch {
        unstored.hold(name, bytes, fetchedAt);
        await rm(draft, { force: true }).catch(() => {});
        return;
      }
      unstored.drop(name);
      size += sizeOnDisk(bytes.length) - (kept.get(name)?.bytes ?? 0);
      kept.delete(name);
      kept.set(name, { bytes: sizeOnDisk(bytes.length), fetchedAt });
      await evictExcess();
    },
    size: () => size,
  };
}
