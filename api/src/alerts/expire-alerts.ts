import type { Queryable } from '../base/database.ts';

const BATCH = 500;

export interface AlertOfUser {
  id: number;
  userId: number;
}

/**
 * Makes alerts inactive whose time has come, and takes them out of matching. Returns them: at most 500 a call.
 * @param db the client of a transaction, when mails about them are to be written with it
 */
export async function expireAlerts(db: Queryable): Promise<AlertOfUser[]> {
  const { rows } = await db.query<AlertOfUser>(
    `with ended as (
       update alerts set is_active = false
        where id in (select id from alerts where is_active and expires_at <= now()
                      order by expires_at limit ${BATCH} for update skip locked)
       returning id, user_id
     ), removed as (
       delete from alert_cells where alert_id in (select id from ended)
     )
     select id, user_id as "userId" from ended`,
  );
  return rows;
}
