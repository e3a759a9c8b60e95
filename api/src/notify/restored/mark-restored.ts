import { channels } from '../../base/channels.ts';
import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import { NOBODY } from '../../domain/mail-kinds.ts';
import { writeAuditLog } from '../../entities/audit-log.ts';
import { channelList } from '../../entities/delivery-channels.ts';
import { onAllServers } from '../../placement/distribute-tables.ts';
import { isDistributed } from '../../placement/layout.ts';
import { copyToThrottles } from '../copy-to-throttles.ts';
import type { LostInterval, LostTable } from './read-lost.ts';
import { acceptServer } from './running-server.ts';

/** Ids that a lost server may have given out after all that is known of it. */
const SPARE_IDS = 10_000;
/** The same where nothing is known of it. */
const SPARE_IDS_UNKNOWN = 1_000_000;

export interface RestoredState {
  restoredTo: Date;
  /** Undefined where nothing is known of what came after. */
  lost: LostInterval | undefined;
  /** Whether nothing can have been sent of which `lost` doesn't know. */
  isComplete: boolean;
}

/**
 * How rows of the lost interval join those of the restored database. A message whose reader is not there any more is left out.
 * A mail from before migration 100 has null for nobody, which the trigger `complete_old` makes 0.
 */
const joined: Readonly<Record<LostTable, string>> = {
  mails: `insert into mails select r.* from jsonb_populate_recordset(null::mails, $1::jsonb) r
     where coalesce(r.user_id, ${NOBODY}) = ${NOBODY} or exists (select from users u where u.id = r.user_id for key share)
        on conflict on constraint mails_pkey do update set status = 'sent', sent_at = excluded.sent_at, subject = excluded.subject, error = null`,
  texts: `insert into texts select r.* from jsonb_populate_recordset(null::texts, $1::jsonb) r
     where exists (select from users u where u.id = r.user_id)
        on conflict on constraint texts_pkey do update set status = excluded.status, sent_at = excluded.sent_at, sid = excluded.sid,
                                       settled_at = excluded.settled_at`,
  pushes: `insert into pushes select r.* from jsonb_populate_recordset(null::pushes, $1::jsonb) r
     where exists (select from users u where u.id = r.user_id)
        on conflict on constraint pushes_pkey do update set status = 'sent', sent_at = excluded.sent_at`,
  text_counts: `insert into text_counts select r.* from jsonb_populate_recordset(null::text_counts, $1::jsonb) r
        on conflict (day, kind) do update set segments = greatest(text_counts.segments, excluded.segments)`,
  mail_counts: `insert into mail_counts select r.* from jsonb_populate_recordset(null::mail_counts, $1::jsonb) r
        on conflict (day, mailbox) do update
           set total = greatest(mail_counts.total, excluded.total), by_kind = excluded.by_kind`,
  text_stops: `insert into text_stops select r.* from jsonb_populate_recordset(null::text_stops, $1::jsonb) r
        on conflict (phone) do nothing`,
  suppressed_addresses: `insert into suppressed_addresses
      select r.* from jsonb_populate_recordset(null::suppressed_addresses, $1::jsonb) r on conflict (address) do nothing`,
};

const ROWS_AT_ONCE = 20_000;

/** Rows as JSON, so many at a time that a statement can take them. */
function inBatches(rows: readonly unknown[]): string[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) =>
    JSON.stringify(rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE)),
  );
}

const lostColumns =
  'channel, kind, status, user_id, alert_id, address, message_id, source, external_id, price, data, sent_at';

