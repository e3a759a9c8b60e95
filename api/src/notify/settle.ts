import type { Pool } from '../base/database.ts';

type Settled = 'sent' | 'failed' | 'dropped';

/** Ends a mail that this sender holds, and the notifications in it, at once. */
export async function settleMail(pool: Pool, id: string, status: Settled, error: string | null = null): Promise<void> {
  await pool.query(
    `with mail as (
       update mails set status = $2, error = $3, sent_at = case when $2 = 'sent' then now() end
        where id = $1 and status = 'sending' returning id
     )
     update notifications n set status = $2, settled_at = now()
       from mail where n.mail_id = mail.id and n.status = 'sending'`,
    [id, status, error],
  );
}

/** Lets a mail wait for another try. @param delayMs from now, by the database's clock */
export async function putOffMail(pool: Pool, id: string, delayMs: number, error: string | null): Promise<void> {
  await pool.query(
    `update mails set status = 'waiting', next_try_at = now() + $2 * interval '1 ms', error = coalesce($3, error)
      where id = $1 and status = 'sending'`,
    [id, delayMs, error],
  );
}
