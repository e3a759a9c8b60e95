import type { MatchNotice } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import { BATCH_DELAY_MS } from '../domain/throttle.ts';
import { decodeCursor, encodeCursor, foreignCursor, isKnownCursor, type MatchCursor } from './match-cursor.ts';
import { cursorOf, type JoinedMatch, type MatchRow, matchColumns } from './read-matches.ts';

/** Who reads on, and from where. */
export interface Reader {
  userId: number;
  alertId: number | null;
  cursor: MatchCursor;
}

/** Which of these users own an alert that the notices tell of. */
export async function findTouchedUsers(
  pool: Pool,
  notices: readonly MatchNotice[],
  users: readonly number[],
): Promise<number[]> {
  const { rows } = await pool.query<{ userId: number }>({
    name: 'live-touched',
    text: `select distinct a.user_id as "userId"
         from matches m join alerts a on a.id = m.alert_id
        where (m.listing_id = any($1::int8[]) or m.alert_id = any($2::int8[]))
          and m.position = any($3::int8[]) and a.user_id = any($4::int8[])`,
    values: [
      notices.flatMap((notice) => notice.listings ?? []),
      notices.flatMap((notice) => notice.alerts ?? []),
      notices.map((notice) => notice.position),
      users,
    ],
  });
  return rows.map(({ userId }) => userId);
}

/** The bounds are those of the snapshot in which the rows are read: what is below the horizon is settled and there. */
const readOnSql = `
  with b as materialized (select * from match_bounds()), f as materialized (
    select f.n::int4 - 1 as at, f.*, ${isKnownCursor('f.position', 'f.nonce')} as is_known
      from b, unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int4[])
           with ordinality as f (user_id, alert_id, position, after_listing, after_alert, nonce, n)
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
             where alert_id = a.id and alert_version = a.version and position < b.horizon
               and (position, listing_id, alert_id) > (f.position, f.after_listing, f.after_alert)
             order by position, listing_id
             limit $7) m
          where a.user_id = f.user_id and (f.alert_id is null or a.id = f.alert_id)
          order by m.position, m.listing_id, m.alert_id
          limit $7) m
       where f.is_known) m on true
   order by m.at, m.position::int8, m."listingId", m."alertId"`;

/**
 * Reads on for many in one statement, at most `limit` matches for each, in the order of visibility.
 * @returns a list for each reader, the horizon below which everything was read, and the ceiling below which older
 * transactions may still bring something; no list for one whose cursor is not of this server's past
 */
export async function readOn(
  pool: Pool,
  readers: readonly Reader[],
  limit: number,
): Promise<{ horizon: string; ceiling: string; lists: (MatchRow[] | undefined)[] }> {
  type Bounds = { horizon: string; ceiling: string; foreign: number[] | null };
  type Row = Bounds & { at: number | null } & JoinedMatch;
  const { rows } = await pool.query<Row>({
    name: 'live-read-on',
    text: readOnSql,
    values: [
      readers.map(({ userId }) => userId),
      readers.map(({ alertId }) => alertId),
      readers.map(({ cursor }) => cursor.position),
      readers.map(({ cursor }) => cursor.listingId),
      readers.map(({ cursor }) => cursor.alertId),
      readers.map(({ cursor }) => cursor.nonce),
      limit,
    ],
  });
  const foreign = new Set(rows[0]?.foreign);
  const lists: (MatchRow[] | undefined)[] = readers.map((_, at) => (foreign.has(at) ? undefined : []));
  for (const { horizon: _, ceiling: __, foreign: ___, at, ...row } of rows)
    if (at !== null && row.position !== null) lists[at]?.push(row);
  return { horizon: rows[0]?.horizon ?? '0', ceiling: rows[0]?.ceiling ?? '0', lists };
}

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
