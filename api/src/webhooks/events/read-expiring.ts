import type { Queryable } from '../../base/database.ts';
import { REMINDER_DAYS } from '../../domain/expiry.ts';

export interface ExpiringAlert {
  userId: number;
  alertId: number;
  expiresAt: Date;
  /** One for each date at which it would end. */
  subject: string;
}

export const EXPIRING_AT_ONCE = 500;
const subject = `a.id || ':' || extract(epoch from a.expires_at)::int8`;

/** Watching alerts of these buyers that end within three days, of which that has not been told; at most 500. */
export async function readExpiring(db: Queryable, buyers: readonly number[]): Promise<ExpiringAlert[]> {
  if (buyers.length === 0) return [];
  const { rows } = await db.query<ExpiringAlert>({
    name: 'webhooks-expiring',
    text: `select a.user_id as "userId", a.id as "alertId", a.expires_at as "expiresAt", ${subject} as subject
             from alerts a
            where a.user_id = any($1::int8[])
              and a.is_active and a.expires_at > now() and a.expires_at <= now() + interval '${REMINDER_DAYS} days'
              and exists (select from webhooks w where w.user_id = a.user_id and 'alert.expiring' = any(w.events))
              and not exists (
                select from webhook_events e
                 where e.user_id = a.user_id and e.type = 'alert.expiring' and e.subject = ${subject})
            order by a.expires_at, a.id limit ${EXPIRING_AT_ONCE}`,
    values: [buyers],
  });
  return rows;
}
