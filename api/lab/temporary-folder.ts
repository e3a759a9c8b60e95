import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** A whole run of the tests writes about 4 GB. */
const PLENTY_BYTES = 8 * 1024 ** 3;

function hasPlenty(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > PLENTY_BYTES;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Deletes the folders of killed processes, which would hold memory until the machine restarts. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = /^lotwatch-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/**
 * Makes a folder for the PostgreSQL of a test, which its server's user may enter: in memory, where there is plenty. A copy
 * of the template has 700 files, which take half a second of a core on a disk.
 */
export function makeTemporaryFolder(): string {
  const isInMemory = hasPlenty();
  if (isInMemory) removeLeftovers();
  const folder = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), `lotwatch-${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}
