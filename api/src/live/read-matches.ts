import type { Queryable } from '../base/database.ts';
import { beforePosition, decodeCursor, encodeCursor, type MatchCursor } from './match-cursor.ts';

export interface MatchRow {
  listingId: number;
  alertId: number;
  /** Miles between the alert's place and the listing's. */
  distance: number;
  /** Bit mask of `domain/criteria/criteria.ts`. */
  notStated: number;
  announced: boolean;
  matchedAt: Date;
  /** Read live, before the first message about it could leave. */
  isJustFound?: boolean;
  /** An int8 as decimal text. */
  position: string;
}

export interface MatchPageRows {
  rows: MatchRow[];
  endCursor: string | null;
  /** Where a live feed goes on without a gap. */
  liveCursor: string;
  hasMore: boolean;
}

export const matchColumns = `
  m.listing_id as "listingId", m.alert_id as "alertId", m.distance_miles as distance, m.not_stated as "notStated",
  m.announced, m.matched_at as "matchedAt", m.position::text as position`;

/** The place of a match among all. */
export const cursorOf = (row: MatchRow): MatchCursor => ({
  position: row.position,
  listingId: row.listingId,
  alertId: row.alertId,
});

/** The position of the oldest transaction that still runs: everything below it is settled. */
export async function readHorizon(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ horizon: string }>('select match_horizon()::text as horizon');
  return rows[0]?.horizon ?? '0';
}

/**
 * A page of a buyer's matches, newest first; pairs that no longer fit their alert are left out.
 * @param after an `endCursor`: the page holds what is older.
 * @throws AppError VALIDATION for a cursor that is not ours
 */
export async function readMatchPage(
  db: Queryable,
  { userId, alertId, first, after }: { userId: number; alertId?: number; first: number; after?: string },
): Promise<MatchPageRows> {
  const horizon = await readHorizon(db);
  const from = after === undefined ? beforePosition(horizon) : decodeCursor(after);
  const { rows } = await db.query<MatchRow>(
    `select ${matchColumns}
       from alerts a
      cross join lateral (
        select * from matches
         where alert_id = a.id and alert_version = a.version
           and (position, listing_id, alert_id) < ($3::int8, $4::int8, $5::int8) and position < $6::int8
         order by position desc, listing_id desc
         limit $7) m
      where a.user_id = $1 and ($2::int8 is null or a.id = $2)
      order by m.position desc, m.listing_id desc, m.alert_id desc
      limit $7`,
    [userId, alertId ?? null, from.position, from.listingId, from.alertId, horizon, first + 1],
  );
  const page = rows.slice(0, first);
  const last = page.at(-1);
  return {
    rows: page,
    endCursor: last ? encodeCursor(cursorOf(last)) : null,
    liveCursor: encodeCursor(beforePosition(horizon)),
    hasMore: rows.length > first,
  };
}
