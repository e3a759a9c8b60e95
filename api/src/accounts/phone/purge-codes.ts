import { deleteByPages, FIRST_PIECE, type InPieces } from '../../base/pieces.ts';

/** Deletes codes that no longer count towards any limit. */
export const purgeCodes: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByPages(db, { table: 'phone_codes', where: "created_at < now() - interval '1 day'" }, piece);
