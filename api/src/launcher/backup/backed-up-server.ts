// Read by the launcher, which loads no client of PostgreSQL.

/** The server keeps the log for this slot until it is archived. */
export const BACKUP_SLOT = 'lotwatch_backup';

/** How a server runs that is backed up: while its backups can't be written, the log may take this much of its disk. */
export const backedUpSettings = ['max_slot_wal_keep_size=10GB'];
