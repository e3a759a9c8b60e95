import type { Pool } from '../base/database.ts';
import { beforePosition, decodeCursor, encodeCursor } from './match-cursor.ts';
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

/**
 * A part of a buyer's matches in the order in which they became visible: whoever goes on from the last cursor misses
 * none and reads none twice. @throws AppError VALIDATION for a cursor that is not ours
 */
export async function readMatchLog(pool: Pool, { userId, alertId, first, after }: Part) {
  const cursor = after === null ? beforePosition('0') : decodeCursor(after);
  const { lists } = await readOn(pool, [{ userId, alertId, cursor }], first + 1);
  const rows = lists[0] ?? [];
  const nodes = rows.slice(0, first).map((row) => ({ cursor: encodeCursor(cursorOf(row)), match: row }));
  return { nodes, endCursor: nodes.at(-1)?.cursor ?? after, hasMore: rows.length > first };
}
