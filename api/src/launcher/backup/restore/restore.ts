import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { join } from 'node:path';
import { makePool } from '../../../base/database.ts';
import { MAJOR } from '../../postgres/embedded-postgres.ts';
import { clusterPassword, stopLeftovers } from '../../postgres/make-cluster.ts';
import { baseFolder, claimBackupFolder, readCluster, syncPath, walFolder, writeWhole } from '../backup-folder.ts';
import { KEPT_FILES } from '../make-backup.ts';
import { planRestore, type RestorePlan, readKnownLog } from './plan-restore.ts';
import { recover } from './recover.ts';
import { unpackCluster } from './unpack-base.ts';

/** What is done in the restored database before it takes the place of the other one. */
export interface RestoreHooks<Lost> {
  /** Reads what the log has after the restored moment, from a database that is restored to the end of the log. */
  readLost(databaseUrl: string, since: Date): Promise<Lost>;
  /** Prepares the restored database. `isComplete`: whether no commit can be missing after what was restored. */
  prepare(databaseUrl: string, state: { restoredTo: Date; lost: Lost | undefined; isComplete: boolean }): Promise<void>;
}

export interface RestoreOrder<Lost> extends RestoreHooks<Lost> {
  backupDir: string;
  /** The data folder, whose lock the caller has. */
  dataDir: string;
  /** Undefined: to the last moment that is known. */
  to: Date | undefined;
  timeline?: number | undefined;
  onStep(step: string, done?: number, all?: number): void;
  onLine?(line: string): void;
}

export interface Restored {
  base: string;
  timeline: number;
  /** Where the database is that was replaced; null where there was none. */
  replaced: string | null;
}

function requireSpace(dataDir: string, plan: RestorePlan, segmentBytes: number): void {
  const needed = plan.base.unpackedBytes * 1.1 + plan.files.length * segmentBytes;
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize > needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new Error(
    `The disk of ${dataDir} has ${megabytes(bavail * bsize)} left, and the restore needs ${megabytes(needed)}.`,
  );
}

/** A cluster and its password, under a name that nothing else uses. */
async function unpackTo(
  order: { backupDir: string; dataDir: string },
  plan: RestorePlan,
  dir: string,
  segmentBytes: number,
  onStep: RestoreOrder<unknown>['onStep'],
) {
  await stopLeftovers(dir);
  rmSync(dir, { recursive: true, force: true });
  await unpackCluster(order.backupDir, plan, { target: dir, segmentBytes }, onStep);
  const files = join(baseFolder(order.backupDir), plan.base.name, 'files');
  copyFileSync(join(files, 'postgres.password'), `${dir}.password`);
  chmodSync(`${dir}.password`, 0o600);
}

function removeCluster(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
  rmSync(`${dir}.password`, { force: true });
}

/** When the last commit was made that was replayed. */
async function readLastCommit(databaseUrl: string): Promise<Date> {
  const pool = makePool(databaseUrl, 1, 'lotwatch-restore');
  try {
    const { rows } = await pool.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at');
    return rows[0]?.at ?? new Date();
  } finally {
    await pool.end();
  }
}

/** Gives the owner's role the password that the data folder has, which the restored one need not have. */
async function setOwnerPassword(databaseUrl: string, password: string): Promise<void> {
  const pool = makePool(databaseUrl, 1, 'lotwatch-restore');
  try {
    const { rows } = await pool.query<{ statement: string }>(
      `select format('alter role postgres password %L', $1::text) as statement`,
      [password],
    );
    await pool.query(rows[0]?.statement ?? '');
  } finally {
    await pool.end();
  }
}

/** Puts the secrets of the backup into the data folder. One that differs there is kept beside it. */
function restoreFiles(source: string, dataDir: string, stamp: string): void {
  for (const name of KEPT_FILES) {
    const from = join(source, name);
    const path = join(dataDir, name);
    if (!existsSync(from) || name === 'postgres.password') continue;
    // The sandbox stands for Stripe, which goes on while LotWatch is restored.
    if (existsSync(path) && name === 'sandbox.ndjson') continue;
    if (existsSync(path) && !readFileSync(path).equals(readFileSync(from))) renameSync(path, `${path}.before-${stamp}`);
    if (!existsSync(path)) writeWhole(path, readFileSync(from));
  }
}

