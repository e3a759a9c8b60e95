import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { FolderInUse, type FolderLock, lockFolder } from '../data-folder.ts';
import {
  type BaseBackup,
  baseFolder,
  claimBackupFolder,
  listBases,
  listUnfinished,
  openBackupFolder,
  rememberBackupFolder,
  syncPath,
} from './backup-folder.ts';
import { countBytes } from './count-bytes.ts';
import { purgeBackups } from './purge-backups.ts';
import { connectReplication, identify, parseLsn, type Replication, readSegmentBytes } from './replication.ts';

/** What belongs to an installation beside its database: the secrets of the data folder, and the state of the payment sandbox. */
export const KEPT_FILES = [
  'session-secret',
  'postgres.password',
  'demo-seed',
  'sandbox-key',
  'sandbox-webhook-secret',
  'sandbox.ndjson',
] as const;

export interface BackupOrder {
  /** Of the embedded server's owner. */
  databaseUrl: string;
  backupDir: string;
  /** The data folder, whose secrets are backed up too. */
  dataDir: string;
  onProgress?: (doneBytes: number, allBytes: number) => void;
}

/** Base backups of one folder run one at a time. @throws Error with a message for the operator */
function lockBackups(folder: string): FolderLock {
  try {
    return lockFolder(folder, join(folder, 'backup.lock'), 'nothing');
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const { pid, since } = error.holder;
    throw new Error(`A backup to ${folder} is being made: process ${pid} has been at it since ${since}.`, {
      cause: error,
    });
  }
}

/** Refuses to begin what does not fit on the disk, as the last one says. */
function requireSpace(folder: string): void {
  const last = listBases(folder).at(-1);
  const { bavail, bsize } = statfsSync(folder);
  if (last === undefined || bavail * bsize > last.bytes * 1.1) return;
  throw new Error(
    `The disk of ${folder} has ${Math.floor((bavail * bsize) / 1e6)} MB left, and the last base backup took ${Math.ceil(last.bytes / 1e6)} MB.`,
  );
}

interface Copied {
  start: { lsn: string; timeline: number };
  stopLsn: string;
  bytes: number;
  unpackedBytes: number;
  sha256: string;
}

/** Lets the server copy its cluster into base.tar.gz and manifest.json of a folder. */
async function copyCluster(
  replication: Replication,
  target: string,
  label: string,
  onProgress: BackupOrder['onProgress'],
): Promise<Copied> {
  let unpackedBytes = 0;
  const packed = countBytes();
  const tar = new PassThrough({ highWaterMark: 4 * 1024 ** 2 });
  const path = join(target, 'base.tar.gz');
  const written = pipeline(
    tar,
    createGzip({ level: 1 }),
    packed.stream,
    createWriteStream(path, { mode: 0o600, flags: 'wx' }),
  );
  const manifest: Buffer[] = [];
  let isManifest = false;
  let isPaused = false;
  const copied = replication.run(
    `BASE_BACKUP (LABEL '${label}', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`,
    {
      onCopied(chunk, { stream }, results) {
        const [kind] = chunk;
        if (kind === 0x6d) isManifest = true;
        if (kind === 0x6e && unpackedBytes > 0)
          throw new Error('A cluster with tablespaces of its own is not backed up.');
        if (kind !== 0x64) return;
        // The client reuses the memory of its messages.
        const data = Buffer.from(chunk.subarray(1));
        if (isManifest) return void manifest.push(data);
        unpackedBytes += data.length;
        onProgress?.(unpackedBytes, Math.max(Number(results[1]?.[0]?.[2] ?? 0) * 1024, unpackedBytes));
        if (tar.write(data) || isPaused) return;
        isPaused = true;
        stream.pause();
        tar.once('drain', () => {
          isPaused = false;
          stream.resume();
        });
      },
    },
  );
  // A full disk ends the pipeline first, while the server would wait for ever for somebody to read.
  const results = await Promise.race([copied, written.then(() => copied)]);
  tar.end();
  await written;
  writeFileSync(join(target, 'manifest.json'), Buffer.concat(manifest), { mode: 0o600, flag: 'wx' });
  const [startLsn, timeline] = results[0]?.[0] ?? [];
  const [stopLsn] = results.at(-1)?.[0] ?? [];
  if (!startLsn || !stopLsn || manifest.length === 0) throw new Error('PostgreSQL ended the base backup early.');
  return {
    start: { lsn: startLsn, timeline: Number(timeline) },
    stopLsn,
    bytes: packed.bytes(),
    unpackedBytes,
    sha256: packed.sha256(),
  };
}

function copySecrets(dataDir: string, target: string): void {
  mkdirSync(join(target, 'files'), { mode: 0o700 });
  for (const name of KEPT_FILES) {
    const path = join(dataDir, name);
    if (existsSync(path)) copyFileSync(path, join(target, 'files', name));
  }
}

const isFullDisk = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOSPC';

/**
 * Makes a base backup of the running embedded server. It has its final name only when all of it is on the disk; one that
 * ends early leaves nothing that a restore would take. Then what no moment of the last seven days needs is deleted.
 * @throws Error with a message for the operator
 */
export async function makeBackup(order: BackupOrder): Promise<BaseBackup> {
  const folder = openBackupFolder(order.backupDir, order.dataDir);
  const lock = lockBackups(folder);
  let replication: Replication | undefined;
  let draft: string | undefined;
  try {
    for (const left of listUnfinished(folder)) rmSync(left, { recursive: true, force: true });
    requireSpace(folder);
    replication = await connectReplication(order.databaseUrl, 'lotwatch-backup');
    const { systemId, timeline } = await identify(replication);
    const segmentBytes = await readSegmentBytes(replication);
    const [[[version = ''] = []] = []] = await replication.run('SHOW server_version_num');
    const major = String(Math.floor(Number(version) / 10_000));
    claimBackupFolder(folder, { systemId, major, segmentBytes, timeline });
    const startedAt = new Date().toISOString();
    const name = startedAt.replace(/[-:]|\.\d+/g, '');
    const final = join(baseFolder(folder), name);
    draft = `${final}.part`;
    mkdirSync(draft, { mode: 0o700 });
    const { start, ...copied } = await copyCluster(replication, draft, `lotwatch ${name}`, order.onProgress);
    copySecrets(order.dataDir, draft);
    const backup: BaseBackup = {
      name,
      systemId,
      major,
      timeline: start.timeline,
      startLsn: start.lsn,
      stopLsn: copied.stopLsn,
      startedAt,
      endedAt: new Date().toISOString(),
      bytes: copied.bytes,
      unpackedBytes: copied.unpackedBytes,
      sha256: copied.sha256,
    };
    if (parseLsn(backup.stopLsn) < parseLsn(backup.startLsn)) throw new Error('The base backup ends before it begins.');
    writeFileSync(join(draft, 'backup.json'), `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600 });
    for (const file of ['base.tar.gz', 'manifest.json', 'backup.json', 'files', '']) syncPath(join(draft, file));
    renameSync(draft, final);
    syncPath(baseFolder(folder));
    draft = undefined;
    rememberBackupFolder(folder, order.dataDir);
    purgeBackups(folder, Date.now());
    return backup;
  } catch (error) {
    if (!isFullDisk(error)) throw error;
    throw new Error(`The disk of ${folder} is full. The backups that were there are as they were.`, { cause: error });
  } finally {
    await replication?.end();
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    lock.release();
  }
}
