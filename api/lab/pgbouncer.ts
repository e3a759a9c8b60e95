import { spawn, spawnSync } from 'node:child_process';
import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '../src/base/free-port.ts';
import { dieWithParent } from '../src/launcher/processes/os-processes.ts';
import { untilTrue } from './until-true.ts';

/** A PgBouncer of this machine. */
export interface PgBouncer {
  program: string;
  version: string;
  /** Whether it keeps named statements. */
  isNewEnough: boolean;
}

/** PgBouncer with the settings that we ship, before a server. */
export interface TestPooler {
  /** The address of the server's database through the pooler. */
  url: string;
  stop(): Promise<void>;
}

const shipped = fileURLToPath(new URL('../deploy/pgbouncer/', import.meta.url));

/** Copies what we ship, without named statements: an older PgBouncer does not know the setting. @returns how the copies begin */
function copyWithoutNames(folder: string, { isNewEnough }: PgBouncer): string {
  const setting = isNewEnough ? 'max_prepared_statements = 0' : '';
  for (const name of ['start.sh', 'pgbouncer.ini']) {
    const text = readFileSync(join(shipped, name), 'utf8');
    writeFileSync(
      join(folder, `copied-${name}`),
      text.replace(/^max_prepared_statements.*$/m, setting).replace('pgbouncer.ini"', 'copied-pgbouncer.ini"'),
    );
  }
  return join(folder, 'copied-');
}
const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];

function describe(program: string): PgBouncer[] {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    return [];
  }
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, version = '', major, minor] = /PgBouncer ((\d+)\.(\d+)\.\d+)/.exec(stdout ?? '') ?? [];
  if (version === '') return [];
  return [{ program, version, isNewEnough: Number(major) > 1 || Number(minor) >= 21 }];
}

/** The PgBouncers of this machine: the one that PGBOUNCER names, and those in PATH. */
export const findPgBouncers = (): PgBouncer[] =>
  [process.env.PGBOUNCER, ...folders.map((folder) => join(folder, 'pgbouncer'))].flatMap((path) =>
    path ? describe(path) : [],
  );

/** @param folder made if it is missing; the settings and the log are there */
export async function startTestPooler(
  bouncer: PgBouncer,
  folder: string,
  serverUrl: string,
  { port = 0, connectQuery = true, keepsNames = true } = {},
): Promise<TestPooler> {
  const upstream = new URL(serverUrl);
  const own = port || (await freePort());
  mkdirSync(folder, { recursive: true });
  // On a system where it would run as root, PgBouncer becomes another user.
  chmodSync(folder, 0o755);
  const log = openSync(join(folder, 'pgbouncer.log'), 'a');
  const [first = '', ...args] = [
    ...dieWithParent('KILL'),
    ...['sh', `${keepsNames ? shipped : copyWithoutNames(folder, bouncer)}start.sh`],
  ];
  const child = spawn(first, args, {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      FOLDER: folder,
      PGBOUNCER: bouncer.program,
      UPSTREAM_HOST: upstream.hostname,
      UPSTREAM_PORT: upstream.port,
      DATABASE: upstream.pathname.slice(1),
      DATABASE_USER: decodeURIComponent(upstream.username),
      DATABASE_PASSWORD: decodeURIComponent(upstream.password),
      LISTEN_ADDR: '127.0.0.1',
      LISTEN_PORT: String(own),
      ...(!connectQuery && { CONNECT_QUERY: 'select 1' }),
    },
  });
  closeSync(log);
  // It gives up the signal at the death of its parent when it becomes another user.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(own) }).href;
  const answers = async () => {
    if (child.exitCode !== null) return false;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } finally {
      await client.end().catch(() => {});
    }
  };
  await untilTrue('the start of PgBouncer', 15_000, answers, 50).catch((error: Error) => {
    kill();
    throw new Error(`${error.message}: ${readFileSync(join(folder, 'pgbouncer.log'), 'utf8')}`);
  });
  return {
    url,
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}
