import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** For how long the files of a former build are kept, for pages that were opened before. */
const KEEP_DAYS = 7;
/** Some ten builds. */
const MAX_BYTES = 100_000_000;

/** When each file was left by a build. */
type Left = Record<string, number>;

interface Options {
  /** Where it is kept when each file was left. */
  recordFile: string;
  now?: number;
  maxBytes?: number;
}

/**
 * Takes over the files of a former build that the new one lacks: a page that was opened before asks for them when its
 * visitor goes on. Their names have their hashes, so none stands for another. What was left too long ago, and beyond the
 * limit what was left first, is not taken over.
 */
export function keepFormerFiles(
  former: string,
  fresh: string,
  { recordFile, now = Date.now(), maxBytes }: Options,
): void {
  const before = readLeft(recordFile);
  const isNew = new Set(namesIn(fresh));
  const left = namesIn(former)
    .filter((name) => !isNew.has(name))
    .map((name) => ({ name, at: before[name] ?? now, bytes: statSync(join(former, name)).size }))
    .filter(({ at }) => now - at < KEEP_DAYS * 86_400_000)
    .toSorted((one, other) => other.at - one.at);
  const kept: Left = {};
  let room = maxBytes ?? MAX_BYTES;
  mkdirSync(fresh, { recursive: true });
  for (const { name, at, bytes } of left) {
    room -= bytes;
    if (room < 0) break;
    linkSync(join(former, name), join(fresh, name));
    kept[name] = at;
  }
  writeFileSync(recordFile, JSON.stringify(kept));
}

/** The names of the files; none where there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []));
  } catch {
    return [];
  }
}

/** A record that is missing or damaged lets the files count as left now. */
function readLeft(file: string): Left {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Left;
  } catch {
    return {};
  }
}
