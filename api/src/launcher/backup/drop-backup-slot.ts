import { makePool } from '../../base/database.ts';
import { BACKUP_SLOT } from './backed-up-server.ts';

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
