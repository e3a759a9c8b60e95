import type { Queryable } from '../base/database.ts';
import { FIRST_PIECE, type InPieces, type Piece, type PieceDone } from '../base/pieces.ts';

/** A step to the next alert in the index costs about as much as a few rows. */
const ROWS_AN_ALERT = 5;

interface Orphaned {
  table: string;
  where?: string;
}

/** The next alerts that have rows in a table, one step in its index each; `last` is null after the last one. */
async function nextAlerts(db: Queryable, table: string, after: number, alerts: number) {
  const { rows } = await db.query<{ last: number | null; seen: number; orphans: number[] }>(
    `with recursive known (alert_id, seen) as (
       (select alert_id, 1 from ${table} where alert_id > $1 order by alert_id limit 1)
       union all
       select (select t.alert_id from ${table} t where t.alert_id > k.alert_id order by t.alert_id limit 1), seen + 1
         from known k where k.alert_id is not null and seen < $2
     )
     select max(k.alert_id) as last, count(k.alert_id)::int4 as seen,
            coalesce(array_agg(k.alert_id) filter (where a.id is null and k.alert_id is not null), '{}') as orphans
       from known k left join alerts a on a.id = k.alert_id`,
    [after, alerts],
  );
  const { last = null, seen = 0, orphans = [] } = rows[0] ?? {};
  return { last: seen < alerts ? null : last, orphans };
}

/**
 * Walks a table by its alerts and removes rows of those that are gone: what a search left behind that ran while its
 * alert was being deleted. The position is an alert's number.
 */
async function removeOrphans(db: Queryable, { table, where = 'true' }: Orphaned, piece: Piece): Promise<PieceDone> {
  const alerts = Math.max(1, Math.floor(piece.rows / ROWS_AN_ALERT));
  const { last, orphans } = await nextAlerts(db, table, Number(piece.after ?? 0), alerts);
  const next = last === null ? null : String(last);
  if (orphans.length === 0) return { after: next, removed: 0 };
  const { rowCount } = await db.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where alert_id = any($1::int8[]) and ${where} limit $2 for update skip locked))`,
    [orphans, piece.rows],
  );
  const removed = rowCount ?? 0;
  // One alert may have more rows than a piece: then the next piece begins where this one did.
  return { after: removed < piece.rows ? next : (piece.after ?? '0'), removed };
}

/** Cells of deleted alerts. */
export const removeOrphanedCells: InPieces = (db, piece = FIRST_PIECE) =>
  removeOrphans(db, { table: 'alert_cells' }, piece);

/** Matches of deleted alerts. */
export const removeOrphanedMatches: InPieces = (db, piece = FIRST_PIECE) =>
  removeOrphans(db, { table: 'matches' }, piece);

/** What waits to be sent for deleted alerts. What was sent stays on record, as when an alert is deleted. */
export const removeOrphanedNotifications: InPieces = (db, piece = FIRST_PIECE) =>
  removeOrphans(db, { table: 'notifications', where: "status = 'waiting'" }, piece);
