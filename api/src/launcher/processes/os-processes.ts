import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether a process with this id runs, of any user. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A dead process whose parent has not waited for it still accepts signals. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  return statFields(pid)[0] === 'Z';
}

/** The fields of /proc/PID/stat after the name, which may itself contain spaces and brackets. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** When the process started, in a form that differs for a later process with the same id, also after a reboot. */
export function readStartTime(pid: number): string | undefined {
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

/** The ids of the processes whose working directory is `dir`; none on other systems than Linux. */
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

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv', '/usr/local/bin/setpriv'].find((path) => existsSync(path));

/**
 * The prefix of a command that makes the kernel send it `signal` when this process ends in any way. It is empty where the
 * system can't do this; the child must then watch its parent.
 */
export function dieWithParent(signal: 'INT' | 'KILL'): string[] {
  return setpriv ? [setpriv, `--pdeathsig=${signal}`, '--'] : [];
}

export { setpriv };
