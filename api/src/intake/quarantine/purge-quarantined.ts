import type { Queryable } from '../../base/database.ts';
import {
  deleteByIndex,
  deleteByPages,
  FIRST_PIECE,
  type InPieces,
  type Piece,
  type PieceDone,
} from '../../base/pieces.ts';
import { type QuarantineFilter, quarantineWhere } from './read-quarantine.ts';

/** The newest of each source that stay. */
export interface QuarantineBounds {
  rows: number;
  bytes: number;
}

const BOUNDS: QuarantineBounds = { rows: 100_000, bytes: 500_000_000 };

/** Records leave that were not seen for 30 days. */
export const purgeOldQuarantined: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByIndex(
    db,
    { table: 'quarantine', where: "last_seen_at < now() - interval '30 days'", orderBy: 'last_seen_at' },
    piece,
  );

/**
 * Of each source those records leave that are beyond its newest 100,000 or its newest 500 MB as stored. A source a
 * piece: the position is the source's name.
 */
export async function trimQuarantine(
  db: Queryable,
  { after, rows }: Piece = FIRST_PIECE,
  bounds = BOUNDS,
): Promise<PieceDone> {
  const { rows: next } = await db.query<{ source: string }>(
    'select source from quarantine where source > $1 order by source limit 1',
    [after ?? ''],
  );
  if (!next[0]) return { after: null, removed: 0 };
  const { source } = next[0];
  const { rowCount } = await db.query(
    `delete from quarantine where id = any(array(
       select id from (
         select id, last_seen_at, row_number() over newest as place, sum(pg_column_size(record)) over newest as bytes
           from quarantine where source = $1 window newest as (order by last_seen_at desc, id desc)) r
        where place > $2 or bytes > $3 limit $4))`,
    [source, bounds.rows, bounds.bytes, rows],
  );
  const removed = rowCount ?? 0;
  // Where more are beyond the bounds the next piece takes the same source again.
  return { after: removed < rows ? source : (after ?? ''), removed };
}

/** Takes records out of the quarantine without another try. @returns how many */
export async function dismissQuarantined(db: Queryable, filter: QuarantineFilter): Promise<number> {
  const { where, values } = quarantineWhere(filter);
  return (await db.query(`delete from quarantine where ${where}`, values)).rowCount ?? 0;
}

const hourIsOver = "hour < now() - interval '3 days'";

/** The counts of a source's hours are only looked at for a day. */
export const purgeHours: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByPages(db, { table: 'source_hours', where: hourIsOver }, piece);

/** The same of their lags. */
export const purgeLags: InPieces = (db, piece = FIRST_PIECE) =>
  deleteByPages(db, { table: 'source_lags', where: hourIsOver }, piece);
