import { setTimeout as sleep } from 'node:timers/promises';
import { makeLog } from '../../base/log.ts';
import { awaitBootConfiguration, notifyLauncher } from '../processes/under-launcher.ts';
import { KEPT_DAYS, listBases, makeBackupFolder } from './backup-folder.ts';
import { makeBackup } from './make-backup.ts';
import { type LogReceiver, receiveLog } from './receive-log.ts';

// Archives the log of the embedded PostgreSQL for as long as LotWatch runs, and makes a base backup a day.

const log = makeLog('backup');
const RECONNECT_MS = 1_000;
const BETWEEN_BASES_MS = 24 * 3_600_000;
const LOOK_MS = 60_000;
/** After a base backup that failed. */
const RETRY_MS = 15 * 60_000;

const stopping = new AbortController();
const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});

async function archive(
  databaseUrl: string,
  folder: string,
  onReceiver: (receiver: LogReceiver) => void,
): Promise<void> {
  while (!stopping.signal.aborted) {
    const beganAt = performance.now();
    try {
      const receiver = await receiveLog(databaseUrl, folder, log);
      onReceiver(receiver);
      await receiver.done;
    } catch (error) {
      // PostgreSQL is stopped before this process, and started again when it has ended by itself.
      if (!stopping.signal.aborted && performance.now() - beganAt < RECONNECT_MS)
        log.warn('the log of PostgreSQL is not archived', { error });
    }
    await pause(RECONNECT_MS);
  }
}

async function run(): Promise<void> {
  const {
    DATABASE_URL: databaseUrl = '',
    BACKUP_DIR: backupDir = '',
    DATA_DIR: dataDir = '',
  } = await awaitBootConfiguration();
  const folder = makeBackupFolder(backupDir);
  let receiver: LogReceiver | undefined;
  const stop = () => {
    stopping.abort();
    void (receiver?.close() ?? Promise.resolve()).finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
  void archive(databaseUrl, folder, (current) => {
    receiver = current;
  });
  await notifyLauncher({ type: 'ready' });
  let wasGap = false;
  while (!stopping.signal.aborted) {
    const last = listBases(folder).at(-1);
    const isGap = receiver?.hasGap === true && !wasGap;
    let next = LOOK_MS;
    if (receiver && (isGap || last === undefined || Date.now() - Date.parse(last.endedAt) > BETWEEN_BASES_MS)) {
      try {
        const { name, bytes } = await makeBackup({ databaseUrl, backupDir: folder, dataDir });
        wasGap = receiver.hasGap;
        log.info('a base backup was made', { name, megabytes: Math.ceil(bytes / 1e6), keptDays: KEPT_DAYS });
      } catch (error) {
        log.error('no base backup could be made', { error });
        next = RETRY_MS;
      }
    }
    await pause(receiver ? next : RECONNECT_MS);
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
