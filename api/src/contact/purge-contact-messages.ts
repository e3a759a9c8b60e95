import { deleteByPages, FIRST_PIECE, type InPieces } from '../base/pieces.ts';

const OVER = "created_at < now() - interval '12 months'";

/** Contact messages are kept for a year: by then they are answered. */
export const purgeContactMessages: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByPages(db, { table: 'contact_messages', where: OVER }, piece);

/** The mails that brought them to those who run LotWatch. */
export const purgeContactMails: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByPages(db, { table: 'mails', where: `kind = 'contact' and ${OVER}` }, piece);
