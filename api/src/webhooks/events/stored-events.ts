import { type BatchedCleanUp, FIRST_BATCH } from '../../base/batches.ts';
import { channels } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';
import { EVENT_RETENTION_DAYS, MAX_WAITING_DAYS } from '../../domain/webhooks/message.ts';

export interface NewEvent {
  userId: number;
  type: string;
  /** Together with user and type it identifies the event, which is stored once. */
  subject: string;
  /** When the event happened. */
  at: Date;
  /** The content without the cursor, which is the event's id. */
  data: Record<string, unknown>;
}

/** To be called before events are written, as a restored or promoted server begins a new epoch, from which it numbers events. */
export async function beginEpoch(db: Queryable, users: readonly number[]): Promise<void> {
  await db.query({
    name: 'webhooks-epoch',
    text: 'select match_position() where $1::int8[] is not null',
    values: [users],
  });
}

/**
 * Inserts the new events that a webhook subscribes to, numbered in this order, with a delivery to each such webhook. Call it
 * under the lock of webhook events. The accounts are locked, so that none is written of one that is erased meanwhile.
 * @returns how many deliveries were added
 */
export async function addEvents(db: Queryable, events: readonly NewEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const users = events.map(({ userId }) => userId);
  await beginEpoch(db, users);
  const { rows } = await db.query<{ messages: number }>({
    name: 'webhooks-add-events',
    text: `with owners as materialized (
         select id from users where id = any($1::int8[]) order by id for key share
       ), added as (
         insert into webhook_events (user_id, type, subject, data, created_at)
         select user_id, type, subject, data, at
           from unnest($1::int8[], $2::text[], $3::text[], $4::json[], $5::timestamptz[])
                with ordinality n (user_id, type, subject, data, at, place)
          where user_id in (select id from owners)
            and exists (select from webhooks w where w.user_id = n.user_id and n.type = any(w.events))
          order by place
         on conflict (user_id, type, subject) do nothing
         returning id, user_id, type
       ), deliveries as (
         insert into webhook_deliveries (user_id, webhook_id, event_id)
         select a.user_id, w.id, a.id
           from added a join webhooks w on w.user_id = a.user_id and a.type = any(w.events)
          order by a.id
         returning id
       )
       select count(*)::int4 as messages from deliveries`,
    values: [
      users,
      events.map(({ type }) => type),
      events.map(({ subject }) => subject),
      events.map(({ data }) => JSON.stringify(data)),
      events.map(({ at }) => at),
    ],
  });
  const messages = rows.reduce((sum, row) => sum + row.messages, 0);
  if (messages > 0) await wakeDelivery(db);
  return messages;
}

/** Wakes the worker for deliveries that are due. */
export async function wakeDelivery(db: Queryable): Promise<void> {
  await db.query(`select pg_notify('${channels.work}', 'deliver')`);
}

/** Ends messages that have waited for a week. */
export const expireWaitingMessages: BatchedCleanUp = async (db, { rows } = FIRST_BATCH) => {
  const { rowCount } = await db.query({
    name: 'expire-waiting-messages',
    text: `with late as materialized (
       select id, user_id from webhook_deliveries
        where status = 'waiting' and waiting_since < now() - interval '${MAX_WAITING_DAYS} days'
        order by waiting_since limit $1 for update skip locked)
     update webhook_deliveries d set status = 'expired', settled_at = now(), resend_requested = false
       from late where d.id = late.id and d.user_id = late.user_id`,
    values: [rows],
  });
  const removed = rowCount ?? 0;
  return { after: removed < rows ? null : 'more', removed };
};

/** Deletes events after a month, with their messages and attempts, unless a message still waits. */
export const purgeMessages: BatchedCleanUp = async (db, { rows } = FIRST_BATCH) => {
  const { rowCount } = await db.query({
    name: 'purge-messages',
    text: `with old as materialized (
       select e.id, e.user_id from webhook_events e
        where e.created_at < now() - interval '${EVENT_RETENTION_DAYS} days'
          and not exists (
            select from webhook_deliveries d
             where d.event_id = e.id and d.user_id = e.user_id and d.status in ('waiting', 'sending'))
        order by e.created_at limit $1 for update skip locked)
     delete from webhook_events e using old where e.id = old.id and e.user_id = old.user_id`,
    values: [rows],
  });
  const removed = rowCount ?? 0;
  return { after: removed < rows ? null : 'more', removed };
};
