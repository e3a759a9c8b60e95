import { type BatchedCleanUp, deleteByPages, FIRST_BATCH } from '../base/batches.ts';

const OVER = "created_at < now() - interval '12 months'";

/** Contact messages are kept for a year: by then they are answered. */
export const purgeContactMessages: BatchedCleanUp = (db, batch = FIRST_BATCH) =>
  deleteByPages(db, { table: 'contact_messages', where: OVER }, batch);

/** The mails that brought them to those who run LotWatch. */
export const purgeContactMails: BatchedCleanUp = (db, batch = FIRST_BATCH) =>
  deleteByPages(db, { table: 'mails', where: `kind = 'contact' and ${OVER}` }, batch);
