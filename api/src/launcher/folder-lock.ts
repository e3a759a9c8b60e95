import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, startMark } from './processes/process-identity.ts';

export interface LockHolder {
  pid: number;
  /** Tells this process from a later one with the same id. */
  mark: string | undefined;
  since: string;
  address: string;
}

export class FolderInUse extends Error {
  readonly holder: LockHolder;
  constructor(folder: string, holder: LockHolder) {
    super(
      `The data folder ${folder} is in use: process ${holder.pid} has held it since ${holder.since} and serves ${holder.address}.\n` +
        'Stop that one first, or set DATA_DIR to another folder.',
    );
    this.name = 'FolderInUse';
    this.holder = holder;
  }
}

export interface FolderLock {
  release(): void;
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}

function holds(holder: LockHolder): boolean {
  if (holder.pid === process.pid) return holder.mark === startMark(process.pid);
  if (!isAlive(holder.pid)) return false;
  const mark = startMark(holder.pid);
  return holder.mark === undefined || mark === undefined || mark === holder.mark;
}

/** Moves a dead holder's lock away. A rename is seen by one of two racers only, and what it moved is looked at again. */
function removeStale(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved && holds(moved)) {
    try {
      linkSync(aside, path);
    } catch {
      // Somebody took the place in between; they will read that it is taken by one of us.
    }
  }
  rmSync(aside, { force: true });
}

/**
 * Takes the lock file `path` for this process. A lock whose holder died, by kill -9 or power loss, is taken over.
 * @param address what a second start is told
 * @throws FolderInUse while its holder lives
 */
export function lockFolder(folder: string, path: string, address: string): FolderLock {
  const mine: LockHolder = {
    pid: process.pid,
    mark: startMark(process.pid),
    since: new Date().toISOString(),
    address,
  };
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(mine)}\n`, { mode: 0o600 });
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        // A link makes the file whole or not at all, and fails where there is one.
        linkSync(draft, path);
        return { release: () => rmSync(path, { force: true }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 20) throw error;
      }
      const holder = readHolder(path);
      if (holder && holds(holder)) throw new FolderInUse(folder, holder);
      removeStale(path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Like lockFolder, but waits for the holder. */
export async function waitForLock(folder: string, path: string, waiting: () => void): Promise<FolderLock> {
  for (let told = false; ; ) {
    try {
      return lockFolder(folder, path, 'nothing');
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (!told) waiting();
      told = true;
      await sleep(200);
    }
  }
}
