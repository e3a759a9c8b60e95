import { channels } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';

export interface NewEvent {
  userId: number;
  type: string;
  /** Together with user and type it identifies the event, which is stored once. */
  subject: string;
  /** When it happened. */
  at: Date;
  /** Without the cursor, which is the event's id. */
  data: Record<string, unknown>;
}

/** Call it before events are written: a restored or promoted server begins a new epoch, from which it numbers events. */
export async function beginEpoch(db: Queryable): Promise<void> {
  await db.query({ name: 'webhooks-epoch', text: 'select match_position()' });
}

/**
 * Writes new events that a webhook asks for, numbered in this order, with a delivery to each such webhook. Call it under
 * the lock of webhook events. @returns how many deliveries were added
 */
export async function addEvents(db: Queryable, events: readonly NewEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  await beginEpoch(db);
  const { rows } = await db.query<{ messages: number }>({
    name: 'webhooks-add-events',
    text: `with added as (
         insert into webhook_events (user_id, type, subject, data, created_at)
         select user_id, type, subject, data, at
           from unnest($1::int8[], $2::text[], $3::text[], $4::json[], $5::timestamptz[])
                with ordinality n (user_id, type, subject, data, at, place)
          where exists (select from webhooks w where w.user_id = n.user_id and n.type = any(w.events))
          order by place
         on conflict (user_id, type, subject) do nothing
         returning id, user_id, type
       ), told as (
         insert into webhook_deliveries (user_id, webhook_id, event_id)
         select a.user_id, w.id, a.id
           from added a join webhooks w on w.user_id = a.user_id and a.type = any(w.events)
          order by a.id
         returning id
       )
       select count(*)::int4 as messages from told`,
    values: [
      events.map(({ userId }) => userId),
      events.map(({ type }) => type),
      events.map(({ subject }) => subject),
      events.map(({ data }) => JSON.stringify(data)),
      events.map(({ at }) => at),
    ],
  });
  const messages = rows[0]?.messages ?? 0;
  if (messages > 0) await wakeDelivery(db);
  return messages;
}

/** Wakes the worker for deliveries that are due. */
export async function wakeDelivery(db: Queryable): Promise<void> {
  await db.query(`select pg_notify('${channels.work}', 'deliver')`);
}
