import { createHash } from 'node:crypto';
import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';
import { makeLog } from '../base/log.ts';
import { logSecurityEvent } from '../base/security-events.ts';
import { type CountedKind, mailboxOf, mailCaps, type uncountedKinds } from '../domain/mail-caps.ts';

/** What each kind of mail needs beyond its alert, user and address; links are signed when it is sent. */
export interface MailData {
  /** "Please confirm this address." */
  confirm: Record<string, never>;
  /** To the owner of a confirmed address that somebody tried to register. */
  address_taken: Record<string, never>;
  /** 'Send Test Notification': needs `alertId`. */
  test: Record<string, never>;
  /** Three days before the end: needs `alertId`. */
  reminder: Record<string, never>;
  expired: Record<string, never>;
  /** `passwordMark` changes with password and address, so that a link works once; `isNeeded`: the old one is void. */
  reset: { passwordMark: string; isNeeded?: true };
  /** A login in a browser that was not signed in to the account before; `at` is ISO 8601. */
  new_device: { at: string; browser: string | null; system: string | null };
  contact: { name: string; email: string; subject: string; message: string };
  /** To the address that an account has, before the new one confirms itself. */
  address_change: { newAddress: string };
  /** To the address that an account had; null when there is none any more. `canUndo`: it may be put back. */
  address_changed: { newAddress: string | null; canUndo?: boolean };
  /** `host` of its address. */
  webhook_paused: { webhookId: number; host: string; because: 'failures' | 'gone' };
  /** An API key was made, replaced or ended; times as ISO 8601. */
  key_changed: {
    at: string;
    what: 'made' | 'replaced' | 'ended';
    name: string;
    prefix: string;
    mayWrite: boolean;
    worksUntil: string | null;
  };
  /** Where it leads, or what it is told of; hosts of its addresses. */
  webhook_changed: {
    at: string;
    what: 'added' | 'moved' | 'changed' | 'new_secret' | 'deleted';
    host: string;
    hostBefore: string | null;
    byKey: boolean;
  };
  /** `ended`: keys, and hosts of webhooks, that were ended with it. */
  password_changed: {
    at: string;
    how: 'changed' | 'reset';
    ended?: { apiKeys: { name: string; prefix: string }[]; webhooks: string[] };
  };
  /** The second factor: set up, ended, its recovery codes made anew, or one of them used to sign in. */
  second_factor_changed: { at: string; what: 'on' | 'off' | 'new_codes' | 'recovery_code_used' };
  /** The month's texts are used up; `resetsAt` is ISO 8601. */
  text_cap: { cap: number; resetsAt: string };
  /** The plan is another; what that did to the alerts. */
  plan_changed: {
    fromPlanId: number;
    toPlanId: number;
    event: string;
    paused: number;
    textsOff: number;
    toResume: number;
  };
  /** A cancelled plan runs until then. Times as ISO 8601. */
  plan_ending: { planId: number; endsAt: string };
  /** A payment failed; the plan is kept until then. */
  payment_failed: { planId: number; graceEndsAt: string };
  /** The same, two days before. */
  grace_ending: { planId: number; graceEndsAt: string };
  /** Nobody was there for 24 months; ISO 8601. */
  idle_account: { deletesAt: string };
}

/** Kinds that `enqueueMail` takes; the others are enqueued many at a time. */
export type EnqueuedKind = Exclude<keyof MailData, (typeof uncountedKinds)[number]>;

/** A mail of the queue: its kind says what its data are. */
export type EnqueuedData = { [K in keyof MailData]: { kind: K; data: MailData[K] } }[keyof MailData];

export interface NewMail<K extends EnqueuedKind = EnqueuedKind> {
  kind: K;
  userId: number | null;
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

/**
 * Counts a mail and enqueues it, or does neither where its mailbox has had as many as the day allows. The account's row
 * is locked first and the count last, as by all who write to an account.
 */
const countAndEnqueue = `
  with given (kind, user_id, alert_id, to_address, data, mailbox, counted_as, of_kind, of_all) as (
    values ($1, $2::int8, $3::int8, $4, $5::jsonb, $6, $7, $8::int4, $9::int4)
  ), owner as materialized (
    select u.id from users u, given g where u.id = g.user_id for key share of u
  ), counted as (
    insert into mail_counts as c (day, mailbox, total, by_kind)
    select (now() at time zone 'UTC')::date, mailbox, (of_all is not null)::int4, jsonb_build_object(counted_as, 1)
      from given where user_id is null or exists (select from owner)
    on conflict (day, mailbox) do update
       set total = c.total + excluded.total,
           by_kind = c.by_kind || (select jsonb_build_object(counted_as, coalesce((c.by_kind ->> counted_as)::int4, 0) + 1) from given)
     where (select coalesce((c.by_kind ->> counted_as)::int4, 0) < of_kind and (of_all is null or c.total < of_all) from given)
    returning mailbox
  ), enqueued as (
    insert into mails (kind, user_id, alert_id, to_address, data)
    select kind, user_id, alert_id, to_address, data from given where exists (select from counted)
    returning id
  )
  select (select id from enqueued) as id, exists (select from counted) as "isCounted",
         user_id is null or exists (select from owner) as "hasReader",
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
  return [mail.kind, mail.userId, mail.alertId ?? null, mail.to, data, mailboxKey(mail.to), kind, ofKind, ofAll];
}

/** A mail that a cap holds back looks to everybody as if it were sent; only the log says that it was not. */
function idOf(mail: NewMail, row: Enqueued | undefined): string {
  if (row && !row.isCounted && row.hasReader) {
    logSecurityEvent(log, 'mail.capped', { userId: mail.userId, kind: mail.kind });
  }
  return row?.id ?? '';
}

/**
 * Enqueues a mail, which is sent as soon as the transaction has committed. Call it last in a transaction, which holds the
 * count of the address until it ends.
 * @param queryable a pool, or the client of the transaction that the mail belongs to
 * @returns the mail's id; '' where its address had as many of its kind, or of all, as a day allows
 */
export async function enqueueMail<K extends EnqueuedKind>(queryable: Queryable, mail: NewMail<K>): Promise<string> {
  const { rows } = await queryable.query<Enqueued>(countAndEnqueue, valuesOf(mail));
  return idOf(mail, rows[0]);
}

/** Enqueues several mails of one transaction, always in the same order, so that two never wait for each other's counts. */
export async function enqueueMails(queryable: Queryable, mails: readonly NewMail[]): Promise<void> {
  const byMailbox = (one: NewMail, other: NewMail) => (mailboxKey(one.to) < mailboxKey(other.to) ? -1 : 1);
  for (const mail of [...mails].sort(byMailbox)) await enqueueMail(queryable, mail);
}

/** Makes due what waited for a confirmed address: one summary an alert. Call it where the address is confirmed. */
export async function releaseWaitingMail(queryable: Queryable, userId: number): Promise<void> {
  // A claim that holds an alert may be deferring its rows, as the address was not confirmed when it read that.
  await queryable.query('select id from alerts where user_id = $1 order by id for no key update', [userId]);
  await queryable.query(
    `update notifications set due_at = now()
     where status = 'waiting' and channel = 'email' and alert_id in (select id from alerts where user_id = $1)`,
    [userId],
  );
  await queryable.query(`select pg_notify('${channels.work}', 'send')`);
}
