import { makePool } from '../../base/database.ts';

/** The server keeps the log for this slot until it is archived. */
export const BACKUP_SLOT = 'lotwatch_backup';

/** How a server runs that is backed up: while its backups can't be written, the log may take this much of its disk. */
export const backedUpSettings = ['max_slot_wal_keep_size=10GB'];

/** Lets a server that is no longer backed up keep no log for it. */
export async function dropBackupSlot(databaseUrl: string): Promise<void> {
  const pool = makePool(databaseUrl, 1, 'lotwatch-prepare');
  try {
    await pool.query(
      'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active',
      [BACKUP_SLOT],
    );
  } finally {
    await pool.end();
  }
}
