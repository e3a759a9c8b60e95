import type { Pool } from '../base/database.ts';

type Settled = 'sent' | 'failed' | 'dropped';

/** Ends a mail that this sender holds, and the notifications in it, at once. */
export async function settleMail(pool: Pool, id: string, status: Settled, error: string | null = null): Promise<void> {
  await settleMails(pool, [id], status, error);
}

async function settleMails(pool: Pool, ids: readonly string[], status: Settled, error: string | null): Promise<void> {
  await pool.query({
    name: 'notify-settle',
    // Locked in one order, as two senders may settle mails of which the other thinks that it holds them.
    text: `with held as (
             select id from mails where id = any($1::uuid[]) and status = 'sending' order by id for update
           ), mail as (
             update mails m set status = $2, error = $3, sent_at = case when $2 = 'sent' then now() end
               from held where m.id = held.id returning m.id
           )
           update notifications n set status = $2, settled_at = now()
             from mail where n.mail_id = mail.id and n.status = 'sending'`,
    values: [ids, status, error],
  });
}

/** Records mails as sent, all that come while one statement is under way in the next. */
export function makeSentRecorder(pool: Pool): (id: string) => Promise<void> {
  let waiting: string[] = [];
  let next: Promise<void> | undefined;
  let current: Promise<unknown> = Promise.resolve();

  return (id) => {
    waiting.push(id);
    next ??= current.then(() => {
      const ids = waiting;
      waiting = [];
      next = undefined;
      const settling = settleMails(pool, ids, 'sent', null);
      current = settling.catch(() => {});
      return settling;
    });
    return next;
  };
}

/** Lets a mail wait for another try. @param delayMs from now, by the database's clock */
export async function putOffMail(pool: Pool, id: string, delayMs: number, error: string | null): Promise<void> {
  await pool.query(
    `update mails set status = 'waiting', next_try_at = now() + $2 * interval '1 ms', error = coalesce($3, error)
      where id = $1 and status = 'sending'`,
    [id, delayMs, error],
  );
}