/** What waits in the restored database and was sent later is sent. */
const settleWaiting = [
  `update notifications n set status = m.status, settled_at = m.sent_at, held_by = 'restored',
          mail_id = case n.channel when 'email' then m.message_id::uuid end,
          text_id = case n.channel when 'sms' then m.message_id::uuid end,
          push_id = case n.channel when 'push' then m.message_id::uuid end
     from lost_messages m, listings l
    where n.status in ('waiting', 'sending') and l.id = n.listing_id and m.source = l.source and m.external_id = l.external_id
      and m.alert_id = n.alert_id and m.user_id = n.user_id and m.channel = n.channel and m.kind = n.kind
      and (n.kind <> 'price_drop' or m.price is not distinct from n.price) and (m.status = 'sent' or m.channel = 'sms')`,
  `update webhook_deliveries d set status = 'delivered', settled_at = m.sent_at
     from lost_messages m
    where d.status in ('waiting', 'sending') and m.channel = 'webhook' and m.status = 'sent' and m.message_id = d.message_id
      and m.user_id = d.user_id`,
  // The same events again, of cars that were found again before anybody compared.
  `update webhook_deliveries d set status = 'delivered', settled_at = m.sent_at
     from webhook_events e, lost_messages m
    where d.status in ('waiting', 'sending') and e.id = d.event_id and e.user_id = d.user_id and m.channel = 'webhook' and m.status = 'sent'
      and m.user_id = d.user_id and m.address = d.webhook_id::text and m.kind = e.type
      and case e.type
          when 'match.created' then m.alert_id = split_part(e.subject, ':', 1)::int8 and exists (
            select from listings l where l.id = split_part(e.subject, ':', 2)::int8 and l.source = m.source and l.external_id = m.external_id)
          when 'listing.price_dropped' then m.price = split_part(e.subject, ':', 2)::int4 and exists (
            select from listings l where l.id = split_part(e.subject, ':', 1)::int8 and l.source = m.source and l.external_id = m.external_id)
          else m.data = to_jsonb(e.subject) end`,
  `update mails w set status = 'sent', sent_at = m.sent_at, error = null
     from lost_messages m
    where w.status = 'waiting' and m.channel = 'email' and m.status = 'sent' and m.user_id = w.user_id and m.kind = w.kind
      and m.alert_id is not distinct from w.alert_id
      and (w.kind in ('reminder', 'expired', 'idle_account') or m.data = w.data)`,
  `with changed as (
     update alerts a set last_mailed_at = greatest(a.last_mailed_at, m.email), last_texted_at = greatest(a.last_texted_at, m.sms),
            last_pushed_at = greatest(a.last_pushed_at, m.push)
       from (select alert_id, user_id, max(sent_at) filter (where channel = 'email') as email, max(sent_at) filter (where channel = 'sms') as sms,
                    max(sent_at) filter (where channel = 'push') as push
               from lost_messages where source is not null group by alert_id, user_id) m
      where a.id = m.alert_id and a.user_id = m.user_id returning a.id, a.user_id, a.last_mailed_at
   )${copyToThrottles('changed')}`,
];

const lostTriggers = [
  'create or replace trigger settle_lost before insert on notifications for each row execute function settle_lost_notification()',
  'create or replace trigger skip_lost before insert on mails for each row execute function skip_lost_mail()',
  'create or replace trigger settle_lost before insert on webhook_deliveries for each row execute function settle_lost_delivery()',
] as const;

/** SQL: advances each sequence of a server, from what is known of it. */
const advanceAll = (known: string, spare: number): string => `
  select count(setval(format('%I', s.sequencename)::regclass, greatest(s.last_value, k.last) + ${spare}))
    from pg_sequences s left join ${known} k on k.name = s.sequencename
   where s.schemaname = current_schema() and s.sequencename <> 'migrations_id_seq' and coalesce(s.last_value, k.last) is not null`;

/** SQL: the first id of each sequence, as another server may have given out some since, of which nothing is known. */
const FIRST_IDS = '(select sequencename as name, start_value as last from pg_sequences)';

