import type { Queryable } from '../base/database.ts';
import { REMINDER_DAYS } from '../domain/expiry.ts';
import type { AlertOfUser } from './expire-alerts.ts';

const BATCH = 500;

/**
 * Alerts that end within three days and were not yet reminded of since their last renewal; marks them as reminded.
 * @param db the client of the transaction that also writes the mails, so that none is lost between
 */
export async function alertsToRemind(db: Queryable): Promise<AlertOfUser[]> {
  const { rows } = await db.query<AlertOfUser>(
    `update alerts set reminded_at = now()
      where id in (select id from alerts
                    where is_active and reminded_at is null and expires_at > now()
                      and expires_at <= now() + interval '${REMINDER_DAYS} days'
                    order by expires_at limit ${BATCH} for update skip locked)
     returning id, user_id as "userId"`,
  );
  return rows;
}
