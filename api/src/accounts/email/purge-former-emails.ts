import { deleteByIndex, FIRST_PIECE, type InPieces } from '../../base/pieces.ts';

/** Deletes addresses whose undo links are over: those live 7 days, and may leave a day late. */
export const purgeFormerEmails: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByIndex(
    db,
    { table: 'former_emails', where: "left_at < now() - interval '8 days'", orderBy: 'left_at' },
    piece,
  );
