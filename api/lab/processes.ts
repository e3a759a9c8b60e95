import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/base/free-port.ts';
import { bundleParts } from '../src/launcher/bundle-parts.ts';
import { memoryEnvironment, memoryLimits } from '../src/launcher/memory-limits.ts';
import { untilTrue } from './until-true.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
/** With CPU_PROFILES=folder, api and worker write a profile there when they end. */
const profiled = process.env.CPU_PROFILES ? ['--cpu-prof', `--cpu-prof-dir=${process.env.CPU_PROFILES}`] : [];
const tsx = import.meta.resolve('tsx');

export const SESSION_SECRET = 'a secret of at least 32 characters, for measurements';
export const INGEST_TOKEN = 'an-ingest-token-for-measurements';

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
}

export interface LotWatchProcesses extends AsyncDisposable {
  url: string;
  apiPid: number;
  workerPid: number;
  stop(): Promise<void>;
}

export interface ProcessOptions {
  /** Further settings besides those that all measurements share. */
  env?: Record<string, string>;
  /** false: the api alone; the benchmark runs jobs of its own. */
  worker?: boolean;
}

/**
 * Starts LotWatch's api and worker over a database, as the launcher does, and waits until both do their work. Their logs
 * are in the database's folder.
 */
export async function startLotWatch(
  db: { url: string; folder: string },
  { env = {}, worker: hasWorker = true }: ProcessOptions = {},
): Promise<LotWatchProcesses> {
  const runFile = await bundleParts();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { NODE_ENV: _testing, ...environment } = process.env;
  const data = join(db.folder, 'data');
  mkdirSync(data, { recursive: true });
  const start = (role: 'api' | 'worker'): ChildProcess => {
    const child = spawn(process.execPath, [...memoryLimits[role], ...profiled, ...runFile('api/src/main.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...environment,
        ...memoryEnvironment,
        ROLE: role,
        PORT: String(port),
        PUBLIC_URL: url,
        DATABASE_URL: db.url,
        DATA_DIR: data,
        SESSION_SECRET,
        INGEST_TOKEN,
        DEMO_MARKETPLACE: 'off',
        ...env,
      },
    });
    const log = createWriteStream(join(db.folder, `${role}.log`));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return child;
  };
  const api = start('api');
  const worker = hasWorker ? start('worker') : null;
  const children = worker ? [api, worker] : [api];
  const isOneEnded = () => children.some(hasEnded);
  const stop = async () => {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map(ended));
  };
  try {
    await untilTrue('the api', START_TIMEOUT_MS, async () => isOneEnded() || (await fetch(`${url}/healthz`)).ok, 100);
    if (isOneEnded()) throw new Error('The api or the worker did not start; see its log.');
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, apiPid: api.pid ?? 0, workerPid: worker?.pid ?? 0, stop, [Symbol.asyncDispose]: stop };
}

export interface Child extends AsyncDisposable {
  /** Its first message. */
  hello: string;
  /** Sends a message. @returns the next one of the child */
  ask<Answer>(message: unknown): Promise<Answer>;
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a child process ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}

/** Runs a file in a process with an event loop of its own. It must end when it is disconnected. */
export async function forkChild(file: URL, args: readonly string[] = []): Promise<Child> {
  const child = fork(fileURLToPath(file), [...args], { execArgv: ['--import', tsx] });
  return {
    hello: await nextMessage(child),
    ask(message) {
      const answer = nextMessage(child);
      child.send(message as object);
      return answer as Promise<never>;
    },
    [Symbol.asyncDispose]() {
      child.disconnect();
      return ended(child);
    },
  };
}

const TICKS_PER_SECOND = 100;

/** The parent of a process and the processor time, in seconds, that it and its ended children took. */
function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name in brackets: the state, the parent, …, user and system time, and those of ended children.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number) => (fields[index] ?? 0) / TICKS_PER_SECOND;
    return { parent: fields[1] ?? 0, own: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    return null;
  }
}

export const parentOf = (pid: number): number => statOf(pid)?.parent ?? 0;

/** The processor time of a process in seconds; with `family` that of its children as well. */
export function cpuSeconds(pid: number, family = false): number {
  const own = statOf(pid);
  if (!family) return own?.own ?? 0;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return children.reduce((sum, child) => sum + (child?.own ?? 0), (own?.own ?? 0) + (own?.ended ?? 0));
}

/** The processes that a process has started. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => statOf(child)?.parent === pid);

/** The memory of processes in MB, in which what several share counts once (PSS). One that has ended counts nothing. */
export function sharedMemoryMb(pids: readonly number[]): number {
  const kb = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return Math.round(kb.reduce((sum, one) => sum + one, 0) / 1024);
}

/** The memory of a process now or at most, in MB; null where the system does not state it. */
export function memoryMb(pid: number, which: 'now' | 'peak' = 'now'): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kb] = (which === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/).exec(status) ?? [];
    return kb === undefined ? null : Math.round(Number(kb) / 1024);
  } catch {
    return null;
  }
}
