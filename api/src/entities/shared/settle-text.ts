import type { Queryable } from '../../base/database.ts';

export type TextOutcome = { status: 'sent'; sid: string | null } | { status: 'failed' | 'unknown'; error: string };

/**
 * Writes down what became of a text, and of the notifications in it. One that was given up as unknown may still turn
 * out to have been sent; nothing else is written over. Returns whether it was.
 */
export async function settleText(db: Queryable, id: string, outcome: TextOutcome): Promise<boolean> {
  const { status } = outcome;
  const { rowCount } = await db.query({
    name: 'settle-text',
    text: `with settled as (
             update texts
                set status = $2, sid = coalesce($3, sid), error = $4, settled_at = now(),
                    sent_at = case when $2 = 'sent' then now() end
              where id = $1 and (status = 'sending' or status = 'unknown' and $2 = 'sent') returning id
           ), told as (
             update notifications n set status = $2, settled_at = now() from settled
              where n.text_id = settled.id and n.status in ('sending', 'unknown')
           )
           select 1 from settled`,
    values: [
      id,
      status,
      status === 'sent' ? outcome.sid : null,
      status === 'sent' ? null : outcome.error.slice(0, 500),
    ],
  });
  return (rowCount ?? 0) > 0;
}
