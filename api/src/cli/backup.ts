import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../base/free-port.ts';
import { readSettings, type Settings } from '../base/settings/settings.ts';
import { makeBackup } from '../launcher/backup/make-backup.ts';
import { FolderInUse, lockFolder, makeDataFolder } from '../launcher/data-folder.ts';
import { startEmbeddedPostgres } from '../launcher/postgres/embedded-postgres.ts';
import { showProgress } from './backup-output.ts';
import { exitWith, print, requireEmbedded, UsageError } from './open-database.ts';

interface Server {
  url: string;
  stop(): Promise<void>;
}

/** The embedded server of the running LotWatch, or one that is started for the duration of the command. */
async function findServer(settings: Settings): Promise<Server> {
  const dir = join(resolve(settings.dataDir), 'postgres');
  if (!existsSync(join(dir, 'PG_VERSION')))
    throw new UsageError(`No LotWatch has run on ${settings.dataDir}: start it with npm start first.`);
  const folder = makeDataFolder(settings.dataDir);
  try {
    const lock = lockFolder(folder, join(folder, 'lock'), 'nothing: it makes a backup');
    process.once('exit', () => lock.release());
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return { url: readFileSync(join(folder, 'database-url'), 'utf8').trim(), stop: async () => {} };
  }
  return startEmbeddedPostgres({ dir, port: await freePort() });
}

async function main(): Promise<void> {
  const settings = readSettings({ ...process.env, ROLE: 'all' });
  requireEmbedded('npm run backup', settings);
  const { backupDir } = settings;
  if (backupDir === undefined) throw new UsageError('Set BACKUP_DIR to the folder of the backups.');
  const server = await findServer(settings);
  const progress = showProgress();
  try {
    const backup = await makeBackup({
      databaseUrl: server.url,
      backupDir,
      dataDir: resolve(settings.dataDir),
      onProgress: (done, all) => progress.step('copied', done, all),
    });
    progress.end();
    print({ ...backup, folder: join(resolve(backupDir), 'base', backup.name) });
  } finally {
    progress.end();
    await server.stop();
  }
}

exitWith(main());
