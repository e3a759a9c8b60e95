import type { Pool } from '../../base/database.ts';
import type { ClaimedMail } from './claimed-mail.ts';

export interface QueuedMail extends ClaimedMail {
  /** A sender that died had claimed it: it may have been handed over before. */
  leftBehind: boolean;
}

const dueMail = `(status = 'waiting' and next_try_at <= now()
  or status = 'sending' and claimed_at <= now() - $1 * interval '1 ms')`;

/**
 * Takes mails whose time has come: new ones, ones to try again, and ones that a sender left behind.
 * @param staleMs a claim that is older was left behind
 * @param held ids that this process still has in hand
 */
export async function claimQueued(pool: Pool, limit: number, staleMs: number, held: Iterable<string>) {
  const lookedAtMs = performance.now();
  const { rows } = await pool.query<Omit<QueuedMail, 'lookedAtMs'>>({
    name: 'notify-claim-queued',
    text: `with due as materialized (
         select id, status from mails
          where status in ('waiting', 'sending') and ${dueMail} and id <> all($2::uuid[])
          order by next_try_at limit $3 for update skip locked
       )
       update mails m set status = 'sending', claimed_at = now(), attempts = m.attempts + 1 from due where m.id = due.id
       returning m.id, m.kind, m.user_id as "userId", m.alert_id as "alertId", m.to_address as "to", m.data, m.attempts,
                 extract(epoch from now() - m.created_at)::float8 * 1000 as "ageMs",
                 due.status = 'sending' as "leftBehind"`,
    values: [staleMs, [...held], limit],
  });
  return rows.map((row): QueuedMail => ({ ...row, lookedAtMs }));
}

/** Of these claimed mails the ids of those that are still ours: a sender that was stopped for long may have lost some. */
export async function keepHold(pool: Pool, mails: readonly ClaimedMail[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'notify-keep-hold',
    text: `update mails m set claimed_at = now() from unnest($1::uuid[], $2::int4[]) h (id, attempts)
            where m.id = any($1::uuid[]) and m.id = h.id and m.attempts = h.attempts and m.status = 'sending'
          returning m.id`,
    values: [mails.map(({ id }) => id), mails.map(({ attempts }) => attempts)],
  });
  return new Set(rows.map(({ id }) => id));
}
