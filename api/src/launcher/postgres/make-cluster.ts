import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { PostgresUser } from './postgres-user.ts';
import { stopLeftovers } from './stale-postgres.ts';

/** A folder's own working directory: reachable for a user that may not enter the folders above it. */
export const hereOnLinux = (dir: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : dir);

const passwordPath = (dir: string): string => `${dir}.password`;

export const clusterPassword = (dir: string): string => readFileSync(passwordPath(dir), 'utf8').trim();

function initdb(bin: string, user: PostgresUser, cluster: string, passwordFile: string, sync: boolean): Promise<void> {
  const [program = '', ...args] = [
    ...user.prefix,
    join(bin, 'initdb'),
    ...['-D', hereOnLinux(cluster), '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
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

/** Makes the cluster beside its place and moves it there when it is whole, so that half a cluster is never started. */
export async function makeCluster(bin: string, user: PostgresUser, dir: string, sync: boolean): Promise<void> {
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
  await initdb(bin, user, cluster, `${hereOnLinux(cluster)}/../password`, sync);
  renameSync(cluster, dir);
  rmSync(draft, { recursive: true, force: true });
}
