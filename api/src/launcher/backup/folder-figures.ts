import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { listBases, readCluster } from './backup-folder.ts';

/** Reads how new and how large the newest base backup is, and how much space is left for the next. @throws where the folder is away */
export async function readFolderFigures(
  backupDir: string,
): Promise<{ baseEndedAt: Date | null; baseBytes: number; freeBytes: number }> {
  const folder = resolve(backupDir);
  const { bavail, bsize } = await statfs(folder);
  if (!readCluster(folder)) throw new Error(`${folder} has no backups.`);
  const last = listBases(folder, () => {}).at(-1);
  return {
    baseEndedAt: last ? new Date(last.endedAt) : null,
    baseBytes: last?.bytes ?? 0,
    freeBytes: bavail * bsize,
  };
}
