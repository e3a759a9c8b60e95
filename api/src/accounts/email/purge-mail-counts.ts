import { deleteByIndex, FIRST_PIECE, type InPieces } from '../../base/pieces.ts';

/** Deletes the counts of days that are over. */
export const purgeMailCounts: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByIndex(db, { table: 'mail_counts', where: "day < (now() at time zone 'UTC')::date", orderBy: 'day' }, piece);
