import type { Queryable } from '../../base/database.ts';
import { REMINDER_DAYS } from '../../domain/expiry.ts';

export interface ExpiringAlert {
  userId: number;
  alertId: number;
  expiresAt: Date;
  /** One for each date at which it would end. */
  subject: string;
}

const AT_ONCE = 500;
const subject = `a.id || ':' || extract(epoch from a.expires_at)::int8`;

/** Watching alerts that end within three days, of which that has not been told. */
export async function readExpiring(db: Queryable): Promise<ExpiringAlert[]> {
  const { rows } = await db.query<ExpiringAlert>({
    name: 'webhooks-expiring',
    text: `select a.user_id as "userId", a.id as "alertId", a.expires_at as "expiresAt", ${subject} as subject
             from (select distinct user_id from webhooks where 'alert.expiring' = any(events)) w
             join alerts a on a.user_id = w.user_id
            where a.is_active and a.expires_at > now() and a.expires_at <= now() + interval '${REMINDER_DAYS} days'
              and not exists (
                select from webhook_events e
                 where e.user_id = a.user_id and e.type = 'alert.expiring' and e.subject = ${subject})
            order by a.expires_at, a.id limit ${AT_ONCE}`,
  });
  return rows;
}
