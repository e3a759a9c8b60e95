import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** True while a process with this id runs, whoever owns it. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A dead process whose parent hasn't looked yet still answers signals. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  return statFields(pid)[0] === 'Z';
}

/** The fields of /proc/PID/stat after the name, which may itself hold spaces and brackets. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** When the process began, in a form that differs for the next process with the same id, also after a reboot. */
export function startMark(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const startedAtTick = statFields(pid)[19];
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return startedAtTick === undefined ? undefined : `${boot}:${startedAtTick}`;
    }
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)])
        .toString()
        .trim() || undefined
    );
  } catch {
    return undefined;
  }
}

/** Ids of the processes whose working directory is `dir` (Linux; elsewhere none are known). */
export function processesIn(dir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== process.pid && readlinkSync(`/proc/${pid}/cwd`) === dir && !isZombie(pid);
      } catch {
        return false;
      }
    });
}
