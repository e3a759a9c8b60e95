import type { Queryable } from '../../src/base/database.ts';

/** Messages of a deleted alert may wait until the rule ends that held them, and are dropped then. */
const isOfNoDeletedAlert = (table: string) =>
  `(alert_id is null or exists (select from alerts a where a.id = ${table}.alert_id and a.user_id = ${table}.user_id))`;

/** Describes the work that is still under way; empty when there is none. */
export async function readPendingWork(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ what: string; n: number }>(
    `select 'listings to match' as what, count(*)::int as n from listings_to_match
     union all select 'alerts to match', count(*)::int from alerts where pending_match
     union all select 'notifications ' || status, count(*)::int from notifications
                where status in ('waiting', 'sending') and ${isOfNoDeletedAlert('notifications')} group by status
     union all select 'alerts to end', count(*)::int from alerts where is_active and expires_at <= now()
     union all select 'owners to remind', count(*)::int from alerts
                where is_active and email_notifications and reminded_at is null
                  and expires_at > now() and expires_at < now() + interval '3 days'
     union all select 'mails ' || status, count(*)::int from mails
                where status in ('waiting', 'sending') and ${isOfNoDeletedAlert('mails')} group by status
     union all select 'pushes ' || status, count(*)::int from pushes
                where status in ('waiting', 'sending') and ${isOfNoDeletedAlert('pushes')} group by status`,
  );
  return rows
    .filter(({ n }) => n > 0)
    .map(({ what, n }) => `${n} ${what}`)
    .join(', ');
}
