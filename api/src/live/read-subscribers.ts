import type { MatchNotice } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import { BATCH_DELAY_MS } from '../domain/throttle.ts';
import type { Bounds } from '../placement/positions.ts';
import { decodeCursor, encodeCursor, isKnownCursor, type MatchCursor, unknownCursor } from './match-cursor.ts';
import { cursorOf, type JoinedMatch, type MatchRow, matchColumns } from './read-matches.ts';

/** A subscriber's user, alert and cursor. */
export interface Reader {
  userId: number;
  alertId: number | null;
  cursor: MatchCursor;
}

/** Which of these users have matches that the notifications are about. */
export async function findAffectedUsers(
  pool: Pool,
  notices: readonly MatchNotice[],
  users: readonly number[],
): Promise<number[]> {
  const { rows } = await pool.query<{ userId: number }>({
    name: 'live-touched',
    // With "= any" the planner would estimate each of thousands of users, which takes longer than the rest.
    text: `select distinct m.user_id as "userId"
         from matches m join unnest($4::int8[]) asked (user_id) on asked.user_id = m.user_id
        where (m.listing_id = any($1::int8[]) or m.alert_id = any($2::int8[])) and m.position = any($3::int8[])`,
    values: [
      notices.flatMap((notice) => notice.listings ?? []),
      notices.flatMap((notice) => notice.alerts ?? []),
      notices.map((notice) => notice.position),
      users,
    ],
  });
  return rows.map(({ userId }) => userId);
}

/** The bounds are of the same snapshot as the rows, in which all rows below the horizon are visible. */
const newMatchesSql = `
  with b as materialized (select * from match_bounds()), f as materialized (
    select f.*, ${isKnownCursor('f.position', 'f.nonce')} as is_known
      from b, unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int4[], $8::int4[])
           as f (user_id, alert_id, position, after_listing, after_alert, nonce, at)
  )
  select b.horizon::text as horizon, b.ceiling::text as ceiling,
         (select array_agg(at) from f where not is_known) as "foreign", m.*
    from b
    left join lateral (
      select f.at, ${matchColumns},
             now() - m.matched_at < interval '${BATCH_DELAY_MS} milliseconds' as "isJustFound"
        from f
       cross join lateral (
         select m.*
           from alerts a
          cross join lateral (
            select * from matches
             where alert_id = a.id and user_id = f.user_id and alert_version = a.version and position < b.horizon
               and (position, listing_id, alert_id) > (f.position, f.after_listing, f.after_alert)
             order by position, listing_id
             limit $7) m
          where a.user_id = f.user_id and (f.alert_id is null or a.id = f.alert_id)
          order by m.position, m.listing_id, m.alert_id
          limit $7) m
       where f.is_known) m on true
   order by m.at, m.position::int8, m."listingId", m."alertId"`;

/**
 * Reads the next matches of many subscribers in one statement, at most `limit` for each, in the order of visibility.
 * @returns a list for each reader, or undefined when its cursor is not from this server's history; and the bounds of each
 *   server that was read: below its horizon all rows were read
 */
export async function readNewMatches(
  pool: Pool,
  readers: readonly Reader[],
  limit: number,
): Promise<{ bounds: Bounds[]; lists: (MatchRow[] | undefined)[] }> {
  type Row = Bounds & { foreign: number[] | null; at: number | null } & JoinedMatch;
  const { rows } = await pool.query<Row>({
    name: 'live-read-on',
    text: newMatchesSql,
    values: [
      readers.map(({ userId }) => userId),
      readers.map(({ alertId }) => alertId),
      readers.map(({ cursor }) => cursor.position),
      readers.map(({ cursor }) => cursor.listingId),
      readers.map(({ cursor }) => cursor.alertId),
      readers.map(({ cursor }) => cursor.nonce),
      limit,
      [...readers.keys()],
    ],
  });
  // Each row has the bounds of its server.
  const bounds = [
    ...new Map(rows.map(({ horizon, ceiling }) => [`${horizon} ${ceiling}`, { horizon, ceiling }])).values(),
  ];
  const foreign = new Set(rows.flatMap((row) => row.foreign ?? []));
  const lists: (MatchRow[] | undefined)[] = readers.map((_, at) => (foreign.has(at) ? undefined : []));
  for (const { horizon: _, ceiling: __, foreign: ___, at, ...row } of rows)
    if (at !== null && row.position !== null) lists[at]?.push(row);
  return { bounds, lists };
}

interface LogPage {
  userId: number;
  /** null for all alerts. */
  alertId: number | null;
  first: number;
  /** The cursor to continue from; null for the beginning. */
  after: string | null;
}

/** Before the first match, on any server. */
const beginning = { position: '0', nonce: null, listingId: 0, alertId: 0 };

/**
 * Reads a page of a buyer's matches in the order of visibility. A client that continues from the last cursor misses none,
 * and gets a match twice only when it was hidden and shown again meanwhile.
 * @throws AppError VALIDATION for an invalid cursor, CONFLICT for one that is not from this server's history
 */
export async function readMatchLog(pool: Pool, { userId, alertId, first, after }: LogPage) {
  const cursor = after === null ? beginning : decodeCursor(after);
  const { lists } = await readNewMatches(pool, [{ userId, alertId, cursor }], first + 1);
  const [rows] = lists;
  if (!rows) throw unknownCursor();
  const nodes = rows.slice(0, first).map((row) => ({ cursor: encodeCursor(cursorOf(row)), match: row }));
  return { nodes, endCursor: nodes.at(-1)?.cursor ?? after, hasMore: rows.length > first };
}
