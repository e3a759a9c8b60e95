import { type BatchedCleanUp, deleteByIndex, FIRST_BATCH } from '../base/batches.ts';

/** Deletes counts of tries and requests whose time is over: they name network addresses. */
export const purgeTries: BatchedCleanUp = (db, batch = FIRST_BATCH) =>
  deleteByIndex(
    db,
    { table: 'rate_limits', where: 'expire < extract(epoch from now()) * 1000 - 60000', orderBy: 'expire' },
    batch,
  );
