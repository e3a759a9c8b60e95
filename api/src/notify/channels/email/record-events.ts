import { type Client, inTransaction, type Pool, type Queryable } from '../../../base/database.ts';
import { keysOf, type OwnedRow } from '../../../entities/owned-rows.ts';
import type { MailEvent } from '../../../vendors/mail.ts';
import { suppressAddresses } from './suppress-addresses.ts';

interface ReportedMail {
  id: string;
  userId: number;
  to: string;
  /** The current address of its account, to which a mail goes that was claimed before the address was changed. */
  email: string | null;
  sentAt: Date | null;
}

async function readMails(pool: Pool, ids: readonly string[]): Promise<Map<string, ReportedMail>> {
  const { rows } = await pool.query<ReportedMail>({
    name: 'mail-events-read',
    text: `select m.id, m.user_id as "userId", m.to_address as "to", u.email, m.sent_at as "sentAt"
             from mails m left join users u on u.id = m.user_id
            where m.id = any($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks the mails, in one order, so that batches about the same mails don't deadlock. Returns those that are still there. */
async function lockMails(client: Client, mails: readonly OwnedRow<string>[]): Promise<OwnedRow<string>[]> {
  const { rows } = await client.query<OwnedRow<string>>({
    name: 'mail-events-lock',
    text: `select id, user_id as "userId" from mails
            where id = any($1::uuid[]) and user_id = any($2::int8[]) order by id for no key update`,
    values: keysOf(mails),
  });
  return rows;
}

const isSame = (one: string | null, other: string): boolean => one?.trim().toLowerCase() === other.trim().toLowerCase();

/** The events about our mails, to the addresses that these went to: an id or an address alone proves nothing. */
function ofMails(events: readonly MailEvent[], mails: ReadonlyMap<string, ReportedMail>): MailEvent[] {
  return events.filter(({ mailId, address }) => {
    const mail = mails.get(mailId);
    return mail !== undefined && (isSame(mail.to, address) || isSame(mail.email, address));
  });
}

/** Stores events that are not stored yet, about mails of these users. Returns how many. */
async function storeEvents(
  client: Client,
  events: readonly MailEvent[],
  users: ReadonlyMap<string, number>,
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'mail-events-store',
    text: `insert into mail_events (id, mail_id, user_id, kind, at, reason)
           select id, mail_id, user_id, kind, least(at, now()), reason
             from unnest($1::text[], $2::uuid[], $3::int8[], $4::text[], $5::timestamptz[], $6::text[])
                  e (id, mail_id, user_id, kind, at, reason)
            order by id
           on conflict do nothing`,
    values: [
      events.map(({ id }) => id),
      events.map(({ mailId }) => mailId),
      events.map(({ mailId }) => users.get(mailId)),
      events.map(({ kind }) => kind),
      events.map(({ at }) => at),
      events.map(({ reason }) => reason),
    ],
  });
  return rowCount ?? 0;
}

/**
 * Writes to the mails what follows from all their stored events, whatever their order: a mail that came back was not
 * delivered, even if its first server had accepted it.
 */
async function applyEvents(client: Client, mails: readonly OwnedRow<string>[]): Promise<void> {
  await client.query({
    name: 'mail-events-apply',
    text: `with reported as (
             select mail_id, user_id, min(at) filter (where kind = 'delivered') as delivered_at,
                    (array_agg(coalesce(reason, kind) order by at, id) filter (where kind in ('bounced', 'dropped')))[1] as failure
               from mail_events where mail_id = any($1::uuid[]) and user_id = any($2::int8[]) group by mail_id, user_id)
           update mails m
              set delivery_error = coalesce(m.delivery_error, r.failure),
                  delivered_at = case when coalesce(m.delivery_error, r.failure) is null
                                      then greatest(least(m.delivered_at, r.delivered_at), m.sent_at) end
             from reported r
            where m.id = r.mail_id and m.user_id = r.user_id and (r.delivered_at is not null or r.failure is not null)`,
    values: keysOf(mails),
  });
}

/**
 * Records what the vendor reports of our mails. Reports may come twice, in any order and several batches at once; one that
 * names no mail of ours, or another address, is ignored.
 * @returns how many were not known before
 */
export async function recordMailEvents(pool: Pool, events: readonly MailEvent[]): Promise<number> {
  const mails = await readMails(pool, [...new Set(events.map(({ mailId }) => mailId))]);
  const ours = ofMails(events, mails);
  // First and for known events too, in case a process ended between the two transactions. Together they would lock mails
  // before alerts, which others lock the other way round.
  const suppressing = ours.filter(({ suppresses }) => suppresses !== null);
  await suppressAddresses(
    pool,
    suppressing.map((event) => ({ ...event, sentAt: mails.get(event.mailId)?.sentAt ?? null })),
  );
  if (ours.length === 0) return 0;
  return inTransaction(pool, async (client) => {
    const locked = await lockMails(
      client,
      [...new Set(ours.map(({ mailId }) => mailId))].flatMap((id) => mails.get(id) ?? []),
    );
    const there = new Map(locked.map(({ id, userId }) => [id, userId]));
    const stored = await storeEvents(
      client,
      ours.filter(({ mailId }) => there.has(mailId)),
      there,
    );
    if (stored > 0) await applyEvents(client, locked);
    return stored;
  });
}

/** Whether the vendor has reported anything of a mail, which it must have accepted then; null where it has not. */
export async function wasReported(db: Queryable, { id, userId }: OwnedRow<string>): Promise<true | null> {
  const { rowCount } = await db.query('select from mail_events where mail_id = $1 and user_id = $2 limit 1', [
    id,
    userId,
  ]);
  return rowCount ? true : null;
}
