import type { EntityManager } from '@mikro-orm/postgresql';
import { channels } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';

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
  /** `passwordMark` changes with the password and the address, so that a link works once. */
  reset: { passwordMark: string };
  /** A login in a browser that was not signed in to the account before; `at` is ISO 8601. */
  new_device: { at: string; browser: string | null; system: string | null };
  contact: { name: string; email: string; subject: string; message: string };
  /** To the old address; null when there is none any more. */
  address_changed: { newAddress: string | null };
  /** `host` of its address. */
  webhook_paused: { webhookId: number; host: string; because: 'failures' | 'gone' };
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

export type QueuedKind = keyof MailData;

/** A mail as it lies in the queue: its kind says what its data are. */
export type QueuedData = { [K in QueuedKind]: { kind: K; data: MailData[K] } }[QueuedKind];

export interface NewMail<K extends QueuedKind = QueuedKind> {
  kind: K;
  userId: number | null;
  alertId?: number | null;
  to: string;
  /** May be left out where the kind needs none. */
  data?: MailData[K];
}

/**
 * Lays a mail down to be sent as soon as the transaction commits. Returns the mail's id.
 * @param queryable a pool, or the client of the transaction that the mail belongs to
 */
export async function queueMail<K extends QueuedKind>(queryable: Queryable, mail: NewMail<K>): Promise<string> {
  const { rows } = await queryable.query<{ id: string }>(
    `insert into mails (kind, user_id, alert_id, to_address, data)
     values ($1, $2, $3, $4, $5::jsonb) returning id, pg_notify('${channels.work}', 'send')`,
    [mail.kind, mail.userId, mail.alertId ?? null, mail.to, JSON.stringify(mail.data ?? {})],
  );
  return rows[0]?.id ?? '';
}

/** `queueMail` inside the ORM's transaction. */
export async function queueMailWith<K extends QueuedKind>(em: EntityManager, mail: NewMail<K>): Promise<string> {
  const rows = await em.execute<{ id: string }[]>(
    `insert into mails (kind, user_id, alert_id, to_address, data)
     values (?, ?, ?, ?, ?::jsonb) returning id, pg_notify('${channels.work}', 'send')`,
    [mail.kind, mail.userId, mail.alertId ?? null, mail.to, JSON.stringify(mail.data ?? {})],
  );
  return rows[0]?.id ?? '';
}

/** Whoever holds an alert may be putting its rows off, as the address was not confirmed when it looked. */
const held = 'select id from alerts where user_id = ? order by id for no key update';

/** What waited for a confirmed address may leave now: one summary an alert. Call it where the address is confirmed. */
export async function releaseWaitingMail(queryable: Queryable, userId: number): Promise<void> {
  await queryable.query(held.replace('?', '$1'), [userId]);
  await queryable.query(
    `update notifications set due_at = now()
     where status = 'waiting' and channel = 'email' and alert_id in (select id from alerts where user_id = $1)`,
    [userId],
  );
  await queryable.query(`select pg_notify('${channels.work}', 'send')`);
}

/** `releaseWaitingMail` inside the ORM's transaction. */
export async function releaseWaitingMailWith(em: EntityManager, userId: number): Promise<void> {
  await em.execute(held, [userId]);
  await em.execute(
    `update notifications set due_at = now()
     where status = 'waiting' and channel = 'email' and alert_id in (select id from alerts where user_id = ?)`,
    [userId],
  );
  await em.execute(`select pg_notify('${channels.work}', 'send')`);
}
