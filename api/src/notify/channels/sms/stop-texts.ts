import type { Queryable } from '../../../base/database.ts';

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
