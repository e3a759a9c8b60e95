import type { Queryable } from '../base/database.ts';
import { refuseInvalid } from '../base/errors.ts';
import { beforePlace, decodeCursor, encodeCursor, isKnownCursor, unknownCursor } from '../live/match-cursor.ts';
import { cursorOf, type JoinedMatch, type MatchPageRows, type MatchRow, matchColumns } from '../live/read-matches.ts';
import {
  decodeListCursor,
  encodeListCursor,
  type ListChoice,
  type ListCursor,
  type ListSort,
  meetsFilters,
  sortKey,
} from './list-choice.ts';

/** How many of the newest matches are sorted: their values are in other tables, so that no index has the order. */
const SORTED = 5000;

type SortedRow = JoinedMatch & {
  key: string | null;
  horizon: string;
  horizonNonce: number;
  isKnown: boolean;
  total: number;
};

/** "offset 0" keeps the look-up of each listing by its id, however many the planner expects. */
const sortedSql = `/* read-sorted-matches */
  with b as materialized (select * from match_bounds()), newest as materialized (
    select m.*
      from b cross join alerts a
     cross join lateral (
       select * from matches
        where alert_id = a.id and user_id = $1 and alert_version = a.version and position < b.horizon
        order by position desc, listing_id desc
        limit ${SORTED}) m
     where a.user_id = $1 and a.id = $2
  ), found as materialized (
    select m.*, ${sortKey('$3', { newest: '-m.position', nearest: 'm.distance_miles' })} as key
      from newest m
     cross join lateral (select * from listings where id = m.listing_id offset 0) l
     where ${meetsFilters('$4', '$1')}
  )
  select b.horizon::text as horizon, b.nonce as "horizonNonce",
         $9::int8 is null or ${isKnownCursor('$9::int8', '$10::int4')} as "isKnown", (select count(*)::int4 from found) as total, m.*
    from b
    left join lateral (
      select ${matchColumns}, m.key::text as key
        from found m
       where $5::numeric is null or (m.key, -m.listing_id, -m.alert_id) > ($5::numeric, -$6::int8, -$7::int8)
       order by m.key, m.listing_id desc, m.alert_id desc
       limit $8) m on true
   order by m.key::numeric, m."listingId" desc, m."alertId" desc`;

/** A page of a buyer's matches, of all alerts without `alertId`. */
interface WantedPage {
  userId: number;
  alertId?: number;
  first: number;
  after?: string;
}

export interface SortedMatches extends MatchPageRows {
  /** How many matches there are on all pages. */
  total: number;
}

/** The cursors of the newest matches are those of the list without filters, and belong to the history of a server. */
function readCursor(after: string, sort: ListSort): ListCursor & { position: string | null; nonce: number | null } {
  if (sort !== 'newest') return { ...decodeListCursor(after, sort, 2), position: null, nonce: null };
  const { position, nonce, listingId, alertId } = decodeCursor(after);
  return { key: `-${position}`, ids: [listingId, alertId], position, nonce };
}

const writeCursor = (row: MatchRow, key: string, sort: ListSort): string =>
  sort === 'newest' ? encodeCursor(cursorOf(row)) : encodeListCursor(sort, { key, ids: [row.listingId, row.alertId] });

/**
 * Reads a page of an alert's matches, sorted and filtered out of the newest 5,000. A match that arrives between two pages moves none
 * of the others to another page.
 * @param after an `endCursor` of a list with the same sort
 * @throws AppError VALIDATION without an alert and for an invalid cursor, CONFLICT for one that is not from this server's history
 */
export async function readSortedMatches(
  db: Queryable,
  { userId, alertId, first, after }: WantedPage,
  { sort, only }: ListChoice,
): Promise<SortedMatches> {
  // Of all alerts it would read 5,000 of each.
  if (alertId === undefined)
    refuseInvalid({ alertId: 'Matches are sorted and filtered for one alert: pass its alertId.' });
  const from = after === undefined ? null : readCursor(after, sort);
  const { rows } = await db.query<SortedRow>(sortedSql, [
    userId,
    alertId,
    sort,
    only,
    from?.key ?? null,
    from?.ids[0] ?? 0,
    from?.ids[1] ?? 0,
    first + 1,
    from?.position ?? null,
    from?.nonce ?? null,
  ]);
  const [top] = rows;
  if (!top?.isKnown) throw unknownCursor();
  const found = rows.flatMap(
    ({ horizon: _, horizonNonce: __, isKnown: ___, total: ____, key, ...row }): [string, MatchRow][] =>
      row.position === null ? [] : [[key ?? '', row]],
  );
  const page = found.slice(0, first);
  const last = page.at(-1);
  return {
    rows: page.map(([, row]) => row),
    endCursor: last ? writeCursor(last[1], last[0], sort) : null,
    liveCursor: encodeCursor(beforePlace({ position: top.horizon, nonce: top.horizonNonce })),
    hasMore: found.length > first,
    total: top.total,
  };
}