/**
 * Archives the histories of the timelines that the restored cluster knows, so that no other restore begins the same one.
 * @returns the newest of them, which is the cluster's
 */
function archiveHistories(cluster: string, folder: string): number {
  const names = readdirSync(join(cluster, 'pg_wal')).filter((one) => one.endsWith('.history'));
  for (const name of names) {
    const path = join(walFolder(folder), name);
    if (!existsSync(path)) writeWhole(path, readFileSync(join(cluster, 'pg_wal', name)));
  }
  return Math.max(1, ...names.map((name) => Number.parseInt(name.slice(0, 8), 16)));
}

/**
 * Restores the database of a data folder from its backups, to a moment or to the end of the log. The database that is there
 * stays as it is until the restored one is whole, and beside it afterwards.
 * @throws Error with a message for the operator
 */
export async function restore<Lost>(order: RestoreOrder<Lost>): Promise<Restored> {
  const { backupDir, dataDir, to, onStep, onLine = () => {} } = order;
  const cluster = readCluster(backupDir);
  if (!cluster) throw new Error(`${backupDir} has no backups of LotWatch.`);
  if (cluster.major !== MAJOR)
    throw new Error(`${backupDir} has backups of PostgreSQL ${cluster.major}; this LotWatch brings ${MAJOR}.`);
  const dir = join(dataDir, 'postgres');
  await stopLeftovers(dir);
  // Left by a restore that was killed when it had not yet moved the other one.
  if (existsSync(dir)) rmSync(`${dir}.restored`, { recursive: true, force: true });
  const known = readKnownLog(backupDir, cluster, dir);
  const plan = planRestore(known, { to: to?.getTime(), timeline: order.timeline });
  if (to === undefined && plan.missing !== undefined)
    throw new Error(
      `The archive lacks the log segment ${plan.missing} after the base backup ${plan.base.name}. With --to a moment before it can be restored.`,
    );
  const { segmentBytes } = cluster;
  requireSpace(dataDir, plan, segmentBytes);
  const passwordFile = `${dir}.password`;
  const draft = `${dir}.restoring`;
  const ahead = `${dir}.ahead`;
  let lost: Lost | undefined;
  try {
    if (to !== undefined && plan.missing === undefined) {
      onStep('reading what came after that moment');
      await unpackTo(order, plan, ahead, segmentBytes, () => {});
      const server = await recover({ dir: ahead, timeline: plan.timeline, to: undefined, durable: false, onLine });
      try {
        lost = await order.readLost(server.url, to);
      } finally {
        await server.stop();
        removeCluster(ahead);
      }
    }
    await unpackTo(order, plan, draft, segmentBytes, onStep);
    onStep('replaying the log');
    const server = await recover({ dir: draft, timeline: plan.timeline, to, durable: true, onLine });
    try {
      onStep('preparing the database');
      const restoredTo = to ?? (await readLastCommit(server.url));
      await order.prepare(server.url, {
        restoredTo,
        lost,
        isComplete: known.hasOwnLog && plan.missing === undefined,
      });
      if (existsSync(passwordFile)) await setOwnerPassword(server.url, clusterPassword(dir));
    } finally {
      await server.stop();
    }
  } catch (error) {
    removeCluster(ahead);
    removeCluster(draft);
    throw error;
  }
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const replaced = existsSync(dir) ? `${dir}.before-${stamp}` : null;
  if (!existsSync(passwordFile)) renameSync(`${draft}.password`, passwordFile);
  // Whole from now on: a start that finds this name and no other one takes it.
  renameSync(draft, `${dir}.restored`);
  if (replaced !== null) {
    renameSync(dir, replaced);
    copyFileSync(passwordFile, `${replaced}.password`);
  }
  renameSync(`${dir}.restored`, dir);
  syncPath(dataDir);
  // Not before, as a restore that ends early must leave the archive as it was.
  restoreFiles(join(baseFolder(backupDir), plan.base.name, 'files'), dataDir, stamp);
  claimBackupFolder(backupDir, { ...cluster, timeline: archiveHistories(dir, backupDir) });
  rmSync(`${draft}.password`, { force: true });
  return { base: plan.base.name, timeline: plan.timeline, replaced };
}
