import type { Queryable } from '../../../base/database.ts';
import { waitsOf } from '../../../entities/notification-rules.ts';

/** Drops the texts that wait for alerts of users whose rows are locked. */
export async function dropTexts(client: Queryable, userIds: readonly number[]): Promise<void> {
  // A claim locks them where their rows are, which may be another server.
  await client.query(
    '/* lock-texted */ select id from users where id = any($1::int8[]) order by id for no key update',
    [userIds],
  );
  await client.query(
    `/* drop-texts */ update notifications set status = 'dropped', settled_at = now()
      where channel = 'sms' and ${waitsOf('notifications', 'array(select id from alerts where user_id = any($1::int8[]))', '$1::int8[]')}`,
    [userIds],
  );
}

/**
 * Ends all texts to a number, from whichever account: what waits for it is dropped, and no new text is decided. Call it in
 * a transaction: it locks the owner first, as a claim does, so that the two never wait for each other's rows.
 * @param phone E.164
 */
export async function stopTexts(client: Queryable, phone: string): Promise<void> {
  const { rows: owners } = await client.query<{ id: number }>(
    '/* lock-owners-of-phone */ select id from users where phone = $1 and phone_confirmed_at is not null order by id for no key update',
    [phone],
  );
  await client.query('insert into text_stops (phone) values ($1) on conflict (phone) do nothing', [phone]);
  await dropTexts(
    client,
    owners.map(({ id }) => id),
  );
}

/** The number may be texted again; what was dropped stays dropped. */
export async function startTexts(client: Queryable, phone: string): Promise<void> {
  await client.query('delete from text_stops where phone = $1', [phone]);
}
