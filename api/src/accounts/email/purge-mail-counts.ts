import { type BatchedCleanUp, deleteByIndex, FIRST_BATCH } from '../../base/batches.ts';

/** Deletes the counts of days that are over. */
export const purgeMailCounts: BatchedCleanUp = (db, batch = FIRST_BATCH) =>
  deleteByIndex(db, { table: 'mail_counts', where: "day < (now() at time zone 'UTC')::date", orderBy: 'day' }, batch);
