import { type BatchedCleanUp, deleteByIndex, FIRST_BATCH } from '../../base/batches.ts';

/** Deletes addresses whose undo links are over: those live 7 days, and may leave a day late. */
export const purgeFormerEmails: BatchedCleanUp = (db, batch = FIRST_BATCH) =>
  deleteByIndex(
    db,
    { table: 'former_emails', where: "left_at < now() - interval '8 days'", orderBy: 'left_at' },
    batch,
  );
