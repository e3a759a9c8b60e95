import type { Pool } from '../base/database.ts';
import { decodeCursor, encodeCursor, foreignCursor } from './match-cursor.ts';
import { readOn } from './read-followers.ts';
import { cursorOf } from './read-matches.ts';

interface Part {
  userId: number;
  /** Only of this alert; null for all. */
  alertId: number | null;
  first: number;
  /** A cursor to go on from; null for the beginning. */
  after: string | null;
}

/** Before the first match of all, on whatever server. */
const beginning = { position: '0', nonce: null, listingId: 0, alertId: 0 };

/**
 * A part of a buyer's matches in the order in which they became visible: whoever goes on from the last cursor misses
 * none, and reads twice only what was hidden and shown again meanwhile.
 * @throws AppError VALIDATION for a cursor that is not ours, CONFLICT for one that is not of this server's past
 */
export async function readMatchLog(pool: Pool, { userId, alertId, first, after }: Part) {
  const cursor = after === null ? beginning : decodeCursor(after);
  const { lists } = await readOn(pool, [{ userId, alertId, cursor }], first + 1);
  const [rows] = lists;
  if (!rows) throw foreignCursor();
  const nodes = rows.slice(0, first).map((row) => ({ cursor: encodeCursor(cursorOf(row)), match: row }));
  return { nodes, endCursor: nodes.at(-1)?.cursor ?? after, hasMore: rows.length > first };
}
