import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, readStartTime } from './processes/os-processes.ts';

/** Makes the data folder, accessible only to its owner. @returns its absolute path */
export function makeDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    chmodSync(folder, 0o700);
  } catch {
    // A mounted volume may belong to another user; the files in it have their own modes.
  }
  return folder;
}

/** Reads a value that is stored in the data folder, readable only by its owner; makes it the first time. */
export function readStoredValue(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  const read = (): string | undefined => {
    try {
      return readFileSync(path, 'utf8').trim() || undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  const known = read();
  if (known !== undefined) return known;
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600 });
  try {
    rmSync(path, { force: true });
    linkSync(draft, path);
  } catch (error) {
    // Of two processes that start together, the first one's value is used.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read() ?? '';
}

export const storedSessionSecret = (folder: string): string =>
  readStoredValue(folder, 'session-secret', () => randomBytes(48).toString('base64url'));

export const storedDemoSeed = (folder: string): number =>
  Number(readStoredValue(folder, 'demo-seed', () => String(randomInt(1, 2 ** 31))));

/** The key and webhook secret of the payment sandbox, in Stripe's format. */
export const storedSandboxSecrets = (folder: string): { secretKey: string; webhookSecret: string } => ({
  secretKey: readStoredValue(folder, 'sandbox-key', () => `sk_test_${randomBytes(24).toString('hex')}`),
  webhookSecret: readStoredValue(folder, 'sandbox-webhook-secret', () => `whsec_${randomBytes(24).toString('hex')}`),
});

export interface LockHolder {
  pid: number;
  /** When the process started, which distinguishes it from a later one with the same id. */
  startedAt: string | undefined;
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
  if (holder.pid === process.pid) return holder.startedAt === readStartTime(process.pid);
  if (!isAlive(holder.pid)) return false;
  const mark = readStartTime(holder.pid);
  return holder.startedAt === undefined || mark === undefined || mark === holder.startedAt;
}

/** Removes the lock of a dead holder. Only one of two racing processes can rename it, and it checks the file again. */
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
      // Another process has taken the lock meanwhile.
    }
  }
  rmSync(aside, { force: true });
}

/**
 * Takes the lock file `path` for this process. The lock of a holder that died, by kill -9 or power loss, is taken over.
 * @param address shown to a second start
 * @throws FolderInUse while the holder lives
 */
export function lockFolder(folder: string, path: string, address: string): FolderLock {
  const mine: LockHolder = {
    pid: process.pid,
    startedAt: readStartTime(process.pid),
    since: new Date().toISOString(),
    address,
  };
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(mine)}\n`, { mode: 0o600 });
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        // A link creates the complete file atomically, and fails when it exists.
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

/** Like lockFolder, but waits until the holder releases the lock. */
export async function waitForLock(folder: string, path: string, waiting: () => void): Promise<FolderLock> {
  for (let isWaiting = false; ; ) {
    try {
      return lockFolder(folder, path, 'nothing');
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (!isWaiting) waiting();
      isWaiting = true;
      await sleep(200);
    }
  }
}
