import type { Pool } from '../../base/database.ts';
import { KEPT_DAYS, KEPT_WAITING_DAYS } from '../../domain/webhooks/event-types.ts';

const BATCH = 2_000;

/** What waited for a week is waited for no longer, and what happened a month ago is forgotten with all its tries. */
export async function forgetMessages(pool: Pool): Promise<void> {
  await pool.query(
    `update webhook_deliveries set status = 'expired', settled_at = now(), asked = false
      where status = 'waiting' and waiting_since < now() - interval '${KEPT_WAITING_DAYS} days'`,
  );
  for (let forgotten = BATCH; forgotten === BATCH; ) {
    const { rowCount } = await pool.query(
      `delete from webhook_events where id in (
         select e.id from webhook_events e
          where e.created_at < now() - interval '${KEPT_DAYS} days'
            and not exists (
              select from webhook_deliveries d where d.event_id = e.id and d.status in ('waiting', 'sending'))
          order by e.created_at limit ${BATCH})`,
    );
    forgotten = rowCount ?? 0;
  }
}
