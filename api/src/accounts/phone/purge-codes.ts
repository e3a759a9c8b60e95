import { type BatchedCleanUp, deleteByPages, FIRST_BATCH } from '../../base/batches.ts';

/** Deletes codes that no longer count towards any limit. */
export const purgeCodes: BatchedCleanUp = (db, batch = FIRST_BATCH) =>
  deleteByPages(db, { table: 'phone_codes', where: "created_at < now() - interval '1 day'" }, batch);
