import type { Queryable } from '../base/database.ts';

/** What is in the folder of the backups. */
export interface BackupFolderFigures {
  /** When the newest base backup ended; null where there is none. */
  baseEndedAt: Date | null;
  /** Its size. */
  baseBytes: number;
  /** What the disk of the folder has left. */
  freeBytes: number;
}

export interface BackupParts {
  /** The replication slot by which the log is archived. */
  slot: string;
  /** @throws where the folder is away */
  readFolder(): BackupFolderFigures | Promise<BackupFolderFigures>;
}

interface LogPositions {
  /** Positions in the log, in bytes; null where no slot archives it. */
  archived: number | null;
  written: number;
  /** Since the last segment that the server's own archive_command archived, while it fails now; null where none is set. */
  commandBehindSeconds: number | null;
}

const readPositions = async (db: Queryable, slot: string | null): Promise<LogPositions | undefined> => {
  const { rows } = await db.query<LogPositions>({
    name: 'metrics-log-archive',
    text: `select (select (restart_lsn - '0/0'::pg_lsn)::float8 from pg_replication_slots where slot_name = $1) as archived,
                  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 as written,
                  case when current_setting('archive_mode') <> 'off' then
                    case when last_failed_time > coalesce(last_archived_time, '-infinity')
                         then extract(epoch from now() - coalesce(last_archived_time, stats_reset))::float8 else 0 end
                  end as "commandBehindSeconds"
             from pg_stat_archiver`,
    values: [slot],
  });
  return rows[0];
};

export interface BackupFigures {
  /** Infinite where there is no base backup, or the folder is away; undefined where LotWatch makes none. */
  baseAgeSeconds: number | undefined;
  baseBytes: number | undefined;
  freeBytes: number | undefined;
  logBehindBytes: number | undefined;
  logBehindSeconds: number | undefined;
}

/**
 * Makes what reads how late the backups are. How long the archive of the log is behind follows from where the log ended at
 * the readings before, so that a server that writes nothing is never late.
 */
export function makeBackupReader(
  backup: BackupParts | undefined,
  now: () => number = Date.now,
): (db: Queryable) => Promise<BackupFigures> {
  /** Ends of the log that were not archived at the last reading, the oldest first. */
  let ends: { at: number; written: number }[] = [];

  function behindSeconds({ archived, written }: LogPositions): number | undefined {
    if (archived === null) return undefined;
    ends = [...ends, { at: now(), written }].filter((end) => end.written > archived);
    const [oldest] = ends;
    return oldest ? (now() - oldest.at) / 1000 : 0;
  }

  async function readFolder(): Promise<Partial<BackupFigures>> {
    if (!backup) return {};
    try {
      const { baseEndedAt, baseBytes, freeBytes } = await backup.readFolder();
      const age = baseEndedAt === null ? Number.POSITIVE_INFINITY : (now() - baseEndedAt.getTime()) / 1000;
      return { baseAgeSeconds: age, baseBytes, freeBytes };
    } catch {
      return { baseAgeSeconds: Number.POSITIVE_INFINITY };
    }
  }

  return async (db) => {
    const positions = await readPositions(db, backup?.slot ?? null);
    const { archived = null, written = 0, commandBehindSeconds = null } = positions ?? {};
    return {
      baseAgeSeconds: undefined,
      baseBytes: undefined,
      freeBytes: undefined,
      ...(await readFolder()),
      logBehindBytes: archived === null ? undefined : Math.max(0, written - archived),
      logBehindSeconds: (positions && behindSeconds(positions)) ?? commandBehindSeconds ?? undefined,
    };
  };
}
