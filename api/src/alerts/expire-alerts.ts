import type { Queryable } from '../base/database.ts';

const BATCH = 500;

export interface AlertOfUser {
  id: number;
  userId: number;
}

/**
 * Makes expired alerts inactive and removes them from matching. Alerts and accounts that another transaction has locked
 * are left to the next call.
 * @param db the client of a transaction, when mails about the alerts are to be written in it
 * @returns the alerts, 500 at most, each to one caller only
 */
export async function expireAlerts(db: Queryable): Promise<AlertOfUser[]> {
  // A mail about the alert takes a key share lock on the account. An erasure locks the account first and then the alert,
  // so that waiting for an account while the alert is locked could deadlock.
  const { rows } = await db.query<AlertOfUser>({
    name: 'expire-alerts',
    text: `with due as materialized (
       select a.id, a.user_id from alerts a join users u on u.id = a.user_id
        where a.is_active and a.expires_at <= now()
        order by a.expires_at limit ${BATCH}
          for no key update of a skip locked for key share of u skip locked
     ), ended as (
       update alerts set is_active = false where (id, user_id) in (select id, user_id from due) returning id, user_id
     ), removed as (
       delete from alert_cells c using ended e where c.alert_id = e.id and c.user_id = e.user_id
     )
     select id, user_id as "userId" from ended`,
  });
  return rows;
}
