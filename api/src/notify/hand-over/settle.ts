import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import type { ClaimedMail } from '../claim/claimed-mail.ts';
import { gather } from './gather.ts';

type Settled = 'sent' | 'failed' | 'dropped';

/** A mail to be ended; what the vendor has taken is taken, whoever holds the mail by now. */
type Ending = { id: string } & Partial<Pick<ClaimedMail, 'attempts'>>;

/**
 * Ends mails, and the notifications in them, at once: those that still are at the given try.
 * @param subjects of the mails that were handed over, in their order; what a mail said is read anew each time
 */
export async function settleMails(
  pool: Pool,
  mails: readonly Ending[],
  status: Settled,
  error: string | null = null,
  subjects: readonly (string | null)[] = [],
): Promise<void> {
  if (mails.length === 0) return;
  const ids = mails.map(({ id }) => id);
  await pool.query({
    name: status === 'sent' ? 'notify-sent' : 'notify-settle',
    // Locked in one order, as two senders may settle mails of which the other thinks that it holds them.
    text: `with held as materialized (
             select m.id from mails m join unnest($1::uuid[], $5::int4[]) h (id, attempts) on h.id = m.id
              where m.id = any($1::uuid[]) and m.attempts = coalesce(h.attempts, m.attempts)
                    and (m.status = 'sending' or $2 = 'sent' and m.status = 'waiting')
              order by m.id for update of m
           ), mail as (
             update mails m set status = $2, error = $3, sent_at = case when $2 = 'sent' then now() end,
                    subject = coalesce(said.subject, m.subject)
               from held join unnest($1::uuid[], $4::text[]) said (id, subject) using (id)
              where m.id = held.id returning m.id
           )
           update notifications n set status = $2, settled_at = now()
             from mail where n.mail_id = mail.id and n.mail_id = any($1::uuid[]) and n.status = 'sending'`,
    values: [ids, status, error, subjects, mails.map(({ attempts }) => attempts ?? null)],
  });
}

export interface PutOffMail {
  mail: ClaimedMail;
  /** From now, by the database's clock. */
  delayMs: number;
  error: string | null;
  /** It was claimed but not tried: the try doesn't count. */
  untried?: boolean;
}

/** Lets mails wait for another try, those that are still ours. */
export async function putOffMails(pool: Pool, putOffs: readonly PutOffMail[]): Promise<void> {
  if (putOffs.length === 0) return;
  await pool.query({
    name: 'notify-put-off-mails',
    text: `update mails m
              set status = 'waiting', next_try_at = now() + p.delay_ms * interval '1 ms',
                  error = coalesce(p.error, m.error), attempts = m.attempts - case when p.untried then 1 else 0 end
             from unnest($1::uuid[], $2::int4[], $3::float8[], $4::text[], $5::bool[])
                  p (id, attempts, delay_ms, error, untried)
            where m.id = any($1::uuid[]) and m.id = p.id and m.status = 'sending' and m.attempts = p.attempts`,
    values: [
      putOffs.map(({ mail }) => mail.id),
      putOffs.map(({ mail }) => mail.attempts),
      putOffs.map(({ delayMs }) => delayMs),
      putOffs.map(({ error }) => error),
      putOffs.map(({ untried }) => untried === true),
    ],
  });
}

/** A mail that the vendor has taken; its subject is null where another sender handed it over. */
export interface SentMail {
  id: string;
  subject: string | null;
}

const AGAIN_MS = 250;

/**
 * Records mails as sent, all that come while one statement is under way in the next. The vendor has taken them, so it
 * tries on for as long as this process lives: forgotten, they would be sent twice.
 */
export function makeSentRecorder(
  pool: Pool,
  log: Log,
  signal: AbortSignal | undefined,
): (mail: SentMail) => Promise<unknown> {
  const record = async (mails: readonly SentMail[]) => {
    const subjects = mails.map(({ subject }) => subject);
    for (;;) {
      try {
        await settleMails(
          pool,
          mails.map(({ id }) => ({ id })),
          'sent',
          null,
          subjects,
        );
        return mails.map(() => undefined);
      } catch (error) {
        if (signal?.aborted) throw error;
        log.warn('sent mails could not be recorded yet', { mails: mails.length, error });
      }
      await sleep(AGAIN_MS);
    }
  };
  return gather<SentMail, undefined>(record);
}
