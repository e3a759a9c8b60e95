import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  baseFolder,
  listBases,
  listSegments,
  readCluster,
  segmentOf,
  superfluousBases,
  walFolder,
} from './backup-folder.ts';
import { parseLsn } from './replication.ts';

/** Deletes the base backups that no moment of the last days needs, and the log before the oldest one that is kept. */
export function purgeBackups(folder: string, now: number): void {
  const cluster = readCluster(folder);
  if (!cluster) return;
  for (const { name } of superfluousBases(listBases(folder), now)) {
    // Without its description it is none, whenever this is interrupted.
    rmSync(join(baseFolder(folder), name, 'backup.json'), { force: true });
    rmSync(join(baseFolder(folder), name), { recursive: true, force: true });
  }
  const starts = listBases(folder).map(({ startLsn }) => segmentOf(parseLsn(startLsn), cluster.segmentBytes));
  if (starts.length === 0) return;
  const first = starts.reduce((one, other) => (one < other ? one : other));
  for (const segment of listSegments(folder, cluster.segmentBytes)) {
    if (segment.isWhole && segment.number < first) rmSync(join(walFolder(folder), segment.file), { force: true });
  }
}
