import {
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import type { Stored } from './objects.ts';

/** The changes of one request: each changed object as a whole, and the ids of deleted ones. */
export interface Entry {
  put: readonly Stored[];
  gone: readonly string[];
}

export interface Journal {
  append(entry: Entry): void;
  close(): void;
}

/** Reads the complete lines, and cuts off a last line that a kill left incomplete. */
function readEntries(path: string): Entry[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(path, end);
  const lines = bytes.subarray(0, end).toString('utf8').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Entry);
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  fdatasyncSync(file);
}

/** Replaces all lines by a single one with the current objects, so that the file does not grow for ever. */
function rewrite(path: string, left: readonly Stored[]): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  writeAll(file, `${JSON.stringify({ put: left, gone: [] } satisfies Entry)}\n`);
  closeSync(file);
  renameSync(draft, path);
}

const WORTH_REWRITING = 1_000_000;

/**
 * Opens the file with all state. Each change is one line, which is on disk before the change is answered.
 * @param keep whether an object is still needed
 */
export function openJournal(
  path: string,
  keep: (one: Stored) => boolean,
): { journal: Journal; objects: Map<string, Stored> } {
  const objects = new Map<string, Stored>();
  for (const { put, gone } of readEntries(path)) {
    for (const one of put) objects.set(one.id, one);
    for (const id of gone) objects.delete(id);
  }
  for (const one of [...objects.values()]) if (!keep(one)) objects.delete(one.id);
  const size = objects.size > 0 ? statSync(path).size : 0;
  if (size > WORTH_REWRITING) rewrite(path, [...objects.values()]);
  const file = openSync(path, 'a', 0o600);
  return {
    objects,
    journal: {
      append: (entry) => writeAll(file, `${JSON.stringify(entry)}\n`),
      close: () => closeSync(file),
    },
  };
}