/** Lets no id be given out again, since mails and webhooks carry them. Servers of a cluster give out ids of their own. */
async function advanceSequences(client: Client, lost: LostInterval | undefined): Promise<void> {
  const spare = lost ? SPARE_IDS : SPARE_IDS_UNKNOWN;
  if (isDistributed()) return onAllServers(client, advanceAll(FIRST_IDS, spare));
  const known = lost?.sequences ?? [];
  await client.query(advanceAll('(select * from unnest($1::text[], $2::int8[]) u (name, last))', spare), [
    known.map(({ name }) => name),
    known.map(({ last }) => last),
  ]);
}

/** What was marked. `erased`: accounts that were erased in the lost interval and are there again. */
export interface MarkedRestored {
  id: number;
  lostMessages: number;
  erased: number[];
}

/** Adds what is known of a lost interval: what was sent in it is not sent again. Messages to nobody had no user before migration 100. */
async function joinLost(client: Client, restoreId: number, lost: LostInterval): Promise<void> {
  for (const some of inBatches(lost.messages))
    await client.query(
      `insert into lost_messages (restore_id, ${lostColumns})
       select $1, ${lostColumns.replace('user_id', `coalesce(user_id, ${NOBODY})`)} from jsonb_populate_recordset(null::lost_messages, $2::jsonb)`,
      [restoreId, some],
    );
  for (const table of Object.keys(joined) as LostTable[])
    for (const some of inBatches(lost.rows[table])) await client.query(joined[table], [some]);
  for (const statement of settleWaiting) await client.query(statement);
  for (const statement of lostTriggers) await client.query(statement);
}

/** Which accounts of this database the server that was lost did not have any more. */
async function findErased(client: Client, lost: LostInterval): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>('select id from users order by id');
  const known = new Set(lost.users);
  return rows.map(({ id }) => id).filter((user) => !known.has(user));
}

/**
 * Adds to a restore whose messages are still held what the lost server knows. Call it as the owner of the tables.
 * @param isComplete whether that server has sent nothing which it does not know
 */
export function compareRestored(
  pool: Pool,
  restoreId: number,
  lost: LostInterval,
  isComplete: boolean,
): Promise<MarkedRestored> {
  return inTransaction(pool, async (client) => {
    await client.query('delete from lost_messages where restore_id = $1', [restoreId]);
    await joinLost(client, restoreId, lost);
    await client.query('update restores set known_until = $2, is_complete = $3 where id = $1', [
      restoreId,
      lost.knownUntil,
      isComplete,
    ]);
    const subject = `restore ${restoreId}`;
    await writeAuditLog(client, { actor: 'command', action: 'messages.compare', subject, outcome: 'done' });
    return { id: restoreId, lostMessages: lost.messages.length, erased: await findErased(client, lost) };
  });
}

/**
 * Marks a database as restored: nothing leaves until an operator has seen what may have been sent in the lost interval, and
 * what is known to have been sent is not sent again, whether it waits already or is matched again. Call it as the owner of
 * the tables, before any worker runs.
 */
export function markRestored(pool: Pool, state: RestoredState): Promise<MarkedRestored> {
  return inTransaction(pool, async (client) => {
    const marked = await holdMessages(client, state);
    await acceptServer(client);
    return marked;
  });
}

/** The same within a transaction, for the running server. */
export async function holdMessages(
  client: Client,
  { restoredTo, lost, isComplete }: RestoredState,
): Promise<MarkedRestored> {
  const { rows } = await client.query<{ id: number }>(
    'insert into restores (restored_to, known_until, is_complete, held) values ($1, $2, $3, $4) returning id',
    [restoredTo, lost?.knownUntil ?? restoredTo, isComplete, channelList.map(({ name }) => name)],
  );
  const id = rows[0]?.id ?? 0;
  await advanceSequences(client, lost);
  if (lost) await joinLost(client, id, lost);
  await writeAuditLog(client, {
    actor: 'command',
    action: 'messages.hold',
    subject: `restore ${id}`,
    outcome: 'done',
  });
  await client.query(`select pg_notify('${channels.work}', 'send')`);
  return {
    id,
    lostMessages: lost?.messages.length ?? 0,
    erased: lost ? await findErased(client, lost) : [],
  };
}
