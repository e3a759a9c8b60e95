import { createHash } from 'node:crypto';
import pg from 'pg';
import { channels } from '../base/channels.ts';
import { inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { makeLog } from '../base/log.ts';
import { currentRequestId } from '../base/request-id.ts';
import { logSecurityEvent } from '../base/security-events.ts';
import { type CountedKind, type EnqueuedKind, type MailData, mailCaps, NOBODY } from '../domain/mail-kinds.ts';
import { mailboxOf } from '../domain/mailbox.ts';
import { isDistributed } from '../placement/layout.ts';

export interface NewMail<K extends EnqueuedKind = EnqueuedKind> {
  kind: K;
  /** `NOBODY` for a mail that belongs to no account. */
  userId: number;
  alertId?: number | null;
  to: string;
  /** May be left out where the kind needs none. */
  data?: MailData[K];
}

const log = makeLog('mails');

/** What a mail is counted as. A kind without a cap is a fault of the types. */
function countedAs({ kind, data }: NewMail): CountedKind {
  return kind === 'reset' && data && 'isNeeded' in data ? 'rescue' : kind;
}

/** By which a mailbox is counted. */
export const mailboxKey = (address: string): string =>
  createHash('sha256').update(mailboxOf(address)).digest('base64url');

const given = `
  given (kind, user_id, alert_id, to_address, data, mailbox, counted_as, of_kind, of_all, request_id) as (
    values ($1, $2::int8, $3::int8, $4, $5::jsonb, $6, $7, $8::int4, $9::int4, $10))`;

/** SQL: counts the given mail where its mailbox has had fewer than the day allows. @param condition whether there is a reader */
const count = (condition: string): string => `
    insert into mail_counts as c (day, mailbox, total, by_kind)
    select (now() at time zone 'UTC')::date, mailbox, (of_all is not null)::int4, jsonb_build_object(counted_as, 1)
      from given where ${condition}
    on conflict (day, mailbox) do update
       set total = c.total + excluded.total,
           by_kind = c.by_kind || (select jsonb_build_object(counted_as, coalesce((c.by_kind ->> counted_as)::int4, 0) + 1) from given)
     where (select coalesce((c.by_kind ->> counted_as)::int4, 0) < of_kind and (of_all is null or c.total < of_all) from given)
    returning mailbox`;

/**
 * Counts a mail and enqueues it, or does neither where its mailbox has had as many as the day allows. The account's row
 * is locked first and the count last, as by all who write to an account.
 */
const countAndEnqueue = `
  with ${given}, owner as materialized (
    select u.id from users u, given g where u.id = g.user_id for key share of u
  ), counted as (${count(`user_id = ${NOBODY} or exists (select from owner)`)}
  ), enqueued as (
    insert into mails (kind, user_id, alert_id, to_address, data, request_id)
    select kind, user_id, alert_id, to_address, data, request_id from given where exists (select from counted)
    returning id
  )
  select (select id from enqueued) as id, exists (select from counted) as "isCounted",
         user_id = ${NOBODY} or exists (select from owner) as "hasReader",
         (select pg_notify('${channels.work}', 'send') from enqueued)::text as notified
    from given`;

interface Enqueued {
  id: string | null;
  isCounted: boolean;
  hasReader: boolean;
}

function valuesOf(mail: NewMail): unknown[] {
  const kind = countedAs(mail);
  const { ofKind, ofAll } = mailCaps[kind];
  const data = JSON.stringify(mail.data ?? {});
  const counted = [mailboxKey(mail.to), kind, ofKind, ofAll];
  return [mail.kind, mail.userId, mail.alertId ?? null, mail.to, data, ...counted, currentRequestId()];
}

/** A mail that a cap holds back looks to everybody as if it were sent; only the log says that it was not. */
function idOf(mail: NewMail, row: Enqueued | undefined): string {
  if (row && !row.isCounted && row.hasReader) {
    logSecurityEvent(log, 'mail.capped', { userId: mail.userId, kind: mail.kind });
  }
  return row?.id ?? '';
}

const lockOwner = '/* lock-reader */ select from users where id = $1 for key share';
const countAlone = `with ${given} ${count('true')}`;
const insertMail = `
  insert into mails (kind, user_id, alert_id, to_address, data, request_id) values ($1, $2, $3, $4, $5, $6) returning id`;

/** The same in one statement a server, where the mail lies with its user and the count does not. */
async function enqueueApart(client: Queryable, mail: NewMail): Promise<Enqueued> {
  const values = valuesOf(mail);
  const [kind, userId, alertId, to, data, ...counted] = values;
  const hasReader = userId === NOBODY || (await client.query(lockOwner, [userId])).rowCount === 1;
  const isCounted = hasReader && (await client.query(countAlone, values)).rowCount === 1;
  if (!isCounted) return { id: null, isCounted, hasReader };
  const inserted = await client.query<{ id: string }>(insertMail, [kind, userId, alertId, to, data, counted.at(-1)]);
  await client.query(`select pg_notify('${channels.work}', 'send')`);
  return { id: inserted.rows[0]?.id ?? null, isCounted, hasReader };
}

const isPool = (queryable: Queryable): queryable is Pool => queryable instanceof pg.Pool;

/**
 * Enqueues a mail, which is sent as soon as the transaction has committed. Call it last in a transaction, which holds the
 * count of the address until it ends.
 * @param queryable a pool, or the client of the transaction that the mail belongs to
 * @returns the mail's id; '' where its address had as many of its kind, or of all, as a day allows
 */
export async function enqueueMail<K extends EnqueuedKind>(queryable: Queryable, mail: NewMail<K>): Promise<string> {
  if (isDistributed()) {
    const enqueue = (client: Queryable) => enqueueApart(client, mail);
    return idOf(mail, await (isPool(queryable) ? inTransaction(queryable, enqueue) : enqueue(queryable)));
  }
  const { rows } = await queryable.query<Enqueued>(countAndEnqueue, valuesOf(mail));
  return idOf(mail, rows[0]);
}

/** Enqueues several mails of one transaction, always in the same order, so that two never wait for each other's counts. */
export async function enqueueMails(queryable: Queryable, mails: readonly NewMail[]): Promise<void> {
  const byMailbox = (one: NewMail, other: NewMail) => (mailboxKey(one.to) < mailboxKey(other.to) ? -1 : 1);
  for (const mail of [...mails].sort(byMailbox)) await enqueueMail(queryable, mail);
}
