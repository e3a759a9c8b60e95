import type { Queryable } from '../../base/database.ts';
import { FREE_PLAN_ID } from '../../domain/plan-list.ts';

/** SQL: rows of `texts` that count towards the month's cap, also those that may have been sent. Months are UTC's. */
export const countedTexts = `kind = 'match' and status <> 'failed' and created_at >= date_trunc('month', now(), 'UTC')`;

/** SQL: whether a number replied STOP. `limit 1` keeps this a look-up by index. @param phone a column or parameter, E.164 */
export const hasStoppedTexts = (phone: string): string =>
  `(select true from text_stops s where s.phone = ${phone} limit 1) is not null`;

/**
 * SQL: whether a user may be texted: on a paid plan, with a confirmed number that has not replied STOP. The search asks
 * it when it decides about a text, and the claim asks again, since each of the three can change in between.
 * @param user the alias of a row of `users`
 */
export const mayBeTexted = (user: string): string => `
  (${user}.plan_id > ${FREE_PLAN_ID} and ${user}.phone_confirmed_at is not null and not (${hasStoppedTexts(`${user}.phone`)}))`;

/**
 * Ends all texts to a number, from whichever account: what waits for it is dropped, and no new text is decided. Call it in
 * a transaction: it locks the owner first, as a claim does, so that the two never wait for each other's rows.
 * @param phone E.164
 */
export async function stopTexts(client: Queryable, phone: string): Promise<void> {
  await client.query(
    'select from users where phone = $1 and phone_confirmed_at is not null order by id for no key update',
    [phone],
  );
  await client.query('insert into text_stops (phone) values ($1) on conflict (phone) do nothing', [phone]);
  await client.query(
    `update notifications set status = 'dropped', settled_at = now()
      where status = 'waiting' and channel = 'sms' and alert_id in (
        select a.id from users u join alerts a on a.user_id = u.id where u.phone = $1 and u.phone_confirmed_at is not null)`,
    [phone],
  );
}

/** The number may be texted again; what was dropped stays dropped. */
export async function startTexts(client: Queryable, phone: string): Promise<void> {
  await client.query('delete from text_stops where phone = $1', [phone]);
}

export type TextOutcome = { status: 'sent'; sid: string | null } | { status: 'failed' | 'unknown'; error: string };

/**
 * Records what became of a text, and of the notifications in it. One that was given up as unknown may still turn out to
 * have been sent; nothing else is overwritten. Returns whether it was recorded.
 */
export async function completeText(db: Queryable, id: string, outcome: TextOutcome): Promise<boolean> {
  const { status } = outcome;
  const { rowCount } = await db.query({
    name: 'complete-text',
    text: `with completed as (
             update texts
                set status = $2, sid = coalesce($3, sid), error = $4, settled_at = now(),
                    sent_at = case when $2 = 'sent' then now() end
              where id = $1 and (status = 'sending' or status = 'unknown' and $2 = 'sent') returning id
           ), notified as (
             update notifications n set status = $2, settled_at = now() from completed
              where n.text_id = completed.id and n.status in ('sending', 'unknown')
           )
           select 1 from completed`,
    values: [
      id,
      status,
      status === 'sent' ? outcome.sid : null,
      status === 'sent' ? null : outcome.error.slice(0, 500),
    ],
  });
  return (rowCount ?? 0) > 0;
}
