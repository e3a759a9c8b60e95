import { channels as notices } from '../../base/channels.ts';
import type { Client, Queryable } from '../../base/database.ts';
import type { ChannelName } from '../../entities/delivery-channels.ts';

/** A restored database that still holds messages. */
export interface HeldRestore {
  id: number;
  /** The moment to which the database was restored. */
  restoredTo: Date;
  /** Until when it is known what was sent. */
  knownUntil: Date;
  /** Whether nothing was sent later than that. */
  isComplete: boolean;
  /** The channels by which nothing leaves. */
  held: ChannelName[];
}

/** Reads the newest restore; undefined for a database that was never restored. */
export async function readRestore(db: Queryable): Promise<HeldRestore | undefined> {
  const { rows } = await db.query<HeldRestore>(
    `select id, restored_to as "restoredTo", known_until as "knownUntil", is_complete as "isComplete", held
       from restores order by id desc limit 1`,
  );
  return rows[0];
}

/** Which messages are meant; what is left out means all. */
export interface MessageFilter {
  channel?: ChannelName | undefined;
  alertId?: number | undefined;
  address?: string | undefined;
}

const valuesOf = ({ channel, alertId, address }: MessageFilter) => [channel ?? null, alertId ?? null, address ?? null];
const fits = (channel: string, alert: string, address: string): string =>
  `($1::text is null or ${channel} = $1) and ($2::int8 is null or ${alert} = $2) and ($3::text is null or ${address} = $3)`;

/** A message of the lost interval. */
export interface LostMessage {
  channel: ChannelName;
  kind: string;
  /** `unknown`: the log ends while it was being sent. */
  status: 'sent' | 'unknown';
  alertId: number | null;
  address: string | null;
  car: string | null;
  sentAt: Date;
}

export async function readLostMessages(db: Queryable, filter: MessageFilter, first: number): Promise<LostMessage[]> {
  const { rows } = await db.query<LostMessage>(
    `select channel, kind, status, alert_id as "alertId", coalesce(w.url, m.address) as address,
            source || '/' || external_id as car, sent_at as "sentAt"
       from lost_messages m left join webhooks w on m.channel = 'webhook' and w.id::text = m.address and w.user_id = m.user_id
      where ${fits('channel', 'alert_id', 'coalesce(w.url, m.address)')} order by m.sent_at, m.id limit $4`,
    [...valuesOf(filter), first],
  );
  return rows;
}

/** What waits for one reader, as one. */
export interface RestoredWaiting {
  channel: ChannelName;
  kind: string;
  alertId: number | null;
  address: string | null;
  messages: number;
  since: Date;
}

const alertOfEvent =
  "case when e.type in ('match.created', 'alert.expiring') then split_part(e.subject, ':', 1)::int8 end";

const waiting = `
  select n.channel, n.kind, n.alert_id as "alertId", case n.channel when 'sms' then u.phone when 'email' then u.email end as address,
         n.created_at as since
    from notifications n join users u on u.id = n.user_id where n.status = 'waiting'
  union all
  select 'email', kind, alert_id, to_address, created_at from mails where status in ('waiting', 'sending')
  union all
  select 'push', kind, alert_id, null, created_at from pushes where status in ('waiting', 'sending')
  union all
  select 'webhook', e.type, ${alertOfEvent}, w.url, d.created_at
    from webhook_deliveries d
    join webhook_events e on e.id = d.event_id and e.user_id = d.user_id
    join webhooks w on w.id = d.webhook_id and w.user_id = d.user_id
   where d.status in ('waiting', 'sending')`;

export async function readRestoredWaiting(
  db: Queryable,
  filter: MessageFilter,
  first: number,
): Promise<RestoredWaiting[]> {
  const { rows } = await db.query<RestoredWaiting>(
    `select channel, kind, "alertId", address, count(*)::int4 as messages, min(since) as since from (${waiting}) m
      where ${fits('channel', '"alertId"', 'address')}
      group by channel, kind, "alertId", address order by min(since), channel, "alertId" limit $4`,
    [...valuesOf(filter), first],
  );
  return rows;
}

/** Each statement marks what waits on one way. */
const markAsSent: Readonly<Record<string, string>> = {
  'discard-notifications': `update notifications n set status = 'sent', settled_at = now(), held_by = 'restored'
     from users u where u.id = n.user_id and n.status = 'waiting'
      and ${fits('n.channel', 'n.alert_id', "case n.channel when 'sms' then u.phone when 'email' then u.email end")}`,
  'discard-mails': `with ended as (
     update mails set status = 'sent', sent_at = now(), error = null
      where status in ('waiting', 'sending') and ${fits("'email'", 'alert_id', 'to_address')} returning id, user_id)
   update notifications n set status = 'sent', settled_at = now(), held_by = 'restored' from ended e
    where n.mail_id = e.id and n.user_id = e.user_id`,
  'discard-pushes': `with ended as (
     update pushes set status = 'sent', sent_at = now(), error = null
      where status in ('waiting', 'sending') and ${fits("'push'", 'alert_id', 'null')} returning id, user_id)
   update notifications n set status = 'sent', settled_at = now(), held_by = 'restored' from ended e
    where n.push_id = e.id and n.user_id = e.user_id`,
  'discard-webhook-deliveries': `update webhook_deliveries d set status = 'delivered', settled_at = now()
     from webhook_events e join webhooks w on w.user_id = e.user_id
    where e.id = d.event_id and e.user_id = d.user_id and w.id = d.webhook_id and d.status in ('waiting', 'sending')
      and ${fits("'webhook'", alertOfEvent, 'w.url')}`,
};

/** Marks what waits as sent, so that it never leaves. Call it while its channel is held. */
export async function discardWaiting(client: Client, filter: MessageFilter): Promise<void> {
  for (const [name, text] of Object.entries(markAsSent)) await client.query({ name, text, values: valuesOf(filter) });
}

/** Lets messages leave again, by one channel or by all. @returns whether they were held */
export async function releaseHeld(client: Client, channel: ChannelName | undefined): Promise<boolean> {
  const { rowCount } = await client.query(
    `update restores set held = case when $1::text is null then '{}' else array_remove(held, $1) end
      where held <> '{}' and ($1::text is null or $1 = any(held))`,
    [channel ?? null],
  );
  await client.query(`select pg_notify('${notices.work}', 'send'), pg_notify('${notices.work}', 'deliver')`);
  return (rowCount ?? 0) > 0;
}
