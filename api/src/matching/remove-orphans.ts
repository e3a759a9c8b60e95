import type { Queryable } from '../base/database.ts';

const ALERTS_A_SWEEP = 1_000;

/**
 * Removes what a search that ran while its alert was being deleted left behind: rows without an alert.
 * Steps through the distinct alert ids by index, so it is cheap where nothing is wrong. What was sent stays on record,
 * as when an alert is deleted. Returns how many rows went.
 */
export async function removeOrphans(db: Queryable): Promise<number> {
  let removed = 0;
  for (const table of ['alert_cells', 'matches']) {
    const { rowCount } = await db.query(
      `with recursive known (alert_id) as (
         (select alert_id from ${table} order by alert_id limit 1)
         union all
         select (select t.alert_id from ${table} t where t.alert_id > k.alert_id order by t.alert_id limit 1)
           from known k where k.alert_id is not null
       )
       delete from ${table} where alert_id in (
         select k.alert_id from known k
          where k.alert_id is not null and not exists (select from alerts a where a.id = k.alert_id)
          limit ${ALERTS_A_SWEEP})`,
    );
    removed += rowCount ?? 0;
  }
  const { rowCount } = await db.query(
    `delete from notifications n
      where status = 'waiting' and not exists (select from alerts a where a.id = n.alert_id)`,
  );
  return removed + (rowCount ?? 0);
}
