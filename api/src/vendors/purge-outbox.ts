import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { IsHeld } from '../base/advisory-lock.ts';
import { idOf, type OutboxGuard, type OutboxLine, readLines, requireHeld } from './outbox-mail.ts';

const CHUNK = 1 << 20;

async function openIfThere(path: string): Promise<FileHandle | null> {
  return open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Lines are in the order of time: all lines before the first recent one are old. */
async function findRecent(file: FileHandle, before: Date): Promise<{ from: number; lines: number }> {
  const old = { from: 0, lines: 0 };
  let isOver = true;
  await readLines(file, 0, (line, end) => {
    isOver &&= idOf(line) === null || !(new Date((JSON.parse(line) as OutboxLine).sentAt) >= before);
    if (!isOver) return;
    old.from = end;
    old.lines += 1;
  });
  return old;
}

async function copyFrom(file: FileHandle, from: number, to: FileHandle, isHeld: IsHeld): Promise<void> {
  const buffer = Buffer.alloc(CHUNK);
  for (let position = from; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    requireHeld(isHeld);
    await to.writeFile(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** Removes files of a crashed purge, or of a process that lost the lock. */
async function removeUnfinished(path: string): Promise<void> {
  const begins = `${basename(path)}.new-`;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(begins)) await rm(join(dirname(path), name), { force: true });
  }
}

/**
 * Deletes messages from the outbox that were sent before a time. The rest is written to a new file, which replaces the
 * old one, so that a crash leaves one of the two whole. Writers find the new file under the guard.
 * @returns how many lines were deleted
 */
export async function purgeOutbox(path: string, before: Date, guard: OutboxGuard): Promise<number> {
  const file = await openIfThere(path);
  if (!file) return 0;
  // Each try has its own name, so that a process that continues late does not touch another's file.
  const fresh = `${path}.new-${randomUUID()}`;
  try {
    const old = await findRecent(file, before);
    if (old.lines === 0) return 0;
    let removed = 0;
    await guard(async (isHeld) => {
      // Another process may have purged the file meanwhile.
      if ((await stat(path).catch(() => null))?.ino !== (await file.stat()).ino) return;
      await removeUnfinished(path);
      const next = await open(fresh, 'wx', 0o600);
      try {
        await copyFrom(file, old.from, next, isHeld);
        await next.sync();
        requireHeld(isHeld);
        renameSync(fresh, path);
        removed = old.lines;
      } finally {
        await next.close();
        await rm(fresh, { force: true });
      }
    });
    return removed;
  } finally {
    await file.close();
  }
}
