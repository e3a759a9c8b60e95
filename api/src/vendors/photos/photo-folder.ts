import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder of photos with a maximum size; the least recently used photo is evicted first. */
export interface PhotoFolder {
  /** @returns null where it is missing or too old */
  read(name: string): Promise<Buffer | null>;
  /** Stores the photo; errors of the disk are ignored, since the photo can be shown without it. */
  keep(name: string, bytes: Buffer): Promise<void>;
  /** In bytes, as the disk counts them. */
  size(): number;
}

const NAME = /^[0-9a-f]{64}$/;
const DRAFT = '.new';
const HOUR_MS = 3_600_000;

/** A file counts in whole blocks, which also bounds how many names of small photos are held in memory. */
const BLOCK_BYTES = 4096;
const sizeOnDisk = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

interface Kept {
  /** What it takes of the disk. */
  bytes: number;
  fetchedAt: number;
}

/** Reads the existing photos, oldest first, and removes half-written files. */
async function readFolder(folder: string): Promise<Map<string, Kept>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found: [string, Kept][] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { size, mtimeMs } = (await stat(path).catch(() => null)) ?? { size: 0, mtimeMs: 0 };
    if (NAME.test(name)) found.push([name, { bytes: sizeOnDisk(size), fetchedAt: mtimeMs }]);
    // A recent draft may belong to another process.
    else if (name.endsWith(DRAFT) && mtimeMs < Date.now() - HOUR_MS) await rm(path, { force: true });
  }
  return new Map(found.sort(([, one], [, other]) => one.fetchedAt - other.fetchedAt));
}

/** @param maxAgeMs older ones are gone, whoever asks for them */
export async function openPhotoFolder(folder: string, maxBytes: number, maxAgeMs: number): Promise<PhotoFolder> {
  // In the order in which they were asked for.
  const kept = await readFolder(folder);
  let size = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  let sweptAt = 0;

  async function evict(name: string): Promise<void> {
    size -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
    await rm(join(folder, name), { force: true }).catch(() => {});
  }

  async function makeRoom(): Promise<void> {
    for (const name of kept.keys()) {
      if (size <= maxBytes) break;
      await evict(name);
    }
    if (Date.now() - sweptAt < HOUR_MS) return;
    sweptAt = Date.now();
    for (const [name, { fetchedAt }] of kept) if (fetchedAt < Date.now() - maxAgeMs) await evict(name);
  }
  await makeRoom();

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
          // Another process, or an operator, has sizeOnDisk it away.
        }
      }
      await evict(name);
      return null;
    },
    async keep(name, bytes) {
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
      await makeRoom();
    },
    size: () => size,
  };
}
