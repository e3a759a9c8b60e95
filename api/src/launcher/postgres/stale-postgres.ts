import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, processesIn } from '../processes/process-identity.ts';

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // Gone in between.
    }
  }
}

function lockedBy(dir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

async function gone(pids: () => number[], milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(25)) {
    if (pids().length === 0) return true;
  }
  return pids().length === 0;
}

/**
 * Ends a server that an earlier launcher left on the cluster, gently first. The caller holds the data folder's lock,
 * so whoever works in the cluster is an orphan. A lock file whose process is something else by now is removed.
 */
export async function stopLeftovers(dir: string): Promise<void> {
  let real: string;
  try {
    real = realpathSync(dir);
  } catch {
    return;
  }
  const postmaster = lockedBy(real);
  const left = () => processesIn(real);
  if (left().length === 0) {
    // On Linux every server process works in its cluster's folder: nobody there means that the id was given anew.
    if (postmaster !== undefined && (process.platform === 'linux' || !isAlive(postmaster)))
      rmSync(join(real, 'postmaster.pid'), { force: true });
    return;
  }
  if (await gone(left, 300)) return;
  for (const [name, patience] of [
    ['SIGINT', 3000],
    ['SIGQUIT', 2000],
    ['SIGKILL', 2000],
  ] as const) {
    const head = left().filter((pid) => pid === postmaster);
    signal(head.length > 0 && name !== 'SIGKILL' ? head : left(), name);
    if (await gone(left, patience)) return;
  }
  throw new Error(`Processes ${left().join(', ')} still work in ${dir} and can't be ended.`);
}
