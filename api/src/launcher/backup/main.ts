import { setTimeout as sleep } from 'node:timers/promises';
import { makeLog } from '../../base/log.ts';
import { awaitBootConfiguration, notifyLauncher } from '../processes/under-launcher.ts';
import { KEPT_DAYS, listBases, openBackupFolder, readCluster, rememberBackupFolder } from './backup-folder.ts';
import { type BackupOrder, makeBackup } from './make-backup.ts';
import { type LogReceiver, receiveLog } from './receive-log.ts';
import { planRestore, readKnownLog } from './restore/plan-restore.ts';

// Archives the log of the embedded PostgreSQL for as long as LotWatch runs, and makes a base backup a day.

const log = makeLog('backup');
const RECONNECT_MS = 1_000;
/** How often a folder is looked for that is away. */
const AWAY_MS = 30_000;
const BETWEEN_BASES_MS = 24 * 3_600_000;
const LOOK_MS = 60_000;
/** After a base backup that failed. */
const RETRY_MS = 15 * 60_000;

const stopping = new AbortController();
const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});

const warnOf = (message: string) => (error: unknown) => log.warn(message, { error });

/** Archives the log until this process stops, and makes base backups meanwhile. */
async function backUp(databaseUrl: string, backupDir: string, dataDir: string, at: Current): Promise<void> {
  while (!stopping.signal.aborted) {
    try {
      const folder = openBackupFolder(backupDir, dataDir);
      const receiver = await receiveLog(databaseUrl, folder, log);
      at.receiver = receiver;
      rememberBackupFolder(folder, dataDir);
      const ended = receiver.done.catch(warnOf('the log of PostgreSQL is not archived any more'));
      await Promise.race([ended, makeBases({ databaseUrl, backupDir: folder, dataDir }, receiver)]);
      await receiver.close();
    } catch (error) {
      log.warn('PostgreSQL is not backed up', { error });
      await pause(AWAY_MS);
    }
    await pause(RECONNECT_MS);
  }
}

/**
 * Whether the archive lacks a base backup from which every moment from now on can be restored. Decided by what is in the
 * folder, so that nothing that this process forgets matters.
 */
function needsBase(folder: string, { timeline }: LogReceiver): boolean {
  const bases = listBases(folder, warnOf('a base backup can not be read'));
  const last = bases.at(-1);
  if (!last || last.timeline !== timeline || Date.now() - Date.parse(last.endedAt) > BETWEEN_BASES_MS) return true;
  const cluster = readCluster(folder);
  return !cluster || planRestore(readKnownLog(folder, cluster), {}).missing !== undefined;
}

async function makeBases(order: BackupOrder, receiver: LogReceiver): Promise<void> {
  while (!stopping.signal.aborted && !receiver.hasEnded) {
    let next = LOOK_MS;
    try {
      openBackupFolder(order.backupDir, order.dataDir);
      if (needsBase(order.backupDir, receiver)) {
        const { name, bytes } = await makeBackup(order);
        log.info('a base backup was made', { name, megabytes: Math.ceil(bytes / 1e6), keptDays: KEPT_DAYS });
      }
    } catch (error) {
      log.error('no base backup could be made', { error });
      next = RETRY_MS;
    }
    await pause(next);
  }
}

interface Current {
  receiver?: LogReceiver;
}

async function run(): Promise<void> {
  const env = await awaitBootConfiguration();
  const { DATABASE_URL: databaseUrl = '', BACKUP_DIR: backupDir = '', DATA_DIR: dataDir = '' } = env;
  const current: Current = {};
  const stop = () => {
    stopping.abort();
    void (current.receiver?.close() ?? Promise.resolve()).finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
  // LotWatch runs on while its backups can't be written.
  await notifyLauncher({ type: 'ready' });
  await backUp(databaseUrl, backupDir, dataDir, current);
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
