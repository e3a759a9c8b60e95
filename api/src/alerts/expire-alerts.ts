import type { Queryable } from '../base/database.ts';

const BATCH = 500;

export interface AlertOfUser {
  id: number;
  userId: number;
}

/**
 * Makes alerts inactive whose time has come, and takes them out of matching. Returns them: at most 500 a call, and each
 * alert to one caller only. An alert or account that somebody else holds is left to the next call.
 * @param db the client of a transaction, when mails about them are to be written with it
 */
export async function expireAlerts(db: Queryable): Promise<AlertOfUser[]> {
  // A mail about the alert takes a key share of the account. An erasure takes the account first and then the alert, so
  // waiting for an account while the alert is held would be a deadlock.
  const { rows } = await db.query<AlertOfUser>({
    name: 'expire-alerts',
    text: `with due as materialized (
       select a.id from alerts a join users u on u.id = a.user_id
        where a.is_active and a.expires_at <= now()
        order by a.expires_at limit ${BATCH}
          for no key update of a skip locked for key share of u skip locked
     ), ended as (
       update alerts set is_active = false where id in (select id from due) returning id, user_id
     ), removed as (
       delete from alert_cells where alert_id in (select id from ended)
     )
     select id, user_id as "userId" from ended`,
  });
  return rows;
}
