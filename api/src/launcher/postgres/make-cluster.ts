import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dieWithParent, isAlive, processesIn, setpriv } from '../processes/os-processes.ts';

export interface PostgresUser {
  /** The program and arguments to put before PostgreSQL's command line. */
  prefix: string[];
  /** The required owner of the cluster's files. */
  owner: { uid: number; gid: number } | undefined;
}

const find = (program: string): string | undefined =>
  ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, program)).find((path) => existsSync(path));

const isAccessibleToOthers = (path: string): boolean => {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(folder) && !(statSync(folder).mode & 0o001)) return false;
  }
  return true;
};

const works = (command: string[]): boolean => {
  const [program = '', ...args] = command;
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

const idOfNobody = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'nobody']).toString().trim());

/**
 * Finds a way to run PostgreSQL, which refuses root and users without a name, as the current user. Root becomes `nobody`,
 * or uses a user namespace when `nobody` can't access the binaries.
 */
export function postgresUser(bin: string): PostgresUser {
  const uid = process.getuid?.();
  if (uid !== 0 && hasName()) return { prefix: dieWithParent('INT'), owner: undefined };

  if (uid === 0 && setpriv && isAccessibleToOthers(bin)) {
    const owner = { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
    const become = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', '--pdeathsig=INT', '--'];
    return { prefix: [setpriv, ...become], owner };
  }
  const unshare = find('unshare');
  const namespace = unshare ? [unshare, '--user', '--map-user=65534', '--map-group=65534', '--'] : [];
  if (unshare && works([...namespace, 'true'])) {
    return { prefix: [...dieWithParent('INT'), ...namespace], owner: uid === 0 ? { uid: 0, gid: 0 } : undefined };
  }
  throw new Error(
    uid === 0
      ? `PostgreSQL doesn't run as root, the user nobody can't enter ${bin}, and this machine allows no user namespaces. ` +
          'Move LotWatch to a folder that others may enter, start it as another user, or set DATABASE_URL.'
      : `PostgreSQL needs a user with a name, and ${uid} has none here. Start LotWatch as another user, or set DATABASE_URL.`,
  );
}

/** Changes the owner of a folder and everything in it to PostgreSQL's user, unless it is already. */
export function changeOwner(owner: PostgresUser['owner'], dir: string): void {
  if (!owner || statSync(dir).uid === owner.uid) return;
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  lchownSync(dir, owner.uid, owner.gid);
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has exited meanwhile.
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

async function waitUntilGone(pids: () => number[], milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(25)) {
    if (pids().length === 0) return true;
  }
  return pids().length === 0;
}

/**
 * Stops a server that an earlier launcher left on the cluster, gracefully first. The caller holds the data folder's lock,
 * so that such a server is an orphan. A lock file that names an unrelated process is removed.
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
    // On Linux every server process runs in its cluster's folder; without any, the id belongs to another process now.
    if (postmaster !== undefined && (process.platform === 'linux' || !isAlive(postmaster)))
      rmSync(join(real, 'postmaster.pid'), { force: true });
    return;
  }
  if (await waitUntilGone(left, 300)) return;
  for (const [name, timeoutMs] of [
    ['SIGINT', 3000],
    ['SIGQUIT', 2000],
    ['SIGKILL', 2000],
  ] as const) {
    const head = left().filter((pid) => pid === postmaster);
    signal(head.length > 0 && name !== 'SIGKILL' ? head : left(), name);
    if (await waitUntilGone(left, timeoutMs)) return;
  }
  throw new Error(`Processes ${left().join(', ')} still work in ${dir} and can't be ended.`);
}

/** The folder as the process's working directory, which a user without access to its parent folders can use. */
export const asWorkingFolder = (dir: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : dir);

const passwordPath = (dir: string): string => `${dir}.password`;

export const clusterPassword = (dir: string): string => readFileSync(passwordPath(dir), 'utf8').trim();

function initdb(bin: string, user: PostgresUser, cluster: string, passwordFile: string, sync: boolean): Promise<void> {
  const [program = '', ...args] = [
    ...user.prefix,
    join(bin, 'initdb'),
    ...['-D', asWorkingFolder(cluster), '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', ...(sync ? [] : ['--no-sync'])],
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: cluster, detached: true });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`initdb failed (${signal ?? code}):\n${output}`)),
    );
  });
}

/** Creates the cluster in a draft folder and moves it when it is complete, so that an incomplete one is never started. */
export async function makeCluster(bin: string, user: PostgresUser, dir: string, sync: boolean): Promise<void> {
  // A restore ended between its last two steps.
  if (!existsSync(dir) && existsSync(`${dir}.restored`)) renameSync(`${dir}.restored`, dir);
  if (existsSync(join(dir, 'global', 'pg_control'))) return;
  if (existsSync(dir)) {
    if (readdirSync(dir).length === 0) rmSync(dir, { recursive: true });
    else renameSync(dir, `${dir}.incomplete-${Date.now()}`);
  }
  const draft = `${dir}.new`;
  const cluster = join(draft, 'cluster');
  await stopLeftovers(cluster);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  rmSync(passwordPath(dir), { force: true });
  writeFileSync(passwordPath(dir), password, { mode: 0o600 });
  writeFileSync(join(draft, 'password'), password, { mode: 0o600 });
  if (user.owner) {
    for (const path of [draft, cluster, join(draft, 'password')]) chownSync(path, user.owner.uid, user.owner.gid);
  }
  await initdb(bin, user, cluster, `${asWorkingFolder(cluster)}/../password`, sync);
  renameSync(cluster, dir);
  rmSync(draft, { recursive: true, force: true });
}
