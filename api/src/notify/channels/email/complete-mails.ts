import type { Pool } from '../../../base/database.ts';
import type { Completion } from '../../adapter.ts';
import type { ClaimedMail } from './claim-mails.ts';

/** The record of a call: the subject of the mail, as a mail is rendered again for each attempt. */
export interface MailReceipt {
  subject: string;
}

/** A mail that ends. An accepted mail is sent, whichever process has its claim by now, so it needs no `attempts`. */
export interface MailEnd {
  id: string;
  userId: number;
  attempts?: number;
  error?: string | null;
  subject?: string | null;
}

/** Ends mails and their notifications in one statement, if they are still at the given attempt. */
export async function endMails(
  pool: Pool,
  status: 'sent' | 'failed' | 'dropped',
  ends: readonly MailEnd[],
): Promise<void> {
  if (ends.length === 0) return;
  await pool.query({
    name: status === 'sent' ? 'notify-sent' : 'notify-end',
    // Locks in one order, as two processes may end the same mails when one has lost its claims without knowing.
    text: `with held as materialized (
             select m.id, m.user_id, e.error, e.subject
               from mails m
               join unnest($1::uuid[], $3::int4[], $4::text[], $5::text[], $6::int8[]) e (id, attempts, error, subject, user_id)
                 on e.id = m.id and e.user_id = m.user_id
              where m.id = any($1::uuid[]) and m.attempts = coalesce(e.attempts, m.attempts)
                    and (m.status = 'sending' or $2 = 'sent' and m.status = 'waiting')
              order by m.id for update of m
           ), mail as (
             update mails m set status = $2, error = held.error, sent_at = case when $2 = 'sent' then now() end,
                    subject = coalesce(held.subject, m.subject)
               from held where m.id = held.id and m.user_id = held.user_id returning m.id, m.user_id
           )
           update notifications n set status = $2, settled_at = now()
             from mail where n.mail_id = mail.id and n.user_id = mail.user_id and n.mail_id = any($1::uuid[]) and n.status = 'sending'`,
    values: [
      ends.map(({ id }) => id),
      status,
      ends.map(({ attempts }) => attempts ?? null),
      ends.map(({ error }) => error ?? null),
      ends.map(({ subject }) => subject ?? null),
      ends.map(({ userId }) => userId),
    ],
  });
}

type MailCompletion = Completion<ClaimedMail, MailReceipt>;

/**
 * Defers mails whose claims are still valid. A claim without a call does not count as a try; its number stays used, as the
 * deferral may be recorded twice, where its first answer was lost, and must not end the next claim.
 */
async function deferMails(pool: Pool, deferred: readonly MailCompletion[]): Promise<void> {
  if (deferred.length === 0) return;
  await pool.query({
    name: 'notify-defer-mails',
    text: `update mails m
              set status = 'waiting', next_try_at = now() + d.delay_ms * interval '1 ms',
                  error = coalesce(d.error, m.error),
                  attempts_before = m.attempts_before + case when d.is_tried then 0 else 1 end
             from unnest($1::uuid[], $2::int4[], $3::float8[], $4::text[], $5::bool[], $6::int8[])
                  d (id, attempts, delay_ms, error, is_tried, user_id)
            where m.id = any($1::uuid[]) and m.id = d.id and m.user_id = d.user_id and m.status = 'sending' and m.attempts = d.attempts`,
    values: [
      deferred.map(({ claim }) => claim.id),
      deferred.map(({ claim }) => claim.attempts),
      deferred.map(({ delayMs }) => delayMs),
      deferred.map(({ error }) => error),
      deferred.map(({ isTried }) => isTried),
      deferred.map(({ claim }) => claim.userId),
    ],
  });
}

/** Records the results of mails. */
export async function completeMails(pool: Pool, completions: readonly MailCompletion[]): Promise<void> {
  const of = (status: MailCompletion['status']) => completions.filter((completion) => completion.status === status);
  const sent = of('sent').map(({ claim, receipt }) => ({
    id: claim.id,
    userId: claim.userId,
    subject: receipt?.subject ?? null,
  }));
  await endMails(pool, 'sent', sent);
  for (const status of ['failed', 'dropped'] as const) {
    const ends = of(status).map(({ claim, error }) => ({
      id: claim.id,
      userId: claim.userId,
      attempts: claim.attempts,
      error,
    }));
    await endMails(pool, status, ends);
  }
  await deferMails(pool, of('waiting'));
}
