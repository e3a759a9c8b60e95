import { type BatchedCleanUp, FIRST_BATCH } from '../base/batches.ts';
import type { Queryable } from '../base/database.ts';
import { waitsOf } from '../entities/notification-rules.ts';
import { keysOf, type OwnedRow } from '../entities/owned-rows.ts';

/** A step to the next alert costs about as much as a few rows. */
const ROWS_AN_ALERT = 5;
/** Of an int8. */
const LAST_ID = '9223372036854775807';

/** Which rows of deleted alerts ($1) of these users ($2) are deleted. Sent notifications stay on record. */
const ofAlerts = 'alert_id = any($1::int8[]) and user_id = any($2::int8[])';
const ORPHANS = {
  alert_cells: ofAlerts,
  notifications: waitsOf('notifications', '$1::int8[]', '$2::int8[]'),
  matches: ofAlerts,
};

/** Deletes the rows of an alert in the transaction that deletes the alert. */
export async function deleteRowsOfAlert(db: Queryable, alert: OwnedRow): Promise<void> {
  for (const [table, isOrphan] of Object.entries(ORPHANS))
    await db.query(`delete from ${table} where ${isOrphan}`, keysOf([alert]));
}

/**
 * The next alerts, and deleted ones that have rows in a table; `last` is null after the last one. The table is asked only
 * where an id of an alert is missing, as each question is one to every partition. Where the tables are distributed, each shard
 * has walked a part of the alerts, and the next walk begins where the first of them ended.
 */
async function nextAlerts(db: Queryable, table: string, after: number, alerts: number) {
  const { rows } = await db.query<{ last: number | null; seen: number; orphans: OwnedRow[] }>(
    `/* orphans-next */ with recursive walk (alert_id, orphan_of, seen) as (
       select $1::int8, null::int8, 0
       union all
       select coalesce(o.alert_id, a.id), o.user_id, w.seen + 1
         from walk w
         left join lateral (select id from alerts where id > w.alert_id order by id limit 1) a on true
         left join lateral (
           select t.alert_id, t.user_id from ${table} t
            where t.alert_id > w.alert_id and t.alert_id < coalesce(a.id, ${LAST_ID}) and coalesce(a.id > w.alert_id + 1, true)
            order by t.alert_id limit 1) o on true
        where w.alert_id is not null and w.seen < $2
     )
     select max(alert_id) as last, (count(alert_id) - 1)::int4 as seen,
            coalesce(json_agg(json_build_object('id', alert_id, 'userId', orphan_of)) filter (where orphan_of is not null), '[]') as orphans
       from walk`,
    [after, alerts],
  );
  const ends = rows.flatMap(({ last, seen }) => (seen < alerts || last === null ? [] : [last]));
  return { last: ends.length === 0 ? null : Math.min(...ends), orphans: rows.flatMap(({ orphans }) => orphans) };
}

/** A place in a table is one of a partition. @returns how many rows were deleted; locked ones are left to the next walk */
async function deleteOrphans(db: Queryable, table: keyof typeof ORPHANS, alerts: readonly OwnedRow[], limit: number) {
  const { rows } = await db.query<{ part: string; places: string[] }>(
    `/* orphans-lock */ with held as materialized (
       select tableoid, ctid from ${table} where ${ORPHANS[table]} limit $3 for update skip locked)
     select tableoid::regclass::text as part, array_agg(ctid)::text[] as places from held group by tableoid`,
    [...keysOf(alerts), limit],
  );
  for (const { part, places } of rows)
    await db.query(
      `/* orphans-delete */ delete from ${table} where tableoid = to_regclass($1) and ctid = any($2::tid[])`,
      [part, places],
    );
  return rows.reduce((sum, { places }) => sum + places.length, 0);
}

/**
 * Walks all alerts and deletes rows of deleted ones, which a search wrote while its alert was being deleted.
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
