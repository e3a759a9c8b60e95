import type { Queryable } from '../base/database.ts';
import { isDistributed } from './layout.ts';

/*
 * The position of a match is the epoch of the server that has its row, and a transaction there. So there are as many horizons
 * as servers; which one is about a position, its epoch says, as no two servers have the same.
 */

/** Between which positions running transactions of one server may still add rows. Each is an int8 as decimal text. */
export interface Bounds {
  /** Below it all positions are settled. */
  horizon: string;
  /** None above it was given out. */
  ceiling: string;
}

const epochOf = (position: bigint): bigint => position >> 42n;

/**
 * Whether a position of which a process was notified can't be read yet: it is committed, but an older transaction still
 * runs. Positions of another epoch are final, or were lost with their server.
 * @param bounds those of each server whose rows are read, of a statement that began after the notification
 */
export function isHeldBack(position: string, bounds: readonly Bounds[]): boolean {
  const notified = BigInt(position);
  return bounds.some(({ horizon }) => notified >= BigInt(horizon) && epochOf(notified) === epochOf(BigInt(horizon)));
}

/**
 * Reads the bounds that decide which notices have to be kept. A server may commit what a notice names a little later than the
 * coordinator has sent it: bounds of a later statement than the search for its rows could be above it already.
 * @returns undefined where all rows are on the server that sends the notices, so that each statement sees what they name
 */
export async function readBoundsBefore(db: Queryable, users: readonly number[]): Promise<Bounds[] | undefined> {
  if (!isDistributed()) return undefined;
  const { rows } = await db.query<Bounds>({
    name: 'live-bounds',
    text: 'select horizon::text as horizon, ceiling::text as ceiling from match_bounds() where $1::int8[] is not null',
    values: [users],
  });
  return rows;
}
