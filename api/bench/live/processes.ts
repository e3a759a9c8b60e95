import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/base/free-port.ts';
import { bundleParts } from '../../src/launcher/bundle-parts.ts';

/** What the benchmark's processes say to each other. Times are `now()`. */
export interface OpenSockets {
  type: 'open';
  /** Two sets of sockets live in one client process: the product's and the bare server's. */
  set: 'real' | 'bare';
  url: string;
  origin: string;
  /** One socket each. */
  cookies: string[];
  query: string;
  after: string | null;
}

export interface TakeTold {
  type: 'take';
  set: 'real' | 'bare';
  /** Waits for so many, but no longer than the patience. */
  count: number;
  patienceMs: number;
}

/** One match told to one subscriber. */
export interface Told {
  subscriber: number;
  mark: number;
  at: number;
}

export type ToClients = OpenSockets | TakeTold | { type: 'look' };

interface Look {
  /** The first message of a match that came from the product. */
  sample: string;
  /** Sockets or subscriptions of the product's that ended and had to begin again. */
  begunAgain: number;
}

export type FromClients =
  | { type: 'ready' }
  | { type: 'opened' }
  | { type: 'told'; told: Told[] }
  | ({ type: 'look' } & Look);

/** Milliseconds of a clock that all processes of a machine share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 10_000;
/** With CPU_PROFILES=folder api and worker leave a profile there when they end. */
const profiled = process.env.CPU_PROFILES ? ['--cpu-prof', `--cpu-prof-dir=${process.env.CPU_PROFILES}`] : [];
const tsx = import.meta.resolve('tsx');
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await new Promise((settle) => child.once('exit', settle));
  clearTimeout(patience);
}

export interface Parts {
  url: string;
  apiPid: number;
  workerPid: number;
  stop(): Promise<void>;
}

interface PartsOptions {
  databaseUrl: string;
  folder: string;
  secret: string;
  ingestToken: string;
  /** Settings beside these. */
  env?: Record<string, string>;
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_PATIENCE_MS; Date.now() < end && child.exitCode === null; await sleep(100)) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error('the api did not start; see api.log');
}

/** The product's own api and worker, each a process, as they run apart. Their logs are in the folder. */
export async function startParts(options: PartsOptions): Promise<Parts> {
  const runFile = await bundleParts();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { NODE_ENV: _testing, ...environment } = process.env;
  const start = (role: 'api' | 'worker'): ChildProcess => {
    const child = spawn(process.execPath, [...profiled, ...runFile('api/src/main.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...environment,
        ROLE: role,
        PORT: String(port),
        PUBLIC_URL: url,
        DATABASE_URL: options.databaseUrl,
        DATA_DIR: join(options.folder, 'data'),
        SESSION_SECRET: options.secret,
        INGEST_TOKEN: options.ingestToken,
        DEMO_MARKETPLACE: 'off',
        ...options.env,
      },
    });
    const log = createWriteStream(join(options.folder, `${role}.log`));
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    return child;
  };
  const [api, worker] = [start('api'), start('worker')];
  const stop = async () => {
    for (const child of [api, worker]) child.kill('SIGTERM');
    await Promise.all([ended(api), ended(worker)]);
  };
  try {
    await untilHealthy(url, api);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, apiPid: api.pid ?? 0, workerPid: worker.pid ?? 0, stop };
}

/** What a process holds in memory, in MB; null where the system does not say. */
export function memoryMb(pid: number): number | null {
  try {
    const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kb === undefined ? null : Math.round(Number(kb) / 1024);
  } catch {
    return null;
  }
}

export interface Clients {
  open(message: Omit<OpenSockets, 'type'>): Promise<unknown>;
  take(message: Omit<TakeTold, 'type'>): Promise<{ told: Told[] }>;
  look(): Promise<Look>;
  stop(): Promise<void>;
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((settle, fail) => {
    const onExit = (code: number | null) => fail(new Error(`a process of the benchmark ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      settle(message as T);
    });
  });
}

/** All subscribers' sockets in a process of their own, so that the server's event loop is its own. */
export async function startClients(): Promise<Clients> {
  const child = fork(here('clients.ts'), { execArgv: ['--import', tsx] });
  await nextMessage(child);
  const ask = async <Type extends FromClients['type']>(message: ToClients) => {
    child.send(message);
    return nextMessage<Extract<FromClients, { type: Type }>>(child);
  };
  return {
    open: (message) => ask<'opened'>({ type: 'open', ...message }),
    take: (message) => ask<'told'>({ type: 'take', ...message }),
    look: () => ask<'look'>({ type: 'look' }),
    stop: () => {
      child.disconnect();
      return ended(child);
    },
  };
}

export async function startBareServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(here('bare-server.ts'), { execArgv: ['--import', tsx] });
  const port = await nextMessage<number>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      child.disconnect();
      return ended(child);
    },
  };
}
