import { inTransaction, type Pool } from '../src/base/database.ts';
import { FIRST_PIECE, type InPieces, type Piece, type PieceDone } from '../src/base/pieces.ts';

const MOST_PIECES = 10_000;

export interface WalkDone {
  removed: number;
  pieces: number;
}

/** Runs clean-ups piece by piece, each to its end. @param rows about so many a piece */
export async function untilDone(
  pool: Pool,
  cleanUps: InPieces | readonly InPieces[],
  rows = FIRST_PIECE.rows,
): Promise<WalkDone> {
  const walk: WalkDone = { removed: 0, pieces: 0 };
  for (const cleanUp of [cleanUps].flat()) {
    let after: string | null = null;
    do {
      const piece: Piece = { after, rows };
      const done: PieceDone = await inTransaction(pool, (client) => cleanUp(client, piece));
      walk.removed += done.removed;
      walk.pieces += 1;
      after = done.after;
      if (walk.pieces > MOST_PIECES) throw new Error('The walk does not end.');
    } while (after !== null);
  }
  return walk;
}
