import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/base/free-port.ts';
import { isAlive } from '../src/launcher/processes/os-processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface RunningLotWatch {
  process: ChildProcess;
  pid: number;
  url: string;
  port: number;
  /** Its output so far. */
  output(): string;
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** A process and all its descendants, with their command lines. */
export function processTree(pid: number): { pid: number; command: string }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const family = [pid];
  for (let size = 0; size !== family.length; ) {
    size = family.length;
    for (const child of all) {
      const parent = parentOf(child);
      if (parent !== undefined && family.includes(parent) && !family.includes(child)) family.push(child);
    }
  }
  return family.map((member) => {
    try {
      return { pid: member, command: readFileSync(`/proc/${member}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() };
    } catch {
      return { pid: member, command: '' };
    }
  });
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // The process ended meanwhile.
    return '';
  }
}

/** The process id of one part. @throws if it isn't running, as right after it was killed */
export function partOf(running: { pid: number }, part: 'api' | 'worker' | 'demo' | 'sandbox' | 'postgres'): number {
  const found = processTree(running.pid).filter(({ pid, command }) => {
    if (pid === running.pid || command.includes('esbuild')) return false;
    if (part === 'postgres') return command.includes('bin/postgres');
    return environmentOf(pid).includes(`LOTWATCH_PART=${part}\0`);
  });
  // A process that was just forked briefly has the command line of its parent.
  const pids = new Set(found.map(({ pid }) => pid));
  const [first, ...more] = found.filter(({ pid }) => !pids.has(parentOf(pid) ?? 0));
  if (!first || more.length > 0) throw new Error(`${part} is ${found.length} times in ${JSON.stringify(found)}`);
  return first.pid;
}

/** Waits until all processes have ended. @returns those still running after `timeoutMs` */
export async function findRunning(pids: number[], timeoutMs = 5000): Promise<number[]> {
  for (const end = Date.now() + timeoutMs; Date.now() < end && pids.some(isAlive); ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return pids.filter(isAlive);
}

/** Starts LotWatch as `npm start` does. */
export async function launchLotWatch(dataDir: string, env: Record<string, string> = {}): Promise<RunningLotWatch> {
  const port = env.PORT ? Number(env.PORT) : await freePort();
  const { NODE_ENV: _testing, ...environment } = process.env;
  const child = spawn(process.execPath, ['api/src/start.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, PORT: String(port), DATA_DIR: dataDir, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { process: child, pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, port, output: () => output, ended };
}

const statusOf = async (url: string): Promise<number | undefined> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).status;
  } catch {
    return undefined;
  }
};

/** Waits until a page is served. @returns the seconds that took @throws with the output if it ended or took too long */
export async function untilServed(lotWatch: RunningLotWatch, timeoutMs = 60_000): Promise<number> {
  const began = Date.now();
  while (Date.now() - began < timeoutMs && lotWatch.process.exitCode === null) {
    if ((await statusOf(lotWatch.url)) === 200) return (Date.now() - began) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no page after ${(Date.now() - began) / 1000} s:\n${lotWatch.output()}`);
}
