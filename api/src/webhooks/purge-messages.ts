import { type BatchedCleanUp, FIRST_BATCH } from '../base/batches.ts';
import { KEPT_DAYS, KEPT_WAITING_DAYS } from '../domain/webhooks/message.ts';

/** Ends what has waited for a week. */
export const expireWaitingMessages: BatchedCleanUp = async (db, { rows } = FIRST_BATCH) => {
  const { rowCount } = await db.query(
    `update webhook_deliveries set status = 'expired', settled_at = now(), resend_requested = false
      where id = any(array(
        select id from webhook_deliveries
         where status = 'waiting' and waiting_since < now() - interval '${KEPT_WAITING_DAYS} days'
         order by waiting_since limit $1 for update skip locked))`,
    [rows],
  );
  const removed = rowCount ?? 0;
  return { after: removed < rows ? null : 'more', removed };
};

/** Deletes events of a month ago, with their messages and tries, unless a message still waits. */
export const purgeMessages: BatchedCleanUp = async (db, { rows } = FIRST_BATCH) => {
  const { rowCount } = await db.query(
    `delete from webhook_events where id = any(array(
       select e.id from webhook_events e
        where e.created_at < now() - interval '${KEPT_DAYS} days'
          and not exists (
            select from webhook_deliveries d where d.event_id = e.id and d.status in ('waiting', 'sending'))
        order by e.created_at limit $1 for update skip locked))`,
    [rows],
  );
  const removed = rowCount ?? 0;
  return { after: removed < rows ? null : 'more', removed };
};
