import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const LIMIT_BYTES = 10_000_000;

export interface LogFile {
  readonly path: string;
  write(line: string): void;
}

/** Appends lines to a file for its owner alone; at 10 MB it becomes `….1` and a new one begins. */
export function openLogFile(path: string, limitBytes = LIMIT_BYTES): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  return {
    path,
    write(line) {
      try {
        if (size > limitBytes) {
          closeSync(file);
          renameSync(path, `${path}.1`);
          file = openSync(path, 'a', 0o600);
          size = 0;
        }
        size += writeSync(file, `${line}\n`);
      } catch {
        // A full disk must not end the processes whose lines these are.
      }
    },
  };
}
