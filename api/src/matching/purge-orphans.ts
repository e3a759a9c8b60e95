import { type BatchedCleanUp, FIRST_BATCH } from '../base/batches.ts';
import type { Queryable } from '../base/database.ts';
import { waitsOf } from '../entities/notification-rules.ts';

/** A step to the next alert in the index costs about as much as a few rows. */
const ROWS_AN_ALERT = 5;

/** Which rows of a deleted alert are deleted. Sent notifications stay on record. */
const ofAlerts = 'alert_id = any($1::int8[])';
const ORPHANS = { alert_cells: ofAlerts, notifications: waitsOf('notifications', '$1::int8[]'), matches: ofAlerts };

/** Deletes the rows of an alert in the transaction that deletes the alert. */
export async function deleteRowsOfAlert(db: Queryable, alertId: number): Promise<void> {
  for (const [table, isOrphan] of Object.entries(ORPHANS))
    await db.query(`delete from ${table} where ${isOrphan}`, [[alertId]]);
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

/** A place in a table is one of a partition. @returns how many rows were deleted; locked ones are left to the next walk */
async function deleteOrphans(db: Queryable, table: keyof typeof ORPHANS, alerts: readonly number[], limit: number) {
  const { rows } = await db.query<{ part: number; places: string[] }>(
    `with held as materialized (
       select tableoid, ctid from ${table} where ${ORPHANS[table]} limit $2 for update skip locked)
     select tableoid as part, array_agg(ctid)::text[] as places from held group by tableoid`,
    [alerts, limit],
  );
  for (const { part, places } of rows)
    await db.query(`delete from ${table} where tableoid = $1 and ctid = any($2::tid[])`, [part, places]);
  return rows.reduce((sum, { places }) => sum + places.length, 0);
}

/**
 * Walks a table by its alerts and deletes rows of deleted ones, which a search wrote while its alert was being deleted.
 * The position is an alert's id.
 */
export function purgeOrphans(table: keyof typeof ORPHANS): BatchedCleanUp {
  return async (db, batch = FIRST_BATCH) => {
    const alerts = Math.max(1, Math.floor(batch.rows / ROWS_AN_ALERT));
    const { last, orphans } = await nextAlerts(db, table, Number(batch.after ?? 0), alerts);
    const next = last === null ? null : String(last);
    if (orphans.length === 0) return { after: next, removed: 0 };
    const removed = await deleteOrphans(db, table, orphans, batch.rows);
    // When an alert has more rows than a batch, the next batch begins where this one did.
    return { after: removed < batch.rows ? next : (batch.after ?? '0'), removed };
  };
}
