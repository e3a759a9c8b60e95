import { execFileSync } from 'node:child_process';
import { existsSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { dieWithParent, setpriv } from '../processes/die-with-parent.ts';

export interface PostgresUser {
  /** Program and arguments that PostgreSQL's own command line is put behind. */
  prefix: string[];
  /** Who must own the cluster's files. */
  owner: { uid: number; gid: number } | undefined;
}

const find = (program: string): string | undefined =>
  ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, program)).find((path) => existsSync(path));

const othersMayEnter = (path: string): boolean => {
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
 * How PostgreSQL, which refuses root and users without a name, is run by whoever started LotWatch.
 * Root becomes `nobody`; where `nobody` can't reach the binaries, a user namespace has the same effect.
 */
export function postgresUser(bin: string): PostgresUser {
  const uid = process.getuid?.();
  if (uid !== 0 && hasName()) return { prefix: dieWithParent('INT'), owner: undefined };

  if (uid === 0 && setpriv && othersMayEnter(bin)) {
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

/** Gives a folder and all in it to the owner that PostgreSQL will run as; a no-op when it is so already. */
export function giveTo(owner: PostgresUser['owner'], dir: string): void {
  if (!owner || statSync(dir).uid === owner.uid) return;
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  lchownSync(dir, owner.uid, owner.gid);
}
