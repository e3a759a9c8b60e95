import type { Queryable } from '../../base/database.ts';

/**
 * Moves a session's end to 30 days from now, or as far as the database lets it go, and notes that its user was here;
 * meant for once an hour.
 */
export async function touchLastSeen(db: Queryable, sessionId: string): Promise<void> {
  await db.query(
    `with kept as (
       update session set expire = now() + interval '30 days', last_used_at = now() where sid = $1 and expire > now()
       returning (sess ->> 'userId')::int8 as user_id)
     update users set last_seen_at = now() from kept
      where id = kept.user_id and last_seen_at < now() - interval '1 hour'`,
    [sessionId],
  );
}
