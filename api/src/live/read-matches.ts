import type { Queryable } from '../base/database.ts';
import { COUNTED_MATCHES, MATCHES_KEPT } from '../domain/match-cap.ts';
import type { OwnedRow } from '../entities/owned-rows.ts';
import {
  beforePlace,
  decodeCursor,
  encodeCursor,
  isKnownCursor,
  type MatchCursor,
  type MatchPlace,
  unknownCursor,
} from './match-cursor.ts';

export interface MatchRow {
  listingId: number;
  alertId: number;
  /** Miles between the alert's place and the listing's. */
  distance: number;
  /** Bit mask of `domain/criteria/criteria.ts`. */
  notStated: number;
  announced: boolean;
  matchedAt: Date;
  /** Whether it was read before the first mail or text about it could be sent. */
  isJustFound?: boolean;
  /** An int8 as decimal text. */
  position: string;
  /** The nonce of the position's epoch. */
  nonce: number;
}

/** A row of a left join: without a match all its columns are null. */
export type JoinedMatch = MatchRow | { [Column in keyof MatchRow]: null };

export interface MatchPageRows {
  rows: MatchRow[];
  endCursor: string | null;
  /** The cursor from which the live feed continues without a gap. */
  liveCursor: string;
  hasMore: boolean;
}

export const matchColumns = `
  m.listing_id as "listingId", m.alert_id as "alertId", m.distance_miles as distance, m.not_stated as "notStated",
  m.announced, m.matched_at as "matchedAt", m.position::text as position,
  (select nonce from match_epochs where epoch = m.position >> 42) as nonce`;

/**
 * Joins to the alert `a` how many matches it shows, as `c.count`, no more than `COUNTED_MATCHES`, which stands for more than an
 * alert keeps. One that has left some out has more than it shows.
 */
export const withMatchCount = `
  cross join lateral (
    select case when a.is_capped and count(*) = ${MATCHES_KEPT} then ${COUNTED_MATCHES} else count(*)::int4 end as count
      from (select from matches where alert_id = a.id and user_id = a.user_id and alert_version = a.version limit ${COUNTED_MATCHES}) m offset 0) c`;

/** The cursor of a match. */
export const cursorOf = ({ position, nonce, listingId, alertId }: MatchRow): MatchCursor => ({
  position,
  nonce,
  listingId,
  alertId,
});

/** Reads the position of the oldest transaction that runs on the user's server; everything below it is final. */
export async function readHorizon(db: Queryable, userId: number): Promise<MatchPlace> {
  const { rows } = await db.query<MatchPlace>({
    name: 'live-horizon',
    text: 'select horizon::text as position, nonce from match_bounds() where $1::int8 is not null',
    values: [userId],
  });
  return rows[0] ?? { position: '0', nonce: null };
}

type PageRow = JoinedMatch & { horizon: string; horizonNonce: number; isKnown: boolean };

/** The bounds are of the same snapshot as the rows. */
const pageSql = `/* read-match-page */
  with b as materialized (select * from match_bounds())
  select b.horizon::text as horizon, b.nonce as "horizonNonce",
         $3::int8 is null or ${isKnownCursor('$3::int8', '$4::int4')} as "isKnown", m.*
    from b
    left join lateral (
      select ${matchColumns}
        from alerts a
       cross join lateral (
         select * from matches
          where alert_id = a.id and user_id = $1 and alert_version = a.version and position < b.horizon
            and (position, listing_id, alert_id) < (coalesce($3::int8, b.horizon), $5::int8, $6::int8)
          order by position desc, listing_id desc
          limit $7) m
       where a.user_id = $1 and ($2::int8 is null or a.id = $2)
       order by m.position desc, m.listing_id desc, m.alert_id desc
       limit $7) m on true
   order by m.position::int8 desc, m."listingId" desc, m."alertId" desc`;

/**
 * Reads a page of a buyer's matches, newest first, without pairs that no longer fit their alert.
 * @param after an `endCursor`, for the older matches
 * @throws AppError VALIDATION for an invalid cursor, CONFLICT for one that is not from this server's history
 */
export async function readMatchPage(
  db: Queryable,
  { userId, alertId, first, after }: { userId: number; alertId?: number; first: number; after?: string },
): Promise<MatchPageRows> {
  const from = after === undefined ? null : decodeCursor(after);
  const { rows } = await db.query<PageRow>(pageSql, [
    userId,
    alertId ?? null,
    from?.position ?? null,
    from?.nonce ?? null,
    from?.listingId ?? 0,
    from?.alertId ?? 0,
    first + 1,
  ]);
  const [top] = rows;
  if (!top?.isKnown) throw unknownCursor();
  const found = rows.flatMap(({ horizon: _, horizonNonce: __, isKnown: ___, ...row }) =>
    row.position === null ? [] : [row],
  );
  const page = found.slice(0, first);
  const last = page.at(-1);
  return {
    rows: page,
    endCursor: last ? encodeCursor(cursorOf(last)) : null,
    liveCursor: encodeCursor(beforePlace({ position: top.horizon, nonce: top.horizonNonce })),
    hasMore: found.length > first,
  };
}

/** Reads one match; null when the alert does not show it. */
export async function readMatch(db: Queryable, { id, userId }: OwnedRow, listingId: number): Promise<MatchRow | null> {
  const { rows } = await db.query<JoinedMatch>({
    name: 'read-match',
    text: `select ${matchColumns} from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id and m.alert_version = a.version
            where a.id = $1 and a.user_id = $3 and m.listing_id = $2`,
    values: [id, listingId, userId],
  });
  const [row] = rows;
  return row && row.position !== null ? row : null;
}
