import type { Queryable } from '../../base/database.ts';

type Row = Record<string, unknown>;

/** What a database knows of a time that a restored one has forgotten. */
export interface LostInterval {
  /** Until when the log of the server was known. */
  knownUntil: Date;
  /** Messages that were sent, or may have been, each once for each of its cars. */
  messages: Row[];
  /** Rows of the tables of this name, as JSON. */
  rows: Record<LostTable, Row[]>;
  /** The last number that each sequence gave out. */
  sequences: { name: string; last: string }[];
  /** Accounts that existed at the moment and were erased later. */
  users: number[];
}

/**
 * Messages that left, and who wants none any more. Counts of a day and times of an alert are read with them, so that no limit
 * begins again.
 */
const lostRows = {
  mails: "select to_jsonb(r) as row from mails r where status = 'sent' and sent_at > $1",
  texts: `select to_jsonb(r) as row from texts r
    where status in ('sent', 'unknown', 'sending') and coalesce(sent_at, settled_at, created_at) > $1`,
  pushes: 'select to_jsonb(r) as row from pushes r where sent_at > $1',
  text_counts: "select to_jsonb(r) as row from text_counts r where day >= ($1::timestamptz at time zone 'UTC')::date",
  mail_counts: "select to_jsonb(r) as row from mail_counts r where day >= ($1::timestamptz at time zone 'UTC')::date",
  text_stops: 'select to_jsonb(r) as row from text_stops r where stopped_at > $1',
  suppressed_addresses: 'select to_jsonb(r) as row from suppressed_addresses r where since > $1',
} as const;
export type LostTable = keyof typeof lostRows;

/**
 * A notification that is being sent when the log ends may have been sent. A mail about an alert or a plan is recognised by
 * its data where the same may be due again; one that somebody asks for is never recognised, as it is wanted again.
 */
const lostMessagesSql = `
  select to_jsonb(r) as row from (
  select n.channel, n.kind, case n.status when 'sent' then 'sent' else 'unknown' end as status, n.user_id, n.alert_id,
         coalesce(m.to_address, t.to_phone) as address, coalesce(n.mail_id, n.text_id, n.push_id)::text as message_id,
         l.source, l.external_id, n.price, null::jsonb as data, coalesce(n.settled_at, m.claimed_at, t.created_at, now()) as sent_at
    from notifications n left join listings l on l.id = n.listing_id
    left join mails m on m.id = n.mail_id and m.user_id = n.user_id
    left join texts t on t.id = n.text_id and t.user_id = n.user_id
   where n.status in ('sent', 'unknown') and n.settled_at > $1 or n.status = 'sending'
  union all
  select 'email', kind, case status when 'sent' then 'sent' else 'unknown' end, user_id, alert_id, to_address, id::text, null, null, null,
         case when kind in ('text_cap', 'text_limit', 'plan_changed', 'plan_ending', 'payment_failed', 'grace_ending', 'webhook_paused')
              then data else null end, coalesce(sent_at, claimed_at, now())
    from mails where kind not in ('match', 'price_drop', 'digest', 'summary', 'sold')
     and (status = 'sent' and sent_at > $1 or status = 'sending')
  union all
  select 'webhook', e.type, case d.status when 'delivered' then 'sent' else 'unknown' end, d.user_id,
         case when e.type in ('match.created', 'alert.expiring') then split_part(e.subject, ':', 1)::int8 end,
         d.webhook_id::text, d.message_id, l.source, l.external_id,
         case e.type when 'listing.price_dropped' then split_part(e.subject, ':', 2)::int4 end,
         case when l.id is null then to_jsonb(e.subject) end, coalesce(d.settled_at, now())
    from webhook_deliveries d join webhook_events e on e.id = d.event_id and e.user_id = d.user_id
    left join listings l on l.id = case e.type when 'match.created' then split_part(e.subject, ':', 2)::int8
                                               when 'listing.price_dropped' then split_part(e.subject, ':', 1)::int8 end
   where d.status = 'delivered' and d.settled_at > $1 or d.status = 'sending') r`;

/** Reads what happened after a moment. @param db a database that has it */
export async function readLost(db: Queryable, since: Date): Promise<LostInterval> {
  const rows = {} as Record<LostTable, Row[]>;
  for (const table of Object.keys(lostRows) as LostTable[]) {
    const { rows: found } = await db.query<{ row: Row }>(lostRows[table], [since]);
    rows[table] = found.map(({ row }) => row);
  }
  const { rows: messages } = await db.query<{ row: Row }>(lostMessagesSql, [since]);
  const { rows: sequences } = await db.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
      where schemaname = current_schema() and last_value is not null and sequencename <> 'migrations_id_seq'`,
  );
  const { rows: users } = await db.query<{ id: number }>('select id from users order by id');
  const { rows: ends } = await db.query<{ at: Date }>('select coalesce(pg_last_xact_replay_timestamp(), now()) as at');
  return {
    knownUntil: ends[0]?.at ?? since,
    messages: messages.map(({ row }) => row),
    rows,
    sequences,
    users: users.map(({ id }) => id),
  };
}
