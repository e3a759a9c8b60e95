import { deleteByPages, FIRST_PIECE, type InPieces } from '../base/pieces.ts';

/**
 * Removes what no longer puts a mail off: `alert_paces` stays as small as what was mailed of late. Waits for nobody who
 * is about to mail.
 */
export const purgePaces: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByPages(db, { table: 'alert_paces', where: "last_mailed_at < now() - interval '5 minutes'" }, piece);
