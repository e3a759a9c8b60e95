import { deleteByIndex, FIRST_PIECE, type InPieces } from '../base/pieces.ts';

/** Deletes counts of tries and requests whose time is over: they name network addresses. */
export const purgeTries: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByIndex(
    db,
    { table: 'rate_limits', where: 'expire < extract(epoch from now()) * 1000 - 60000', orderBy: 'expire' },
    piece,
  );
